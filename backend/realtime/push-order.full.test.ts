/** What real sockets receive while many jobs run and their owners cancel, retry, remove and come back. */
import { Server, type BroadcastOperator, type DefaultEventsMap } from "socket.io";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Job } from "../../common/job.ts";
import { backwardPushes, createSoakConversion, mostInWindow, runPushSoak } from "../dev/measure/push-soak.ts";
import { startRedis } from "../dev/stand-ins/redis.ts";
import { startTestServer } from "../dev/testing/test-server.ts";

const SECOND_MS = 1_000;
const PUSHES_PER_SECOND = 5;
/** Each device has two windows. The soak has many more. */
const VISITS = { lanes: 2, jobsPerLane: 2 };
const DEVICES_PER_PROCESS = 2;

/** When pushes about each job were sent, on the clock of the servers: they run in this process. */
let sentAtMs: Map<string, number[]>;
const operator = Object.getPrototypeOf(new Server().to("a room")) as BroadcastOperator<DefaultEventsMap, unknown>;
beforeEach(() => {
  sentAtMs = new Map();
  const emit = Reflect.get(operator, "emit") as (this: unknown, event: string, ...sent: unknown[]) => boolean;
  vi.spyOn(operator, "emit").mockImplementation(function (this: unknown, event, ...sent) {
    const [job] = sent as [Job];
    if (event === "job") sentAtMs.set(job.id, [...(sentAtMs.get(job.id) ?? []), performance.now()]);
    return emit.call(this, event, ...sent);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The most pushes of one job in a second. */
function mostInSecond(): number {
  return Math.max(...[...sentAtMs.values()].map((times) => mostInWindow(times, SECOND_MS)));
}

it("sends no job version that goes back, and at most five pushes of one job in a second", async () => {
  await using server = await startTestServer(
    { hasExtractor: false, WORKER_CONCURRENCY: "16" },
    undefined,
    createSoakConversion(1),
  );
  const { received } = await runPushSoak([server], { ...VISITS, devices: DEVICES_PER_PROCESS, seed: 1 });
  expect(received.flatMap(backwardPushes)).toEqual([]);
  expect(mostInSecond()).toBeLessThanOrEqual(PUSHES_PER_SECOND);
});

it("sends pushes in order and within the limit when web processes and a worker share a Redis", async () => {
  const redis = await startRedis();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => redis.stop());
  const shared = { hasExtractor: false, REDIS_URL: redis.url, DRAIN_MS: "0" };
  await using worker = await startTestServer(
    { ROLE: "worker", WORKER_CONCURRENCY: "16", ...shared },
    undefined,
    createSoakConversion(2),
  );
  await using one = await startTestServer({ ROLE: "web", ...shared }, worker);
  await using two = await startTestServer({ ROLE: "web", ...shared }, worker);
  const { received } = await runPushSoak([one, two], { ...VISITS, devices: 2 * DEVICES_PER_PROCESS, seed: 2 });
  expect(received.flatMap(backwardPushes)).toEqual([]);
  expect(mostInSecond()).toBeLessThanOrEqual(PUSHES_PER_SECOND);
});
