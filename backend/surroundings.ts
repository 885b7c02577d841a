/** What a server finds when it starts: the programs and services it uses, wherever they came from. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SampleLink } from "../common/api.ts";
import type { HostEntry } from "../common/hosts.ts";
import type { SignInSettings } from "./http/sign-in/settings.ts";

/** A provider that answers below a path of our own site. */
export interface IdentityProvider {
  /** Every path that begins so is its own. */
  readonly prefix: string;
  readonly signIn: SignInSettings;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

export interface Surroundings {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly mongodbUri: string;
  readonly sessionKeys: readonly string[];
  /** Stands in for the hosted sign-in where none is set up. */
  readonly identityProvider?: IdentityProvider;
  /** The built frontend. */
  readonly distFolder: string;
  /** Taken beside `VIDEO_HOSTS`. */
  readonly extraVideoHosts: readonly HostEntry[];
  readonly sampleLinks: readonly SampleLink[];
  /** Rejects when something the server cannot do without has ended by itself. */
  readonly broken: Promise<never>;
  /** Ends what was started; after everything else. */
  stop(): Promise<void>;
}
