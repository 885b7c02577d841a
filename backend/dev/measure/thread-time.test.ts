import { expect, it } from "vitest";
import { threadTimeOf } from "./thread-time.ts";

const task = (tdur: number, tid = 1) => ({ name: "RunTask", pid: 1, tid, tdur });
const paint = { name: "firstContentfulPaint", pid: 1, tid: 1 };

it("counts tasks of the page's thread, and of long ones what is over 50 ms on a phone", () => {
  const events = [task(12_500), paint, task(15_000), task(90_000, 2)];
  expect(threadTimeOf(events)).toEqual({ workMs: 27.5, blockedMs: 10 });
});

it("measures no page without a paint", () => {
  expect(() => threadTimeOf([task(1)])).toThrow("no first paint");
});
