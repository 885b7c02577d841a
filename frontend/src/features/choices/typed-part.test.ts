import { expect, it } from "vitest";
import { readTyped, type TypedTimes } from "./typed-part.ts";

const WHOLE = { startSeconds: 10, endSeconds: 300 };
const PART = { startSeconds: 20, endSeconds: 60 };

it.each<[name: string, typed: TypedTimes, startSeconds: number, endSeconds: number]>([
  ["the part itself where nothing is typed", {}, 20, 60],
  ["one time beside the other of the part", { endSeconds: "1:30" }, 20, 90],
  ["two times that only fit together", { startSeconds: "2:00", endSeconds: "3:00" }, 120, 180],
  ["the start of the whole for an earlier one", { startSeconds: "5" }, 10, 60],
  ["the shortest part", { startSeconds: "59" }, 59, 60],
  ["the end of the whole", { endSeconds: "5:00" }, 20, 300],
])("is %s", (_, typed, startSeconds, endSeconds) => {
  expect(readTyped(typed, PART, WHOLE)).toEqual({ startSeconds, endSeconds });
});

it.each<[typed: TypedTimes, is: string, sides: readonly string[]]>([
  [{ startSeconds: "soon" }, "time", ["startSeconds"]],
  [{ startSeconds: "0:30", endSeconds: "" }, "time", ["endSeconds"]],
  [{ startSeconds: "9:00", endSeconds: "late" }, "time", ["endSeconds"]],
  [{ startSeconds: "soon", endSeconds: "late" }, "time", ["startSeconds", "endSeconds"]],
  [{ endSeconds: "5:00.001" }, "beyond", ["endSeconds"]],
  [{ startSeconds: "6:00", endSeconds: "7:00" }, "beyond", ["startSeconds", "endSeconds"]],
  [{ startSeconds: "59.001" }, "order", ["startSeconds"]],
  [{ endSeconds: "5" }, "order", ["endSeconds"]],
  [{ startSeconds: "2:00", endSeconds: "1:00" }, "order", ["startSeconds", "endSeconds"]],
])("finds in %j that it is wrong: %s", (typed, is, sides) => {
  expect(readTyped(typed, PART, WHOLE)).toEqual({ is, sides });
});
