/** The figures of the guard, the bounds that they must keep, and the comparison with the kept ones. */
import { z } from "zod";
import { median } from "../../measure/percentile.ts";
import { Machine } from "../report/results.ts";

/** How far a figure may be above the kept one. */
const BOUNDS = {
  /** CPU time of encoders divided by that of ffmpeg with the same encoder: the steadiest of all. */
  "encoder CPU ÷": { times: 1.08, plus: 0 },
  /** CPU time divided by that of a rival in the same run. */
  "CPU ÷": { times: 1.1, plus: 0 },
  /** The same of a process that also compiles and collects garbage, which varies more. */
  "own CPU ÷": { times: 1.25, plus: 0 },
  /** Time on two free cores divided by CPU time of a rival in the same run. */
  "time ÷": { times: 1.12, plus: 0 },
  /** Milliseconds in which nothing ran. */
  "quiet ms": { times: 1, plus: 60 },
  count: { times: 1, plus: 0 },
  /** Written to disk. */
  megabytes: { times: 1.03, plus: 0 },
} as const;

const UNITS = [
  "encoder CPU ÷",
  "CPU ÷",
  "own CPU ÷",
  "time ÷",
  "quiet ms",
  "count",
  "megabytes",
] as const satisfies (keyof typeof BOUNDS)[];

export const GuardFigure = z.object({ name: z.string(), unit: z.enum(UNITS), value: z.number() });
export type GuardFigure = z.infer<typeof GuardFigure>;

export const KeptFigures = z.object({
  machine: Machine,
  measuredAt: z.iso.datetime(),
  figures: z.array(GuardFigure),
});
export type KeptFigures = z.infer<typeof KeptFigures>;

/**
 * Compares with a rival that ran beside it in each round. What other programs do can only add, so the least of each are
 * divided. But on a host with neighbours the processor itself is slower for minutes, and only one of both may have met
 * its fastest moment; the ratios within the rounds compare the same moments, and their middle counts where it is less.
 * @param own one or more values for each of the rival's, in the same order
 */
export function ratioOf(own: readonly number[], rival: readonly number[]): number {
  const ofRounds = own.map((value, index) => {
    const round = Math.floor((index * rival.length) / own.length);
    return value / (rival[round] ?? Number.NaN);
  });
  return Math.min(Math.min(...own) / Math.min(...rival), median(ofRounds));
}

/** @param runs figures of the same names in the same order */
export function middleOf(runs: readonly (readonly GuardFigure[])[]): GuardFigure[] {
  return (runs[0] ?? []).map((figure, index) => ({
    ...figure,
    value: median(runs.map((run) => run[index]?.value ?? Number.NaN)),
  }));
}

export interface Compared extends GuardFigure {
  readonly kept: number;
  readonly atMost: number;
}

/** @returns the figures with their bounds; those that only one side has are an error of the kept file */
export function compare(kept: readonly GuardFigure[], now: readonly GuardFigure[]): Compared[] {
  const names = (figures: readonly GuardFigure[]): string =>
    figures
      .map(({ name, unit }) => `${name} ${unit}`)
      .sort()
      .join(", ");
  if (names(kept) !== names(now))
    throw new Error(`the kept figures are of other measures (${names(kept)}): keep them again with --keep`);
  return now.map((figure) => {
    const before = kept.find(({ name, unit }) => name === figure.name && unit === figure.unit)?.value ?? Number.NaN;
    const { times, plus } = BOUNDS[figure.unit];
    return { ...figure, kept: before, atMost: before * times + plus };
  });
}

export function isBroken({ value, atMost }: Compared): boolean {
  // Also for a figure that is no number.
  return !(value <= atMost);
}

/** Whether figures kept on one machine say anything about another: the numbers of encoders and of requests follow the cores. */
export function isSameKind(one: Machine, other: Machine): boolean {
  return one.cores === other.cores && one.model === other.model && one.ffmpeg === other.ffmpeg;
}
