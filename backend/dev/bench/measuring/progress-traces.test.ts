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

/** Of a shorter one, a tenth of a second more or less is all the difference. */
const BRIEF_MS = 2_500;

it("foretells the end within a fifth of the whole time, nine times of ten, in every conversion that is long enough to wait for", () => {
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

it("tells the time left in most of what is pushed, so that it is not right by saying nothing", () => {
  const silent = replayed
    .filter(({ totalMs }) => totalMs >= BRIEF_MS)
    .filter(
      ({ pushes }) => pushes.filter(({ progress }) => progress.etaSeconds !== undefined).length < pushes.length * 0.6,
    );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it.each(replayed)(
  "never moves the bar backwards, nor more than a fifth of the whole ahead of the time that has passed: $name",
  ({ totalMs, pushes }) => {
    const percents = pushes.map(({ progress }) => progress.percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    const ahead = Math.max(...pushes.map(({ atMs, progress }) => progress.percent / 100 - atMs / totalMs));
    expect(ahead).toBeLessThan(totalMs < BRIEF_MS ? 0.35 : 0.2);
  },
);
