/** The contract of all rate limit counters, in memory or in Redis. */
import { randomUUID } from "node:crypto";
import { RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { describe, expect, it } from "vitest";
import type { OpenCounter } from "./limit-counters.ts";

const WINDOW_SECONDS = 60;

/**
 * @param openProcess opens the counters of one more process
 * @param isAlone whether the counters of different processes are independent
 */
export function describeCounters(
  named: string,
  { openProcess, isAlone }: { openProcess: () => Promise<OpenCounter>; isAlone: boolean },
): void {
  const open = async (points: number, name: string = randomUUID(), windowSeconds = WINDOW_SECONDS) =>
    (await openProcess())(name, points, windowSeconds);
  /** Sends requests at the same time. @returns how many were accepted; every refusal must have a waiting time */
  async function accepted(
    requests: readonly (readonly [RateLimiterAbstract, key: string, points?: number])[],
  ): Promise<number> {
    const answers = await Promise.allSettled(requests.map(([counter, key, points]) => counter.consume(key, points)));
    const refusals = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(RateLimiterRes);
      const { msBeforeNext } = refusal as RateLimiterRes;
      expect(msBeforeNext > 0 && msBeforeNext <= WINDOW_SECONDS * 1_000).toBe(true);
    }
    return answers.length - refusals.length;
  }
  const times = (count: number, counter: RateLimiterAbstract, key: string) =>
    Array.from({ length: count }, () => [counter, key] as const);

  describe.each([named])("counters in %s", () => {
    it("accept exactly the limit of simultaneous requests", async () => {
      const counter = await open(7);
      expect(await accepted(times(40, counter, "a"))).toBe(7);
      expect(await accepted(times(3, counter, "a"))).toBe(0);
    });

    it("are independent for each key and each name", async () => {
      const one = await open(2);
      const other = await open(2);
      expect(await accepted([...times(3, one, "a"), ...times(3, one, "b"), ...times(3, other, "a")])).toBe(6);
    });

    it("subtract the cost of a request, and refuse it when too few points are left", async () => {
      const counter = await open(10);
      expect(await accepted([[counter, "a", 6]])).toBe(1);
      expect(await accepted([[counter, "a", 6]])).toBe(0);
      expect(await accepted([[counter, "b", 10]])).toBe(1);
    });

    it("start again after the window", async () => {
      const counter = await open(1, randomUUID(), 1);
      expect(await accepted(times(2, counter, "a"))).toBe(1);
      await expect.poll(() => accepted(times(1, counter, "a")), { interval: 50 }).toBe(1);
    });

    if (isAlone) return;

    it("are shared by all processes", async () => {
      const name = randomUUID();
      const here = await open(7, name);
      const there = await open(7, name);
      expect(await accepted([...times(20, here, "a"), ...times(20, there, "a")])).toBe(7);
    });
  });
}
