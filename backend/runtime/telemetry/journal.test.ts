import { expect, it, vi } from "vitest";
import { TracedJournal } from "./journal.ts";
import { UNRECORDED } from "./tracing.ts";

it("names a stored job that cannot be read once, however often it is listed", () => {
  const log = { info: vi.fn<() => void>(), error: vi.fn<() => void>() };
  const journal = new TracedJournal(UNRECORDED, log);
  for (let list = 0; list < 3; list += 1) {
    journal.unreadable({ _id: "a", attempt: 1 }, "stage");
    journal.unreadable({ _id: "b", attempt: 2 }, "error");
  }
  expect(log.error.mock.calls).toEqual([
    [expect.objectContaining({ jobId: "a", attempt: 1, field: "stage" }), "a stored job lacks a field"],
    [expect.objectContaining({ jobId: "b", attempt: 2, field: "error" }), "a stored job lacks a field"],
  ]);
});
