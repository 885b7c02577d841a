/** The result of a run of the bench as JSON. Lists have one entry for each round. */
import { z } from "zod";
import { median, percentile } from "../../measure/percentile.ts";
import { CASES } from "../cases/cases.ts";

export const Goal = z.object({
  /** Name of the figure, for the tables. */
  what: z.string(),
  value: z.number(),
  atMost: z.number(),
  unit: z.enum(["×", "ms", "s", "MB"]),
});
export type Goal = z.infer<typeof Goal>;

/** Figures of the product besides its time. */
export const OurFigures = z.object({
  firstPushMs: z.array(z.number()),
  /** From the call until a worker has started the job. */
  takenUpMs: z.array(z.number()),
  /** From the call to the first request for its page at the video site. */
  siteAskedMs: z.array(z.number()),
  /** From the last byte written to the finished file to `completed` at the client. */
  lastByteToCompletedMs: z.array(z.number()),
  longestSilenceMs: z.array(z.number()),
  /** One entry for each estimate that was pushed after the first tenth of a job. */
  etaErrors: z.array(z.number()),
  /** Bytes that the site sent, divided by the size of the chosen renditions. */
  fetchedShare: z.array(z.number()),
  ownCpuSeconds: z.array(z.number()),
  toolCpuSeconds: z.array(z.number()),
  peakOwnMegabytes: z.array(z.number()),
  peakToolMegabytes: z.array(z.number()),
  writtenMegabytes: z.array(z.number()),
  /** CPU seconds of all conversions of a round, by who used them. */
  cpuSecondsBy: z.record(z.string(), z.array(z.number())).default({}),
});
export type OurFigures = z.infer<typeof OurFigures>;

const RivalFigures = z.object({
  seconds: z.array(z.number()),
  cpuSeconds: z.array(z.number()),
  peakMegabytes: z.array(z.number()),
  writtenMegabytes: z.array(z.number()),
});
export type RivalFigures = z.infer<typeof RivalFigures>;

export const CaseResult = z.object({
  name: z.string(),
  about: z.string(),
  wire: z.string(),
  measuredAt: z.iso.datetime(),
  /** Load average when the case began; figures from a busy machine are worth little. */
  loadBefore: z.number(),
  seconds: z.array(z.number()),
  ours: OurFigures,
  ytDlp: RivalFigures.optional(),
  ffmpeg: RivalFigures.optional(),
  /** Shortest time that this machine and wire allow. */
  limitSeconds: z.number().optional(),
  /** Time that the chosen renditions take on the wire. */
  downloadSeconds: z.number().optional(),
  /** Of our time, what each step took; the steps follow one another. */
  stepSeconds: z.record(z.string(), z.array(z.number())).default({}),
  goals: z.array(Goal),
});
export type CaseResult = z.infer<typeof CaseResult>;

export const Machine = z.object({
  cores: z.number(),
  model: z.string(),
  memoryGigabytes: z.number(),
  system: z.string(),
  node: z.string(),
  ffmpeg: z.string(),
  ytDlp: z.string(),
});
export type Machine = z.infer<typeof Machine>;

export const RunResult = z.object({
  machine: Machine,
  /** Speed of the site to a reader that discards the data. */
  plainFetchMegabytesPerSecond: z.number(),
  cases: z.array(CaseResult),
});
export type RunResult = z.infer<typeof RunResult>;

export const Kept = z.object({ full: RunResult.optional(), quick: RunResult.optional() });
export type Kept = z.infer<typeof Kept>;

export function noFigures(): OurFigures {
  return {
    firstPushMs: [],
    takenUpMs: [],
    siteAskedMs: [],
    lastByteToCompletedMs: [],
    longestSilenceMs: [],
    etaErrors: [],
    fetchedShare: [],
    ownCpuSeconds: [],
    toolCpuSeconds: [],
    peakOwnMegabytes: [],
    peakToolMegabytes: [],
    writtenMegabytes: [],
    cpuSecondsBy: {},
  };
}

/** @returns a result without figures, for a case that begins now */
export function emptyResult(
  { name, about, wire = "unlimited" }: { readonly name: string; readonly about: string; readonly wire?: string },
  loadBefore: number,
): CaseResult {
  return {
    name,
    about,
    wire,
    measuredAt: new Date().toISOString(),
    loadBefore,
    seconds: [],
    ours: noFigures(),
    stepSeconds: {},
    goals: [],
  };
}

/** Adds the values of a round to lists by name. */
export function addRound(lists: Record<string, number[]>, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values)) (lists[name] ??= []).push(value);
}

