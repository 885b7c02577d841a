import { afterEach, expect, it, vi } from "vitest";
import { onInterruption } from "./interruption.ts";

afterEach(() => vi.useRealTimers());

it("takes a signal that npm repeats for one, and a later one for the second", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const calls: string[] = [];
  const stop = onInterruption(
    () => calls.push("first"),
    () => calls.push("second"),
  );
  process.emit("SIGINT");
  vi.advanceTimersByTime(400);
  process.emit("SIGINT");
  expect(calls).toEqual(["first"]);
  vi.advanceTimersByTime(200);
  process.emit("SIGTERM");
  expect(calls).toEqual(["first", "second"]);
  stop();
});
