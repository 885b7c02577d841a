import { expect, it } from "vitest";
import { LearnedPaces } from "./learned-paces.ts";
import { ProgressReporter, type ConvertProgress } from "./progress-reporter.ts";

it("averages real time divided by planned time for each kind of work, starting at 1", () => {
  const paces = new LearnedPaces();
  expect(paces.factorOf("mp3")).toBe(1);
  paces.learn("mp3", 10, 40);
  expect(paces.factorOf("mp3")).toBe(4);
  paces.learn("mp3", 10, 20);
  expect(paces.factorOf("mp3")).toBe(3);
  expect(paces.factorOf("encode")).toBe(1);
});

it("ignores work that was planned to take less than 0.3 s", () => {
  const paces = new LearnedPaces();
  paces.learn("copy", 0.1, 5);
  expect(paces.factorOf("copy")).toBe(1);
});

it("estimates the time left of a conversion from the encode time of the conversion before", () => {
  const paces = new LearnedPaces();
  let nowMs = 0;
  let last: ConvertProgress | undefined;
  const reporter = (): ProgressReporter =>
    new ProgressReporter({
      planned: { download: 1, convert: 10, store: 0.1 },
      work: "encode",
      paces,
      listen: (progress) => (last = progress),
      nowMs: () => nowMs,
    });
  const first = reporter();
  first.report("convert", 0);
  nowMs = 20_000;
  first.report("store", 0);
  const second = reporter();
  second.report("download", 0);
  nowMs += 1_000;
  second.report("download", 0.5);
  expect(last).toMatchObject({ etaSeconds: 21.1 });
});
