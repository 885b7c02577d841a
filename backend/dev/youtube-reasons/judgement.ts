/** What a reason of YouTube or yt-dlp comes to, as a short text. */
import { classifyFetchFailure } from "../../pipeline/errors/classify.ts";
import { SiteRefusal } from "../../pipeline/errors/site-refusal.ts";
import type { InstalledReason } from "./installed-reasons.ts";
import { SAYS_NOTHING } from "./judged-reasons.ts";

const NEXT = { client: "next client", exit: "next exit", either: "next client or exit" } as const;
/** Follows the warnings of a video without formats. */
const NO_FORMATS = "ERROR: [youtube] x: No video formats found!";

/** @returns such as `private`, `live/still_processing` (an exact reason), `site_blocked, again, next client` */
function judgementOf(stderrTail: string): string {
  const error = classifyFetchFailure({ stderrTail });
  const { code, reason, isTransient } = error;
  const steps = [isTransient && "again", error instanceof SiteRefusal && NEXT[error.refuses]];
  return [reason ? `${code}/${reason.name}` : code, ...steps.filter(Boolean)].join(", ");
}

/** Warnings are judged by what comes of a video without formats. */
export function judgementOfReason([kind, text]: InstalledReason): string {
  const words = `[youtube] x: ${text.replaceAll("{}", "x")}`;
  if (kind !== "warning") return judgementOf(`ERROR: ${words}`);
  const judgement = judgementOf(`WARNING: ${words}\n${NO_FORMATS}`);
  return judgement === judgementOf(NO_FORMATS) ? SAYS_NOTHING : judgement;
}
