/**
 * What a server depends on at run time: programs, a database, keys, pages. Development prepares it, production is given
 * it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SampleLink } from "../../common/api.ts";
import type { HostEntry } from "../../common/hosts.ts";
import type { PaymentSettings } from "../config/config.ts";
import type { ConvertedFile, ConvertListener, ConvertRequest } from "../pipeline/convert.ts";
import type { SignInSettings } from "../http/sign-in/settings.ts";

/** A provider that answers below a path of our own site. */
export interface IdentityProvider {
  /** Every path that begins so is its own. */
  readonly prefix: string;
  readonly signIn: SignInSettings;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Takes payments that are none. */
export interface PaymentStandIn {
  readonly payment: PaymentSettings;
  /** Loaded by the page in place of the provider's own script. */
  readonly scriptUrl: string;
  /** Its clock, which can be moved on. */
  now(): Date;
}

export interface Runtime {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly mongodbUri: string;
  readonly sessionKeys: readonly string[];
  /** Stands in for the hosted sign-in where none is set up. */
  readonly identityProvider?: IdentityProvider;
  /** Stands in for the payment provider where that was asked for. */
  readonly paymentStandIn?: PaymentStandIn;
  /** The built frontend. */
  readonly distFolder: string;
  /** Taken beside `VIDEO_HOSTS`. */
  readonly extraVideoHosts: readonly HostEntry[];
  readonly sampleLinks: readonly SampleLink[];
  /** Works in place of the pipeline, for measuring what lies around it. */
  readonly convert?: (
    request: ConvertRequest,
    listener: ConvertListener,
    signal: AbortSignal,
  ) => Promise<ConvertedFile>;
  /** Rejects when something the server cannot do without has ended by itself. */
  readonly broken: Promise<never>;
  /** Ends what was started; after everything else. */
  stop(): Promise<void>;
}
