/** Measures how long a conversion usually takes; the site shows this figure. */
import type { Domain } from "../domain.ts";
import { keepFor } from "../keep-for.ts";
import { DAY_MS, MINUTE_MS } from "../../../common/durations.ts";

/** With fewer conversions their times depend too much on single videos. */
export const MIN_CONVERSIONS = 5;
/** Only the newest conversions are read. */
const MAX_CONVERSIONS = 5_000;

/**
 * @returns the median time from request to file of the last day's conversions, in seconds; null while there are too
 *   few. Reused files are left out, because they would make the figure look better than it is, and so are jobs that the
 *   video site made wait, which the home page announces while it lasts, and tapes, which wait for their songs.
 */
export async function measureUsualSeconds(domain: Pick<Domain, "jobs">, now: Date): Promise<number | null> {
  const done = await domain.jobs
    .find(
      {
        status: "completed",
        completedAt: { $gt: new Date(now.getTime() - DAY_MS) },
        isRepeat: { $ne: true },
        waitsSince: null,
        tape: null,
      },
      { createdAt: 1, completedAt: 1 },
    )
    .sort({ completedAt: -1 })
    .limit(MAX_CONVERSIONS)
    .lean<{ createdAt: Date; completedAt: Date }[]>();
  if (done.length < MIN_CONVERSIONS) return null;
  const seconds = done
    .map(({ createdAt, completedAt }) => (completedAt.getTime() - createdAt.getTime()) / 1_000)
    .sort((a, b) => a - b);
  const middle = Math.floor(seconds.length / 2);
  const above = seconds[middle] ?? 0;
  const below = seconds.length % 2 === 0 ? (seconds[middle - 1] ?? 0) : above;
  return Math.max(1, Math.round((below + above) / 2));
}

/** @returns a function that gives the same figure and measures it at most once a minute */
export function createUsualSeconds(
  domain: Pick<Domain, "jobs">,
  now: () => number = Date.now,
): () => Promise<number | null> {
  return keepFor(MINUTE_MS, () => measureUsualSeconds(domain, new Date(now())), now);
}
