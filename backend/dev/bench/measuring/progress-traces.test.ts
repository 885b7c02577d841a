import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { percentile } from "../../measure/percentile.ts";
import { ProgressTraces, replay } from "./progress-traces.ts";

const traces = ProgressTraces.parse(
  JSON.parse(await readFile(join(import.meta.dirname, "progress-traces.json"), "utf8")),
);
const replayed = traces.map((trace) => ({ ...trace, pushes: replay(trace) }));
const errorsOf = (pushes: ReturnType<typeof replay>): number[] =>
  pushes.flatMap(({ error }) => (error === undefined ? [] : [error]));

/** In shorter conversions a tenth of a second makes a large relative error. */
const BRIEF_MS = 2_500;

it("has a p90 error of the time left under a fifth of the whole time in every conversion over 2.5 s", () => {
  const worst = replayed
    .filter(({ totalMs }) => totalMs >= BRIEF_MS)
    .map(({ name, pushes }) => ({ name, p90: percentile(errorsOf(pushes), 90) }));
  expect(worst.filter(({ p90 }) => p90 > 0.2)).toEqual([]);
  expect(
    percentile(
      replayed.flatMap(({ pushes }) => errorsOf(pushes)),
      90,
    ),
  ).toBeLessThan(0.1);
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
