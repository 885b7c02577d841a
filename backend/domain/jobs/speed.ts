/** Measures how long conversions took lately, from the receipts of jobs. */
import type { Receipt } from "../../../common/receipt.ts";
import { SPEED_DAYS, totalSeconds, type Speed } from "../../../common/speed.ts";
import { DAY_MS, MINUTE_MS } from "../../../common/durations.ts";
import type { Domain } from "../domain.ts";
import { keepFor } from "../keep-for.ts";
import { MIN_CONVERSIONS } from "./usual-seconds.ts";

/** Only the newest conversions are read. */
const MAX_CONVERSIONS = 20_000;
/** A job that takes this much longer than promised has kept its promise. */
const TOLERANCE = 0.1;
const KEPT_MS = 10 * MINUTE_MS;

/** A conversion that made its file itself. */
export interface Made {
  readonly completedAt: Date;
  readonly receipt: Receipt;
}

const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
const percent = (part: number, whole: number): number => Math.round((100 * part) / whole);

/** @param fraction 0.5 for the median @returns a value that so many of the sorted values do not exceed */
function quantile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0;
}

function spreadOf(made: readonly Made[]) {
  if (made.length < MIN_CONVERSIONS) return null;
  const seconds = made.map(({ receipt }) => totalSeconds(receipt)).sort((a, b) => a - b);
  return {
    conversions: made.length,
    medianSeconds: rounded(quantile(seconds, 0.5)),
    p90Seconds: rounded(quantile(seconds, 0.9)),
  };
}

function sharesOf(made: readonly Made[]): Speed["shares"] {
  const sum = (of: (receipt: Receipt) => number) => made.reduce((total, { receipt }) => total + of(receipt), 0);
  const all = sum(totalSeconds);
  if (made.length < MIN_CONVERSIONS || all === 0) return null;
  const share = (of: (receipt: Receipt) => number) => percent(sum(of), all);
  return {
    wait: share(({ waitSeconds }) => waitSeconds),
    site: share(({ siteSeconds }) => siteSeconds),
    line: share(({ lineSeconds }) => lineSeconds),
    ours: share(({ ourSeconds }) => ourSeconds),
  };
}

function promiseOf(made: readonly Made[]): Speed["promise"] {
  const pairs = made.flatMap(({ receipt }) => {
    const real = totalSeconds(receipt);
    return receipt.promisedSeconds === undefined || real === 0 ? [] : [{ promised: receipt.promisedSeconds, real }];
  });
  if (pairs.length < MIN_CONVERSIONS) return null;
  const errors = pairs.map(({ promised, real }) => Math.abs(promised - real) / real).sort((a, b) => a - b);
  const kept = pairs.filter(({ promised, real }) => real <= promised * (1 + TOLERANCE)).length;
  return {
    conversions: pairs.length,
    medianErrorPercent: percent(quantile(errors, 0.5), 1),
    keptPercent: percent(kept, pairs.length),
  };
}

/** @param made newest first */
export function speedOf(made: readonly Made[]): Speed {
  const byDay = Object.groupBy(made, ({ completedAt }) => completedAt.toISOString().slice(0, 10));
  return {
    all: spreadOf(made),
    shares: sharesOf(made),
    promise: promiseOf(made),
    days: Object.entries(byDay).flatMap(([day, ofDay = []]) => {
      const spread = spreadOf(ofDay);
      return spread ? [{ day, ...spread }] : [];
    }),
  };
}

/**
 * @returns figures of the last days' conversions. Files that were there already have no receipt, and jobs that the video
 *   site made wait are left out: the home page announces such times, and nothing was promised for them.
 */
export async function measureSpeed({ jobs }: Pick<Domain, "jobs">, now: Date): Promise<Speed> {
  const since = new Date(now.getTime() - (now.getTime() % DAY_MS) - (SPEED_DAYS - 1) * DAY_MS);
  const made = await jobs
    .find(
      { status: "completed", completedAt: { $gte: since }, receipt: { $exists: true }, waitsSince: null },
      { completedAt: 1, receipt: 1 },
    )
    .sort({ completedAt: -1 })
    .limit(MAX_CONVERSIONS)
    .lean<Made[]>();
  return speedOf(made);
}

/** @returns a function that gives the same figures and measures them at most every ten minutes */
export function createSpeed(domain: Pick<Domain, "jobs">, now: () => number = Date.now): () => Promise<Speed> {
  return keepFor(KEPT_MS, () => measureSpeed(domain, new Date(now())), now);
}
