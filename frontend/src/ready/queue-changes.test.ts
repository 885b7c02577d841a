import { expect, it } from "vitest";
import { makeJob } from "../testing/sample-jobs.ts";
import { endedBetween } from "./queue-changes.ts";

const at = (status: string, id = "one", batchId?: string) => makeJob({ id, status, ...(batchId && { batchId }) });

it.each([
  ["completed", ["one"]],
  ["failed", ["one"]],
  ["canceled", []],
  ["processing", []],
])("for an active job that is %s now, reports %j", (status, ids) =>
  expect(endedBetween([at("processing")], [at(status)]).map(({ id }) => id)).toEqual(ids),
);

it("does not report a job whose retry was refused, and one whose retry has ended", () => {
  const retried = { ...at("queued"), attempt: 2 };
  expect(endedBetween([retried], [at("failed")])).toEqual([]);
  expect(endedBetween([retried], [{ ...at("failed"), attempt: 2 }])).toHaveLength(1);
});

it("does not report jobs that had ended before or were never active", () => {
  expect(endedBetween([at("completed")], [at("completed")])).toEqual([]);
  expect(endedBetween([], [at("completed")])).toEqual([]);
});

it("reports a batch once, when its last job has ended", () => {
  const before = [at("processing", "a", "b"), at("queued", "c", "b")];
  const half = [at("completed", "a", "b"), at("processing", "c", "b")];
  const whole = [at("completed", "a", "b"), at("failed", "c", "b")];
  expect(endedBetween(before, half)).toEqual([]);
  expect(endedBetween(half, whole)).toEqual([{ id: "b", jobs: whole }]);
});

it("reports no end of a batch while more of it is to be queued", () => {
  const job = { ...at("processing", "a", "b"), batchTotal: 2, batchPosition: 0 };
  expect(endedBetween([job], [{ ...at("completed", "a", "b"), batchTotal: 2, batchPosition: 0 }])).toEqual([]);
});
