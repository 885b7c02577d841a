/** What every place where asking is counted keeps to, whichever it is. */
import { randomUUID } from "node:crypto";
import { RateLimiterRes, type RateLimiterAbstract } from "rate-limiter-flexible";
import { describe, expect, it } from "vitest";
import type { OpenCounter } from "./limit-counters.ts";

const WINDOW_SECONDS = 60;

/** @param openProcess the counts as a process of its own has them; those that know no others say so by `isAlone` */
export function describeCounters(
  named: string,
  { openProcess, isAlone }: { openProcess: () => Promise<OpenCounter>; isAlone: boolean },
): void {
  const open = async (points: number, name: string = randomUUID(), windowSeconds = WINDOW_SECONDS) =>
    (await openProcess())(name, points, windowSeconds);
  /** Of those asked at once, how many were let by. Whoever is refused is told when to come back. */
  async function letBy(
    asked: readonly (readonly [RateLimiterAbstract, key: string, points?: number])[],
  ): Promise<number> {
    const answers = await Promise.allSettled(asked.map(([counter, key, points]) => counter.consume(key, points)));
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

  describe.each([named])("counts in %s", () => {
    it("let by exactly so many of those who ask at once", async () => {
      const counter = await open(7);
      expect(await letBy(times(40, counter, "a"))).toBe(7);
      expect(await letBy(times(3, counter, "a"))).toBe(0);
    });

    it("are kept apart by who asks and by what for", async () => {
      const [one, other] = [await open(2), await open(2)];
      expect(await letBy([...times(3, one, "a"), ...times(3, one, "b"), ...times(3, other, "a")])).toBe(6);
    });

    it("take a call that counts as many for many, and refuse it where there are not so many left", async () => {
      const counter = await open(10);
      expect(await letBy([[counter, "a", 6]])).toBe(1);
      expect(await letBy([[counter, "a", 6]])).toBe(0);
      expect(await letBy([[counter, "b", 10]])).toBe(1);
    });

    it("begin anew when the window is over", async () => {
      const counter = await open(1, randomUUID(), 1);
      expect(await letBy(times(2, counter, "a"))).toBe(1);
      await expect.poll(() => letBy(times(1, counter, "a")), { timeout: 5_000, interval: 50 }).toBe(1);
    });

    if (isAlone) return;

    it("are of all processes together", async () => {
      const name = randomUUID();
      const [here, there] = [await open(7, name), await open(7, name)];
      expect(await letBy([...times(20, here, "a"), ...times(20, there, "a")])).toBe(7);
    });
  });
}
