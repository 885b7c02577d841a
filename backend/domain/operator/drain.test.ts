import { afterEach, expect, it, vi } from "vitest";
import type { ProcessReport } from "../../../common/operator.ts";
import { createInProcessBus } from "../bus.ts";
import { orderDrain, watchDrain } from "./drain.ts";

afterEach(() => vi.useRealTimers());

const REPORT: ProcessReport = {
  id: "worker-1:42:a",
  name: "worker-1:42",
  role: "worker",
  startedAt: new Date(0).toISOString(),
  sockets: null,
  conversions: 0,
  workerState: "working",
  isRedisUp: null,
  extractor: null,
  exits: [],
  freeDiskBytes: null,
};

it("resolves once that worker has said that it obeys", async () => {
  const bus = createInProcessBus();
  const applied: boolean[] = [];
  watchDrain(bus, REPORT.id, (isDrained) => applied.push(isDrained));
  watchDrain(bus, "worker-2:42:b", () => expect.unreachable("the order was for another worker"));
  bus.subscribe("operator:asked", () => {
    // An answer to an earlier question, one of another worker, and one of a process of an older version.
    bus.publish("operator:report", REPORT);
    bus.publish("operator:report", { ...REPORT, id: "worker-2:42:b", workerState: "drained" });
    bus.publish("operator:report", { ...REPORT, workerState: undefined });
    setImmediate(() => {
      hasAnswered = true;
      bus.publish("operator:report", { ...REPORT, workerState: "draining" });
    });
  });
  let hasAnswered = false;
  await orderDrain({ bus }, REPORT.id, true);
  expect([hasAnswered, applied]).toEqual([true, [true]]);
});

it("rejects when no worker answers in time", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const bus = createInProcessBus();
  bus.subscribe("operator:asked", () => bus.publish("operator:report", { ...REPORT, workerState: null }));
  await Promise.all([
    expect(orderDrain({ bus }, REPORT.id, true)).rejects.toMatchObject({ code: "not_found" }),
    vi.advanceTimersByTimeAsync(10_000),
  ]);
});
