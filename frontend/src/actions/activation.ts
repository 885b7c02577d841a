/**
 * Waits, after a confirmed payment, until the server reports that the user has Pro. It continues after a
 * reload of the tab, and it polls in addition to the socket's events, because the socket may be down.
 */
import type { Notify } from "../stores/notice.ts";
import { createPolling } from "../api/polling.ts";
import type { ActivationStore } from "../stores/activation.ts";
import type { DeviceStore } from "../stores/device.ts";
import type { UserStore } from "../stores/user.ts";
import { ACTIVATION_KEY as KEY } from "../platform/storage-keys.ts";
import { currentTexts } from "../texts/store.ts";

const POLL_INTERVAL_MS = 2_000;
const POLL_TIMEOUT_MS = 15_000;
/** Longer than a confirmation usually takes; after it the page explains the delay. */
export const LONG_WAIT_MS = 12_000;
/** After this time polling ends; a later confirmation arrives by push or at the next visit. */
const MAX_WAIT_MS = 10 * 60_000;

export interface ActivationParts {
  readonly store: ActivationStore;
  readonly device: DeviceStore;
  readonly user: UserStore;
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  readonly notify: Notify;
  readonly refreshIdentity: () => Promise<void>;
  readonly nowMs: () => number;
}

export class Activation {
  private readonly parts: ActivationParts;
  private readonly polling = createPolling({
    intervalMs: POLL_INTERVAL_MS,
    timeoutMs: POLL_TIMEOUT_MS,
    onError: () => undefined,
    poll: () => this.poll(),
  });
  private longTimer: ReturnType<typeof setTimeout> | undefined;
  private startedAtMs = 0;

  constructor(parts: ActivationParts) {
    this.parts = parts;
    parts.device.subscribe(() => this.checkTier());
    parts.user.subscribe(() => this.checkTier());
  }

  /** Starts waiting, after the provider has accepted the payment. */
  begin(): void {
    const { storage, nowMs } = this.parts;
    storage.setItem(KEY, String(nowMs()));
    this.wait(nowMs());
  }

  /** Continues waiting after a reload of the tab. */
  resume(): void {
    const { storage, nowMs } = this.parts;
    // An unreadable text gives NaN, which is not greater than any number.
    const startedAtMs = Number(storage.getItem(KEY));
    if (startedAtMs > nowMs() - MAX_WAIT_MS) this.wait(startedAtMs);
  }

  private wait(startedAtMs: number): void {
    this.startedAtMs = startedAtMs;
    const leftMs = Math.max(0, LONG_WAIT_MS - (this.parts.nowMs() - startedAtMs));
    clearTimeout(this.longTimer);
    this.longTimer = setTimeout(() => this.parts.store.setState({ isLong: true }), leftMs);
    this.parts.store.setState({ phase: "waiting", isLong: false });
    this.checkTier();
    if (this.parts.store.getState().phase === "waiting") void this.polling.start();
  }

  private async poll(): Promise<void> {
    if (this.parts.nowMs() - this.startedAtMs > MAX_WAIT_MS) this.end("none");
    else await this.parts.refreshIdentity();
  }

  private checkTier(): void {
    const { device, user, notify } = this.parts;
    if (this.parts.store.getState().phase !== "waiting") return;
    if (device.getState().tier === "pro") {
      this.end("done");
      notify({ kind: "success", ...currentTexts().billing.notices.active });
    } else if (user.getState().phase === "signed-out") this.end("none");
  }

  private end(phase: "none" | "done"): void {
    clearTimeout(this.longTimer);
    this.polling.stop();
    this.parts.storage.removeItem(KEY);
    this.parts.store.setState({ phase, isLong: false });
  }
}
