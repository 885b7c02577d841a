/**
 * What a run of the bench leaves behind, as JSON. Times are in the unit their names say; lists hold one entry a round.
 */
import { z } from "zod";
import { median, percentile } from "../../measure/percentile.ts";
import { CASES } from "../cases/cases.ts";

export const Goal = z.object({
  /** What it is about, for a person. */
  what: z.string(),
  value: z.number(),
  atMost: z.number(),
  unit: z.enum(["×", "ms", "MB"]),
});
export type Goal = z.infer<typeof Goal>;

/** Of our product, beside the time. */
export const OurFigures = z.object({
  firstPushMs: z.array(z.number()),
  /** From the call to a worker having the job. */
  takenUpMs: z.array(z.number()),
  /** From the call to the first request for its page at the video site. */
  siteAskedMs: z.array(z.number()),
  /** From the last byte written to the finished file to `completed` at the client. */
  lastByteToCompletedMs: z.array(z.number()),
  longestSilenceMs: z.array(z.number()),
  /** One for each estimate that was pushed after the first tenth of a job. */
  etaErrors: z.array(z.number()),
  /** Bytes the site sent as a share of the chosen renditions' size. */
  fetchedShare: z.array(z.number()),
  ownCpuSeconds: z.array(z.number()),
  toolCpuSeconds: z.array(z.number()),
  peakOwnMegabytes: z.array(z.number()),
  peakToolMegabytes: z.array(z.number()),
  writtenMegabytes: z.array(z.number()),
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
  /** How many processes wanted a core when the case began: figures from a busy machine are worth little. */
  loadBefore: z.number(),
  seconds: z.array(z.number()),
  ours: OurFigures,
  ytDlp: RivalFigures.optional(),
  ffmpeg: RivalFigures.optional(),
  /** No machine of this kind on this wire can do it faster. */
  limitSeconds: z.number().optional(),
  /** What the chosen renditions take on the wire alone. */
  downloadSeconds: z.number().optional(),
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
  /** Of the site, to a reader that does nothing with what it reads. */
  plainFetchMegabytesPerSecond: z.number(),
  cases: z.array(CaseResult),
});
export type RunResult = z.infer<typeof RunResult>;

export const LoadResult = z.object({
  storedJobs: z.number(),
  sockets: z.number(),
  rows: z.array(z.object({ what: z.string(), aloneMs: z.array(z.number()), loadedMs: z.array(z.number()) })),
});
export type LoadResult = z.infer<typeof LoadResult>;

/** With the day, and the database that it was measured with. */
export const KeptLoad = LoadResult.extend({ date: z.iso.datetime(), database: z.string() });
export type KeptLoad = z.infer<typeof KeptLoad>;

export const Kept = z.object({ full: RunResult.optional(), quick: RunResult.optional(), load: KeptLoad.optional() });
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
  };
}

/** A result without a figure yet, of a case that begins now. */
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
    goals: [],
  };
}

/** What was measured now, and of what was not what was kept, in the order of `names`. Pure. */
export function withKept(now: RunResult, kept: RunResult | undefined, names: readonly string[]): RunResult {
  const all = [...now.cases, ...(kept?.cases ?? [])];
  return { ...now, cases: names.flatMap((name) => all.find((result) => result.name === name) ?? []) };
}

/** Our median over theirs; less is better. Absent where there is nothing to hold it against. Pure. */
export function ratiosOf(result: CaseResult): { ytDlp?: number; ffmpeg?: number; limit?: number; download?: number } {
  const ours = median(result.seconds);
  return {
    ...(result.ytDlp ? { ytDlp: ours / median(result.ytDlp.seconds) } : {}),
    ...(result.ffmpeg ? { ffmpeg: ours / median(result.ffmpeg.seconds) } : {}),
    ...(result.limitSeconds === undefined ? {} : { limit: ours / result.limitSeconds }),
    ...(result.downloadSeconds === undefined ? {} : { download: ours / result.downloadSeconds }),
  };
}

const FIRST_WORD_MS = 30;
const LAST_WORD_MS = 150;
const SILENCE_MS = 500;
const FETCHED_SHARE = 1.02;
const ETA_ERROR = 0.2;

/** In these, jobs wait for a place and for the cores. */
const CROWDED: ReadonlySet<string> = new Set(
  CASES.filter(({ kind }) => kind !== "convert" && kind !== "repeat").map(({ name }) => name),
);

/**
 * What holds for conversions of all kinds, over all that were measured one at a time; of those with others beside them
 * what can hold there too. Pure.
 */
export function commonGoals(cases: readonly CaseResult[]): Goal[] {
  const over =
    (some: readonly CaseResult[]) =>
    (pick: (ours: OurFigures) => readonly number[]): number[] =>
      some.flatMap(({ ours }) => pick(ours));
  const all = over(cases.filter(({ name }) => !CROWDED.has(name)));
  const crowd = over(cases.filter(({ name }) => CROWDED.has(name)));
  const lastWord = (figures: typeof all): number =>
    percentile(
      figures(({ lastByteToCompletedMs }) => lastByteToCompletedMs),
      99,
    );
  const silence = (figures: typeof all): number => Math.max(...figures(({ longestSilenceMs }) => longestSilenceMs));
  const goals: Goal[] = [
    {
      what: "call to first pushed word, p99",
      value: percentile(
        all(({ firstPushMs }) => firstPushMs),
        99,
      ),
      atMost: FIRST_WORD_MS,
      unit: "ms",
    },
    {
      what: "call to a worker having the job, p99",
      value: percentile(
        all(({ takenUpMs }) => takenUpMs),
        99,
      ),
      atMost: FIRST_WORD_MS,
      unit: "ms",
    },
    { what: "last byte of the file to `completed`, p99", value: lastWord(all), atMost: LAST_WORD_MS, unit: "ms" },
    { what: "the same with many at a time", value: lastWord(crowd), atMost: LAST_WORD_MS, unit: "ms" },
    { what: "longest silence while at work", value: silence(all), atMost: SILENCE_MS, unit: "ms" },
    { what: "the same with many at a time", value: silence(crowd), atMost: SILENCE_MS, unit: "ms" },
    {
      what: "bytes fetched against the chosen renditions, most",
      value: Math.max(...all(({ fetchedShare }) => fetchedShare)),
      atMost: FETCHED_SHARE,
      unit: "×",
    },
    {
      what: "error of the time left after the first tenth, p90",
      value: percentile(
        all(({ etaErrors }) => etaErrors),
        90,
      ),
      atMost: ETA_ERROR,
      unit: "×",
    },
  ];
  return goals.filter(({ value }) => Number.isFinite(value));
}
