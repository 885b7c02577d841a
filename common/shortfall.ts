/** Why a picture has fewer lines than the plan allows. */
import { z } from "zod";
import { FINDING_WORDS } from "./finding-words.ts";
import { describeSize } from "./reasons.ts";

export const ShortfallReason = z.enum([
  /** The site gave no more lines. */
  "site",
  /** The site's next size is above what the plan allows. */
  "site_within_plan",
  /** The site gave more lines only with a codec that would have to be encoded anew. */
  "codec",
  /** More lines would make a file that is larger than the plan allows. */
  "file_size",
]);
export type ShortfallReason = z.infer<typeof ShortfallReason>;

export const Shortfall = z.object({
  reason: ShortfallReason,
  /** Of the result, as sites name sizes: 720 for a picture of 1280 × 536. */
  heightLines: z.number().int().positive(),
  /** With `file_size`: the size that the plan allows. */
  maxBytes: z.number().int().positive().optional(),
});
export type Shortfall = z.infer<typeof Shortfall>;

/** "720p: the site gave no more", "360p to fit 50 MB": the English `note` of the REST interface. */
export function describeShortfall({ reason, heightLines, maxBytes = 0 }: Shortfall): string {
  return FINDING_WORDS.shortfalls[reason](`${heightLines}p`, describeSize(maxBytes));
}
