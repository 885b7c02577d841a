/** Refusals of a site that are not about the video. */
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";

/**
 * "client": the player client that yt-dlp used. "exit": the address that requests came from. "either": one of them;
 * another client is tried before another exit.
 */
export type RefusedParty = "client" | "exit" | "either";

/** A failure that another client or another exit may not have. */
export class SiteRefusal extends ConversionError {
  readonly refuses: RefusedParty;

  constructor(
    code: ConversionErrorCode,
    refuses: RefusedParty,
    options: ConstructorParameters<typeof ConversionError>[1] = {},
  ) {
    super(code, options);
    this.refuses = refuses;
  }
}

/** The site answers no more requests of this exit for the moment: 429, or 503 with `Retry-After`. */
export class TooManyRequests extends SiteRefusal {
  /** How long the site asks to wait; undefined when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(retryAfterMs: number | undefined, options: { detail?: string; cause?: unknown } = {}) {
    super("site_blocked", "exit", { ...options, isTransient: true });
    this.retryAfterMs = retryAfterMs;
  }

  /** @returns the same failure with another time to wait */
  withRetryAfter(retryAfterMs: number): TooManyRequests {
    return new TooManyRequests(retryAfterMs, { detail: this.detail, cause: this.cause });
  }
}

/** The site cannot be asked before a moment. The conversion is to be tried again then. */
export class SiteBusy extends ConversionError {
  /** Milliseconds since 1970. */
  readonly untilMs: number;
  /** False: the site refused nothing; the budget of extractions is used up, and other conversions go first. */
  readonly isRefusal: boolean;

  constructor(untilMs: number, options: { detail?: string; cause?: unknown; isRefusal?: boolean } = {}) {
    super("busy", options);
    this.untilMs = untilMs;
    this.isRefusal = options.isRefusal ?? true;
  }
}
