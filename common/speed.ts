/** GET /api/speed: how long conversions took lately, and where the time went. From the receipts of jobs. */
import { z } from "zod";
import type { Receipt } from "./receipt.ts";

/** How many days are looked at, today among them. */
export const SPEED_DAYS = 7;

const Spread = z.object({
  conversions: z.number().int().positive(),
  /** Half of them took no longer. */
  medianSeconds: z.number().min(0),
  /** Nine in ten took no longer. */
  p90Seconds: z.number().min(0),
});

export const Speed = z.object({
  /** Null while there are too few conversions. */
  all: Spread.nullable(),
  /** Whole percent of all their time, by what it went to; see `Receipt`. They add up to 100, but for rounding. */
  shares: z.object({ wait: z.number(), site: z.number(), line: z.number(), ours: z.number() }).nullable(),
  /** The first estimate beside the real time; null while too few jobs had an estimate. */
  promise: z
    .object({
      conversions: z.number().int().positive(),
      /** Whole percent of the real time: half of the estimates were no further off. */
      medianErrorPercent: z.number().min(0),
      /** Whole percent of the jobs that took no longer than promised, or up to a tenth longer. */
      keptPercent: z.number().min(0).max(100),
    })
    .nullable(),
  /** Newest first; in UTC. Days with too few conversions are left out. */
  days: z.array(Spread.extend({ day: z.iso.date() })),
});
export type Speed = z.infer<typeof Speed>;

/** @returns the time from the request to the file, in seconds */
export function totalSeconds({ waitSeconds, siteSeconds, lineSeconds, ourSeconds }: Receipt): number {
  return waitSeconds + siteSeconds + lineSeconds + ourSeconds;
}
