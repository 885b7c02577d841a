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

/** The site cannot be asked before a moment. The conversion is to be tried again then. */
export class SiteBusy extends ConversionError {
  /** Milliseconds since 1970. */
  readonly untilMs: number;

  constructor(untilMs: number, options: { detail?: string; cause?: unknown } = {}) {
    super("busy", options);
    this.untilMs = untilMs;
  }
}
