/**
 * What a server depends on at run time: tools, a database, keys, pages. In development dev/prepare-runtime.ts prepares
 * it; in production it comes from the environment.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SampleLink } from "../../common/api.ts";
import type { HostEntry } from "../../common/hosts.ts";
import type { PaymentSettings } from "../config/config.ts";
import type { Lists } from "../domain/jobs/lists.ts";
import type { Previews } from "../domain/jobs/previews.ts";
import type { ConvertedFile, ConvertListener, ConvertRequest } from "../pipeline/convert.ts";
import type { SignInSettings } from "../http/sign-in/settings.ts";

/** A stand-in identity provider that answers below a path of the site. */
export interface IdentityProvider {
  /** Requests whose path begins with this go to `handle`. */
  readonly prefix: string;
  readonly signIn: SignInSettings;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** A stand-in payment provider that moves no money. */
export interface PaymentStandIn {
  readonly payment: PaymentSettings;
  /** The page loads this instead of the provider's script. */
  readonly scriptUrl: string;
  /** The clock of the stand-in, which tests can advance. */
  now(): Date;
}

export interface Runtime {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  readonly mongodbUri: string;
  readonly sessionKeys: readonly string[];
  /** Used in development when OIDC_ISSUER is not set. */
  readonly identityProvider?: IdentityProvider;
  /** Used in development with PAYMENT_STAND_IN=on. */
  readonly paymentStandIn?: PaymentStandIn;
  /** Folder of the built frontend. */
  readonly distFolder: string;
  /** Accepted in addition to `VIDEO_HOSTS`. */
  readonly extraVideoHosts: readonly HostEntry[];
  readonly sampleLinks: readonly SampleLink[];
  /** Replaces the pipeline in measurements of the server around it. */
  readonly convert?: (
    request: ConvertRequest,
    listener: ConvertListener,
    signal: AbortSignal,
  ) => Promise<ConvertedFile>;
  /** Replaces what looks at links before they are converted, in tests of the routes around it. */
  readonly lookups?: { readonly previews: Previews; readonly lists: Lists };
  /** Rejects when a part that the server needs, such as the embedded database, has ended unexpectedly. */
  readonly broken: Promise<never>;
  /** Stops everything that was started; called last. */
  stop(): Promise<void>;
}
