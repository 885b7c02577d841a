import { expect, it } from "vitest";
import { makeJob } from "../../testing/sample-jobs.ts";
import { endedBetween } from "./ended.ts";

const at = (status: string, id = "one", batchId?: string) => makeJob({ id, status, ...(batchId && { batchId }) });

it.each([
  ["completed", ["one"]],
  ["failed", ["one"]],
  ["canceled", []],
  ["processing", []],
])("of a job that was at work and now is %s tells %j", (status, ids) =>
  expect(endedBetween([at("processing")], [at(status)]).map(({ id }) => id)).toEqual(ids),
);

it("does not tell of what had ended before or was never seen at work", () => {
  expect(endedBetween([at("completed")], [at("completed")])).toEqual([]);
  expect(endedBetween([], [at("completed")])).toEqual([]);
});

it("tells of a batch once, when the last of it has ended", () => {
  const before = [at("processing", "a", "b"), at("queued", "c", "b")];
  const half = [at("completed", "a", "b"), at("processing", "c", "b")];
  const whole = [at("completed", "a", "b"), at("failed", "c", "b")];
  expect(endedBetween(before, half)).toEqual([]);
  expect(endedBetween(half, whole)).toEqual([{ id: "b", batch: whole }]);
});
