/** Words in the page's language what the server says beyond the code of an error. */
import { ceilMegabytes, sentenceOfLimit } from "../../../common/reasons.ts";
import type { LimitReason, Reason } from "../../../common/reasons.ts";
import type { Shortfall } from "../../../common/shortfall.ts";
import { BYTES_PER_MB } from "../../../common/tiers.ts";
import type { Texts } from "./en.ts";
import type { Formats } from "./format.ts";

/** Rounded up as in the server's messages. */
const sizeIn = (formats: Formats) => (sizeBytes: number) =>
  formats.wholeMegabytes(ceilMegabytes(sizeBytes) * BYTES_PER_MB);

/** Whether the words of a reason need figures of the plan. */
const isLimit = (reason: Reason): reason is LimitReason => "proMaxSeconds" in reason || "proMaxBytes" in reason;

/** @returns the sentence for an error */
export function wordReason(reason: Reason, { exactErrors, reasons, converter }: Texts, formats: Formats): string {
  if (isLimit(reason)) return sentenceOfLimit(reason, reasons, (seconds) => formats.span(seconds), sizeIn(formats));
  switch (reason.name) {
    case "too_many_requests":
      return reasons.too_many_requests(formats.inUnits(reason.retryAfterSeconds, "second"));
    case "too_many_active":
      return reasons.too_many_active(reason.active, reason.most);
    case "links_at_once":
      return converter.problems.tooMany(reason.most);
    case "format_for_pro":
      return reasons.format_for_pro(formats.latin(reason.format.toUpperCase()));
    case "chapter_files_for_pro":
      return reasons.chapter_files_for_pro;
    case "starts_later": {
      const when = reason.precision === "day" ? formats.dayOf(reason.startsAt) : formats.dateAndTime(reason.startsAt);
      return reasons.starts_later(when);
    }
    default:
      return exactErrors[reason.name];
  }
}

/** @returns why a picture has fewer lines than the plan allows: "360p to fit 50 MB" */
export function wordShortfall(
  { reason, heightLines, maxBytes = 0 }: Shortfall,
  texts: Texts,
  formats: Formats,
): string {
  return texts.job.shortfalls[reason](formats.latin(`${heightLines}p`), sizeIn(formats)(maxBytes));
}
