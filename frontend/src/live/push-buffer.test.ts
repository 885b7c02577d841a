import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Job } from "../../../common/job.ts";
import { RENDER_INTERVAL_MS, PushBuffer } from "./push-buffer.ts";
import { makeJob } from "../testing/sample-jobs.ts";

const deliver = vi.fn<(jobs: readonly Job[]) => void>();
const delivered = () => deliver.mock.calls.map(([jobs]) => jobs.map(({ status, progress }) => `${status} ${progress}`));
const at = (progress: number) => makeJob({ status: "processing", progress });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  deliver.mockReset();
});

it("delivers the first push within a frame and later progress once per draw interval", () => {
  const pushes = new PushBuffer(deliver);
  pushes.add(at(1));
  vi.advanceTimersByTime(20);
  expect(delivered()).toEqual([["processing 1"]]);
  pushes.add(at(2));
  vi.advanceTimersByTime(20);
  pushes.add(at(3));
  vi.advanceTimersByTime(RENDER_INTERVAL_MS);
  expect(delivered()).toEqual([["processing 1"], ["processing 2", "processing 3"]]);
});

it("delivers a change of status within a frame, together with the buffered progress", () => {
  const pushes = new PushBuffer(deliver);
  pushes.add(at(1));
  vi.advanceTimersByTime(20);
  pushes.add(at(2));
  pushes.add(makeJob({ status: "failed" }));
  vi.advanceTimersByTime(20);
  expect(delivered()).toEqual([["processing 1"], ["processing 2", "failed 0"]]);
  vi.advanceTimersByTime(RENDER_INTERVAL_MS);
  expect(deliver).toHaveBeenCalledTimes(2);
});

it("does not deliver cleared pushes", () => {
  const pushes = new PushBuffer(deliver);
  pushes.add(at(1));
  pushes.clear();
  vi.advanceTimersByTime(RENDER_INTERVAL_MS);
  pushes.add(at(2));
  vi.advanceTimersByTime(20);
  expect(delivered()).toEqual([["processing 2"]]);
});
