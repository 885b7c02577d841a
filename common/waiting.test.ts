import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { abortable, Changes, pause, untilFound, within } from "./waiting.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const REASON = new Error("no longer needed");

describe("pause", () => {
  it("ends after its time", async () => {
    let isOver = false;
    const paused = pause(50).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(49);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await paused;
  });

  it("throws the reason of its signal, and leaves neither timer nor listener behind", async () => {
    const abort = new AbortController();
    const removed = vi.spyOn(abort.signal, "removeEventListener");
    const paused = pause(50, abort.signal);
    abort.abort(REASON);
    await expect(paused).rejects.toBe(REASON);
    await expect(pause(50, abort.signal)).rejects.toBe(REASON);
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe("within", () => {
  it("gives what the work gives, or throws what it throws, and leaves no timer behind", async () => {
    expect(await within(50, Promise.resolve("done"))).toBe("done");
    await expect(within(50, Promise.reject(REASON))).rejects.toBe(REASON);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives the late answer when the time is up, and ignores a failure after it", async () => {
    const { promise: work, reject } = Promise.withResolvers<string>();
    const answers = Promise.all([within(50, work), within(50, work, () => "late")]);
    const late = (): never => {
      throw REASON;
    };
    const [thrown] = await Promise.all([Promise.allSettled([within(50, work, late)]), vi.advanceTimersByTimeAsync(50)]);
    expect(await answers).toEqual([undefined, "late"]);
    expect(thrown).toEqual([{ status: "rejected", reason: REASON }]);
    reject(new Error("too late"));
  });
});

describe("abortable", () => {
  it("gives what the promise gives, or throws what it throws", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    expect(await abortable(Promise.resolve("done"), signal)).toBe("done");
    await expect(abortable(Promise.reject(REASON), signal)).rejects.toBe(REASON);
    expect(removed).toHaveBeenCalledTimes(2);
  });

  it("throws the reason of its signal, before or meanwhile, and ignores a failure after it", async () => {
    const abort = new AbortController();
    const { promise, reject } = Promise.withResolvers<string>();
    const meanwhile = abortable(promise, abort.signal);
    abort.abort(REASON);
    await expect(meanwhile).rejects.toBe(REASON);
    await expect(abortable(promise, abort.signal)).rejects.toBe(REASON);
    reject(new Error("too late"));
  });
});

describe("untilFound", () => {
  const foundAtMs = (foundMs: number) => {
    const startMs = performance.now();
    return vi.fn<() => Promise<string | null>>(() =>
      Promise.resolve(performance.now() - startMs >= foundMs ? "found" : null),
    );
  };

  it("looks at once and after each pause", async () => {
    const look = foundAtMs(25);
    const found = untilFound(look, { everyMs: 10 });
    await vi.advanceTimersByTimeAsync(30);
    expect(await found).toBe("found");
    expect(look).toHaveBeenCalledTimes(4);
  });

  it("finds nothing after its deadline", async () => {
    const found = untilFound(foundAtMs(1_000), { everyMs: 10, timeoutMs: 25 });
    await vi.advanceTimersByTimeAsync(30);
    expect(await found).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("varies its pauses by half", async () => {
    const random = vi.spyOn(Math, "random");
    for (const [share, pauseMs] of [
      [0, 5],
      [0.9, 14],
    ] as const) {
      random.mockReturnValue(share);
      const look = foundAtMs(1);
      const startMs = performance.now();
      const found = untilFound(look, { everyMs: 10, isVaried: true });
      await vi.advanceTimersToNextTimerAsync();
      expect(await found).toBe("found");
      expect(performance.now() - startMs).toBe(pauseMs);
    }
    random.mockRestore();
  });

  it("throws the reason of its signal", async () => {
    const abort = new AbortController();
    const found = untilFound(foundAtMs(1_000), { everyMs: 10, signal: abort.signal });
    await vi.advanceTimersByTimeAsync(15);
    abort.abort(REASON);
    await expect(found).rejects.toBe(REASON);
  });
});

describe("Changes", () => {
  it("wakes all that wait, and ends the wait of those whose condition holds", async () => {
    const changes = new Changes();
    let count = 0;
    const ended: number[] = [];
    const waits = [1, 2].map((wanted) => changes.until(() => count >= wanted).then(() => ended.push(wanted)));
    await changes.until(() => true);
    for (const after of [[1], [1, 2]]) {
      count += 1;
      changes.announce();
      await vi.advanceTimersByTimeAsync(0);
      expect(ended).toEqual(after);
    }
    await Promise.all(waits);
  });

  it("ends the wait whose signal is aborted", async () => {
    const abort = new AbortController();
    const changes = new Changes();
    const waited = changes.until(() => false, abort.signal);
    abort.abort(REASON);
    await expect(Promise.all([waited, changes.until(() => false, abort.signal)])).resolves.toBeDefined();
  });
});
