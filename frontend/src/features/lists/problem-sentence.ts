import type { ListEntry } from "../../../../common/lists.ts";
import { TIERS } from "../../../../common/tiers.ts";
import type { Tier } from "../../../../common/tiers.ts";
import type { ListTexts } from "../../texts/lists/en.ts";
import type { Formats } from "../../texts/format.ts";
import { problemOf } from "./entry-problem.ts";

/** @returns why an entry cannot be chosen, in one short line; null when it can */
export function problemSentence(
  entry: ListEntry,
  tier: Tier,
  { problems, tooLong, tooLongForFree }: ListTexts,
  formats: Formats,
): string | null {
  const problem = problemOf(entry, tier);
  if (problem !== "too_long") return problem && problems[problem];
  const isLiftedByPro = problemOf(entry, "pro") === null;
  return isLiftedByPro
    ? tooLongForFree(formats.span(TIERS[tier].maxDurationSeconds))
    : tooLong(formats.span(TIERS.pro.maxDurationSeconds));
}
