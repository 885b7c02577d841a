import type { EntryProblem, ListEntry } from "../../../../common/lists.ts";
import { TIERS } from "../../../../common/tiers.ts";
import type { Tier } from "../../../../common/tiers.ts";

/** @returns why an entry cannot be chosen: what the list knows, or that it is longer than the plan allows */
export function problemOf(
  { problem, durationSeconds }: Pick<ListEntry, "problem" | "durationSeconds">,
  tier: Tier,
): EntryProblem | "too_long" | null {
  if (problem) return problem;
  return (durationSeconds ?? 0) > TIERS[tier].maxDurationSeconds ? "too_long" : null;
}
