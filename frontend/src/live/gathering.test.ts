import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Job } from "../../../common/job.ts";
import { DRAW_INTERVAL_MS, createGathering } from "./gathering.ts";
import { makeJob } from "../testing/sample-jobs.ts";

const deliver = vi.fn<(jobs: readonly Job[]) => void>();
const told = () => deliver.mock.calls.map(([jobs]) => jobs.map(({ status, progress }) => `${status} ${progress}`));
const at = (progress: number) => makeJob({ status: "processing", progress });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  deliver.mockReset();
});

it("delivers the first push in a moment, and those that follow it closely together", () => {
  const pushes = createGathering(deliver);
  pushes.add(at(1));
  vi.advanceTimersByTime(20);
  expect(told()).toEqual([["processing 1"]]);
  pushes.add(at(2));
  vi.advanceTimersByTime(20);
  pushes.add(at(3));
  vi.advanceTimersByTime(DRAW_INTERVAL_MS);
  expect(told()).toEqual([["processing 1"], ["processing 2", "processing 3"]]);
});

it("lets a change of status overtake the wait, with what was waiting", () => {
  const pushes = createGathering(deliver);
  pushes.add(at(1));
  vi.advanceTimersByTime(20);
  pushes.add(at(2));
  pushes.add(makeJob({ status: "failed" }));
  vi.advanceTimersByTime(20);
  expect(told()).toEqual([["processing 1"], ["processing 2", "failed 0"]]);
  vi.advanceTimersByTime(DRAW_INTERVAL_MS);
  expect(deliver).toHaveBeenCalledTimes(2);
});

it("delivers nothing of what was dropped", () => {
  const pushes = createGathering(deliver);
  pushes.add(at(1));
  pushes.drop();
  vi.advanceTimersByTime(DRAW_INTERVAL_MS);
  pushes.add(at(2));
  vi.advanceTimersByTime(20);
  expect(told()).toEqual([["processing 2"]]);
});
