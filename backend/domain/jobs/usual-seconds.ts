/** How long a conversion usually takes, as measured: told to visitors instead of a promise. */
import type { Domain } from "../domain.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const MINUTE_MS = 60_000;
/** Of fewer than these a median says more about one video than about the service. */
const FEWEST = 5;
/** The newest so many are enough to tell. */
const MOST = 5_000;

/**
 * Median of the seconds from asked to ready of the last day's conversions; null while there are too
 * few. Files that were made for an earlier request are left out: they would flatter.
 */
export async function measureUsualSeconds(domain: Pick<Domain, "jobs">, now: Date): Promise<number | null> {
  const done = await domain.jobs
    .find(
      { status: "completed", completedAt: { $gt: new Date(now.getTime() - DAY_MS) }, isRepeat: { $ne: true } },
      { createdAt: 1, completedAt: 1 },
    )
    .sort({ completedAt: -1 })
    .limit(MOST)
    .lean<{ createdAt: Date; completedAt: Date }[]>();
  if (done.length < FEWEST) return null;
  const seconds = done
    .map(({ createdAt, completedAt }) => (completedAt.getTime() - createdAt.getTime()) / 1_000)
    .sort((a, b) => a - b);
  const middle = Math.floor(seconds.length / 2);
  const [below = 0, above = 0] =
    seconds.length % 2 === 0 ? [seconds[middle - 1], seconds[middle]] : [seconds[middle], seconds[middle]];
  return Math.max(1, Math.round((below + above) / 2));
}

/** The same, measured at most once a minute however often it is asked for. */
export function createUsualSeconds(
  domain: Pick<Domain, "jobs">,
  now: () => number = Date.now,
): () => Promise<number | null> {
  let measured: { readonly atMs: number; readonly figure: Promise<number | null> } | undefined;
  return () => {
    if (!measured || now() - measured.atMs >= MINUTE_MS) {
      const figure = measureUsualSeconds(domain, new Date(now()));
      const mine = { atMs: now(), figure };
      measured = mine;
      // A failure is not kept.
      figure.catch(() => {
        if (measured === mine) measured = undefined;
      });
    }
    return measured.figure;
  };
}
