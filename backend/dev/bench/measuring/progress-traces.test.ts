import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { percentile } from "../../measure/percentile.ts";
import { ProgressTraces, replay, type ProgressTrace } from "./progress-traces.ts";

const traces = ProgressTraces.parse(
  JSON.parse(await readFile(join(import.meta.dirname, "progress-traces.json"), "utf8")),
);
const replayed = traces.map((trace) => ({ ...trace, pushes: replay(trace) }));
const errorsOf = (pushes: ReturnType<typeof replay>): number[] =>
  pushes.flatMap(({ error }) => (error === undefined ? [] : [error]));

/** In shorter conversions a tenth of a second makes a large relative error. */
const BRIEF_MS = 2_500;

/** The first range comes over one connection, and nobody knows then whether several will bring more. */
const isSlowServer = ({ name }: { readonly name: string }): boolean => name.endsWith("slow server");

it("has a p90 error of the time left under a fifth of the whole time in every conversion over 2.5 s", () => {
  const usual = replayed.filter((trace) => !isSlowServer(trace));
  const worst = usual
    .filter(({ totalMs }) => totalMs >= BRIEF_MS)
    .map(({ name, pushes }) => ({ name, p90: percentile(errorsOf(pushes), 90) }));
  expect(worst.filter(({ p90 }) => p90 > 0.2)).toEqual([]);
  expect(
    percentile(
      usual.flatMap(({ pushes }) => errorsOf(pushes)),
      90,
    ),
  ).toBeLessThan(0.1);
});

it("has an error under a third from a server that sends slowly, and hardly any in the second half", () => {
  for (const { pushes, totalMs } of replayed.filter(isSlowServer)) {
    expect(percentile(errorsOf(pushes), 90)).toBeLessThan(0.33);
    expect(percentile(errorsOf(pushes.filter(({ atMs }) => atMs > totalMs / 2)), 90)).toBeLessThan(0.15);
  }
});

const STEP_MS = 100;

/**
 * A download of 30 s with its MP3 encode behind it.
 * @param fetchedAt how much has come after a fraction of the time, 0 to 1
 */
function downloadOf30s(name: string, fetchedAt: (time: number) => number): ProgressTrace {
  const endMs = 30_000;
  const fetching = Array.from({ length: endMs / STEP_MS }, (_, index) => {
    const atMs = (index + 1) * STEP_MS;
    const fetched = fetchedAt(atMs / endMs);
    return { atMs, stage: "both" as const, fetched, fraction: fetched * 0.97 };
  });
  const planned = { download: 5, convert: 3, store: 0.05 };
  const steps: ProgressTrace["steps"] = [
    { atMs: 0, stage: "expect", work: "mp3", seconds: planned.convert, fraction: 0 },
    ...fetching,
    { atMs: endMs + STEP_MS, stage: "both", fetched: 1, fraction: 1 },
    { atMs: endMs + STEP_MS, stage: "store", fraction: 0 },
  ];
  return { name, planned, totalMs: endMs + STEP_MS + planned.store * 1_000, steps };
}

it.each([
  // Before it slows down, nobody knows that it will: the error is a third of the whole time then.
  {
    name: "slows to half its pace in mid-way",
    fetchedAt: (time: number) => (time < 1 / 3 ? 1.5 * time : 0.25 + 0.75 * time),
  },
  { name: "sends slowly all the time", fetchedAt: (time: number) => time },
])("has an error under 15 % in half of all pushes and under 35 % in nine of ten: a source that $name", (source) => {
  const errors = errorsOf(replay(downloadOf30s(source.name, source.fetchedAt)));
  expect(percentile(errors, 50)).toBeLessThan(0.15);
  expect(percentile(errors, 90)).toBeLessThan(0.35);
});

/** @returns for how long the bar has stood at most, once bytes have come */
function longestStopMs(pushes: ReturnType<typeof replay>): number {
  const moves = pushes.filter(({ progress }, index) => progress.percent !== pushes[index - 1]?.progress.percent);
  const waits = moves.slice(1).map(({ atMs }, index) => (moves[index + 2]?.atMs ?? pushes.at(-1)?.atMs ?? atMs) - atMs);
  return Math.max(...waits);
}

/** @returns how often the time left has grown by more than two seconds */
function timesGrown(pushes: ReturnType<typeof replay>): number {
  const left = pushes.flatMap(({ progress: { etaSeconds } }) => (etaSeconds === undefined ? [] : [etaSeconds]));
  return left.filter((seconds, index) => seconds - (left[index - 1] ?? seconds) > 2).length;
}

it("never stops the bar for more than 1.5 s in a conversion of up to a minute, once bytes have come", () => {
  const stops = replayed.map(({ name, pushes }) => ({ name, ms: longestStopMs(pushes) }));
  expect(stops.filter(({ ms }) => ms > 1_500)).toEqual([]);
});

it.each([10, 20, 30, 40, 50, 60])(
  "never stops the bar for more than 1.5 s when each twentieth comes in one burst, in %i s",
  (seconds) => {
    const planned = { download: 5, convert: 3, store: 0.05 };
    const bursts = Array.from({ length: 20 }, (_, index) => (index + 1) / 20);
    const totalMs = seconds * 1_000;
    const steps: ProgressTrace["steps"] = [
      { atMs: 0, stage: "expect", work: "mp3", seconds: planned.convert, fraction: 0 },
      { atMs: 0, stage: "both", fetched: 0, fraction: 0 },
      ...bursts.map((done) => ({ atMs: done * totalMs, stage: "both" as const, fetched: done, fraction: done * 0.97 })),
    ];
    const pushes = replay({ name: "bursts", planned, totalMs, steps });
    expect(longestStopMs(pushes)).toBeLessThanOrEqual(1_500);
    expect(timesGrown(pushes)).toBeLessThanOrEqual(1);
    const percents = pushes.map(({ progress }) => progress.percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(Math.max(...pushes.map(({ atMs, progress }) => progress.percent / 100 - atMs / totalMs))).toBeLessThan(0.1);
  },
);

it("lets the time left grow by more than two seconds once at most, when the pace of an encode shows", () => {
  const grown = replayed.map(({ name, pushes }) => ({ name, times: timesGrown(pushes) }));
  expect(grown.filter(({ times }) => times > 0)).toEqual([{ name: "mp3 long-progressive pro", times: 1 }]);
});

it("has a time left in most pushes", () => {
  const withoutEstimates = replayed
    .filter(({ totalMs }) => totalMs >= BRIEF_MS)
    .filter(
      ({ pushes }) => pushes.filter(({ progress }) => progress.etaSeconds !== undefined).length < pushes.length * 0.6,
    );
  expect(withoutEstimates.map(({ name }) => name)).toEqual([]);
});

it.each(replayed)(
  "never moves progress backwards, nor more than a fifth ahead of the elapsed time: $name",
  ({ totalMs, pushes }) => {
    const percents = pushes.map(({ progress }) => progress.percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const ahead = Math.max(...pushes.map(({ atMs, progress }) => progress.percent / 100 - atMs / totalMs));
    expect(ahead).toBeLessThan(totalMs < BRIEF_MS ? 0.35 : 0.2);
  },
);
