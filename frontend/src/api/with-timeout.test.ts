import { once } from "node:events";
import { expect, it } from "vitest";
import { withTimeout } from "./with-timeout.ts";

const LATER_MS = 600_000;

it("aborts with the signal, for its reason", () => {
  const controller = new AbortController();
  const signal = withTimeout(controller.signal, LATER_MS);
  expect(signal.aborted).toBe(false);
  controller.abort("enough");
  expect([signal.aborted, signal.reason]).toEqual([true, "enough"]);
});

it("is aborted when the signal has been before", () =>
  expect(withTimeout(AbortSignal.abort("enough"), LATER_MS).reason).toBe("enough"));

it("aborts after the time with a TimeoutError", async () => {
  const signal = withTimeout(new AbortController().signal, 1);
  if (!signal.aborted) await once(signal, "abort");
  expect(signal.reason).toMatchObject({ name: "TimeoutError" });
});
