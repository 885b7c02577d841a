import { describe, expect, it } from "vitest";
import type { Part } from "../../../common/choices.ts";
import { cutsIn, extentOf, secondsOfCuts } from "./cuts.ts";

const span = (startSeconds: number, endSeconds: number): Part => ({ startSeconds, endSeconds });

it("has the length of all cuts to the millisecond", () => {
  expect(secondsOfCuts([span(0.1, 0.3), span(1.1, 1.4)])).toBe(0.5);
  expect(secondsOfCuts([])).toBe(0);
});

describe("cuts of a part", () => {
  it.each<[string, Part[], Part[]]>([
    ["are within it", [span(1, 2), span(12, 13), span(30, 31)], [span(12, 13)]],
    ["begin and end with it", [span(5, 12), span(18, 25)], [span(10, 12), span(18, 20)]],
    ["leave a second at least", [span(10, 19)], [span(10, 19)]],
    ["are none where less would be left", [span(10, 19.001)], []],
  ])("%s", (_, spans, expected) => {
    expect(cutsIn(spans, span(10, 20))).toEqual(expected);
  });
});

describe("what a result has of its sources", () => {
  it("is all of them without spans", () => {
    expect(extentOf(undefined, 60)).toEqual({ durationSeconds: 60 });
    expect(extentOf(span(5, 10), 60)).toEqual({ durationSeconds: 5, part: span(5, 10) });
  });

  it("is the rest beside the spans", () => {
    const cuts = [span(10, 20.5)];
    expect(extentOf(undefined, 60, cuts)).toEqual({ durationSeconds: 49.5, part: span(0, 60), cuts });
    expect(extentOf(span(15, 25), 60, cuts)).toEqual({
      durationSeconds: 4.5,
      part: span(15, 25),
      cuts: [span(15, 20.5)],
    });
  });

  it("has no moment after a span that ends with the video, whose site rounds its length", () => {
    expect(extentOf(undefined, 60.4, [span(50, 60)]).cuts).toEqual([span(50, 60.4)]);
    expect(extentOf(undefined, 60.4, [span(50, 59)]).cuts).toEqual([span(50, 59)]);
  });
});
