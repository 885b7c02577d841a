import { PublicConfig, User } from "../../../common/api.ts";
import { acceptsAnyHost } from "../../../common/hosts.ts";
import { ApiError, isAbort } from "../api/errors.ts";
import type { Api } from "../api/api.ts";
import { ConditionalPolls } from "../api/conditional-polls.ts";
import type { HttpClient } from "../api/http-client.ts";
import type { DeviceStore } from "../stores/device.ts";
import type { UserStore } from "../stores/user.ts";
import { speakOfSites } from "../texts/store.ts";

/** @returns the signed-in user, or null */
async function getUser(client: HttpClient, signal: AbortSignal): Promise<User | null> {
  try {
    return await client.call("/api/auth/user", User, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

export interface IdentityLoaderParts {
  readonly api: Pick<Api, "client">;
  readonly device: DeviceStore;
  readonly user: UserStore;
  /** Called when a different user, or none, is signed in now. */
  readonly onUserChanged: () => void;
  /** Aborts all requests. */
  readonly signal: AbortSignal;
}

/** Loads the visitor's identity and the server's configuration into the stores. */
export class IdentityLoader {
  /** True until the identity is loaded, and after a sign that it has changed. */
  isStale = true;
  private readonly parts: IdentityLoaderParts;
  private lastRequest = 0;

  constructor(parts: IdentityLoaderParts) {
    this.parts = parts;
  }

  /**
   * Loads identity and configuration. Of several loads at the same time only the last one changes the stores.
   * @throws ApiError, TypeError and AbortError as the API calls do
   */
  async load(signal: AbortSignal = this.parts.signal): Promise<void> {
    const { api, device, user } = this.parts;
    const request = ++this.lastRequest;
    // Skipped for a signed-out visitor: the browser would report the 401 in its console.
    const isSignedOut = device.getState().info?.authenticated === false;
    const [config, person] = await Promise.all([
      api.client.call("/api/config", PublicConfig, { signal }),
      isSignedOut ? null : getUser(api.client, signal),
    ]);
    if (request !== this.lastRequest) return;
    device.getState().receiveConfig(config);
    speakOfSites(acceptsAnyHost(config.videoHosts));
    const { phase, user: before } = user.getState();
    user.getState().receiveUser(person);
    this.isStale = false;
    if (phase !== "loading" && before?.id !== person?.id) this.parts.onUserChanged();
  }

  /** Loads the identity again. After a failure, the next connection or return to the page retries. */
  async refresh(): Promise<void> {
    const { api, device, signal } = this.parts;
    this.isStale = true;
    try {
      const info = await new ConditionalPolls(api.client).deviceInfo(signal);
      if (info) device.getState().receiveInfo(info);
      await this.load();
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof TypeError || isAbort(error))) throw error;
    }
  }
}