/** @returns CPU seconds of all processes in a round, the site's included; the median */
export function allCpuSeconds({ cpuSecondsBy }: OurFigures): number {
  return Object.values(cpuSecondsBy).reduce((sum, seconds) => sum + median(seconds), 0);
}

/** @returns results measured now, and kept results of all other cases, in the order of `names` */
export function withKept(now: RunResult, kept: RunResult | undefined, names: readonly string[]): RunResult {
  const all = [...now.cases, ...(kept?.cases ?? [])];
  return { ...now, cases: names.flatMap((name) => all.find((result) => result.name === name) ?? []) };
}

/** @returns our median divided by those of the rivals and limits; less is better; undefined where not measured */
export function ratiosOf(result: CaseResult): { ytDlp?: number; ffmpeg?: number; limit?: number; download?: number } {
  const ours = median(result.seconds);
  const dividedBy = (seconds: number | undefined): number | undefined =>
    seconds === undefined ? undefined : ours / seconds;
  return {
    ytDlp: dividedBy(result.ytDlp && median(result.ytDlp.seconds)),
    ffmpeg: dividedBy(result.ffmpeg && median(result.ffmpeg.seconds)),
    limit: dividedBy(result.limitSeconds),
    download: dividedBy(result.downloadSeconds),
  };
}

const FIRST_PUSH_MS = 30;
const COMPLETED_PUSH_MS = 150;
const PUSH_GAP_MS = 500;
const CROWDED_PUSH_GAP_MS = 300;
const FETCHED_SHARE = 1.02;
const ETA_ERROR = 0.2;

const ALONE: ReadonlySet<string> = new Set(["convert", "repeat", "youtube"]);
/** Cases in which jobs wait for a worker slot and for cores. */
const CROWDED: ReadonlySet<string> = new Set(CASES.filter(({ kind }) => !ALONE.has(kind)).map(({ name }) => name));

/** @returns goals over all cases with single conversions, and those that also apply to crowded cases */
export function commonGoals(cases: readonly CaseResult[]): Goal[] {
  const alone = cases.filter(({ name }) => !CROWDED.has(name)).map(({ ours }) => ours);
  const crowded = cases.filter(({ name }) => CROWDED.has(name)).map(({ ours }) => ours);
  const p99 = (values: readonly number[]): number => percentile(values, 99);
  const completedPushMs = (figures: readonly OurFigures[]): number =>
    p99(figures.flatMap(({ lastByteToCompletedMs }) => lastByteToCompletedMs));
  const pushGapMs = (figures: readonly OurFigures[]): number =>
    Math.max(...figures.flatMap(({ longestSilenceMs }) => longestSilenceMs));
  const firstPushMs = p99(alone.flatMap((ours) => ours.firstPushMs));
  const takenUpMs = p99(alone.flatMap((ours) => ours.takenUpMs));
  const fetchedShare = Math.max(...alone.flatMap((ours) => ours.fetchedShare));
  const etaError = percentile(
    alone.flatMap(({ etaErrors }) => etaErrors),
    90,
  );
  const ms = (what: string, value: number, atMost: number): Goal => ({ what, value, atMost, unit: "ms" });
  const times = (what: string, value: number, atMost: number): Goal => ({ what, value, atMost, unit: "×" });
  const goals = [
    ms("call to first push, p99", firstPushMs, FIRST_PUSH_MS),
    ms("call to start by a worker, p99", takenUpMs, FIRST_PUSH_MS),
    ms("last byte of the file to `completed`, p99", completedPushMs(alone), COMPLETED_PUSH_MS),
    ms("the same with many at a time", completedPushMs(crowded), COMPLETED_PUSH_MS),
    ms("longest gap between pushes", pushGapMs(alone), PUSH_GAP_MS),
    ms("the same with many at a time", pushGapMs(crowded), CROWDED_PUSH_GAP_MS),
    times("bytes fetched against the chosen renditions, most", fetchedShare, FETCHED_SHARE),
    times("error of the time left after the first tenth, p90", etaError, ETA_ERROR),
  ];
  return goals.filter(({ value }) => Number.isFinite(value));
}

/** @returns JSON with a line for each case; of the errors of estimates, which are many, six digits */
export function keptText(kept: Kept): string {
  const inShort = (key: string, value: unknown): unknown =>
    key === "etaErrors"
      ? z
          .array(z.number())
          .parse(value)
          .map((error) => Number(error.toPrecision(6)))
      : value;
  return `${JSON.stringify(kept, inShort).replaceAll('{"name":', '\n{"name":')}\n`;
}
