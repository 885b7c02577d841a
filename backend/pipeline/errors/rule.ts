/** One row of the tables that say what the messages of yt-dlp mean. */
import type { ConversionErrorCode } from "../../../common/errors.ts";
import type { ExactReason, Reason } from "../../../common/reasons.ts";
import type { RefusedParty } from "./site-refusal.ts";

export interface Rule {
  readonly pattern: RegExp;
  readonly code: ConversionErrorCode;
  readonly isTransient?: boolean;
  /** Names the sentence for the visitor; by default that of the code. */
  readonly exact?: ExactReason;
  /** Why exactly, with figures; undefined where the match has none. */
  readonly reason?: (match: RegExpExecArray, nowMs: number) => Reason | undefined;
  /** What the site refuses, if another client or exit may get the video. */
  readonly refuses?: RefusedParty;
}
