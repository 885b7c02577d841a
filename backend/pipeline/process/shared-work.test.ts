import { expect, it, vi } from "vitest";
import { SharedWork } from "./shared-work.ts";

const open = (maxKept = 4) => new SharedWork<string>({ keepMs: 60_000, maxKept });
const never = () => new AbortController().signal;

it("runs the work once for callers that join while it runs and for later ones", async () => {
  const shared = open();
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = vi.fn<() => Promise<string>>(() => promise);
  const waiting = [shared.share("a", work, never()), shared.share("a", work, never())];
  const found = shared.find("a", never());
  resolve("done");
  expect(await Promise.all([...waiting, found])).toEqual(["done", "done", "done"]);
  expect(await shared.share("a", work, never())).toBe("done");
  expect(work).toHaveBeenCalledTimes(1);
});

it("continues while one caller waits, and is aborted when the last one leaves", async () => {
  const shared = open();
  let ended: unknown;
  const work = (signal: AbortSignal) =>
    new Promise<string>((_, reject) =>
      signal.addEventListener("abort", () => {
        ended = signal.reason;
        reject(signal.reason as Error);
      }),
    );
  const first = new AbortController();
  const second = new AbortController();
  const one = shared.share("a", work, first.signal);
  const two = shared.share("a", work, second.signal);
  first.abort(new Error("first left"));
  await expect(one).rejects.toThrow("first left");
  expect(ended).toBeUndefined();
  second.abort(new Error("second left"));
  await expect(two).rejects.toThrow("second left");
  expect(ended).toBeInstanceOf(Error);
  expect(shared.find("a", never())).toBeUndefined();
});

it("does not keep failures and forgotten results", async () => {
  const shared = open();
  await expect(shared.share("a", () => Promise.reject(new Error("broken")), never())).rejects.toThrow("broken");
  expect(await shared.share("a", () => Promise.resolve("mended"), never())).toBe("mended");
  shared.forget("a");
  expect(shared.find("a", never())).toBeUndefined();
});

it("drops the oldest result when there are more than maxKept", async () => {
  const shared = open(2);
  for (const key of ["a", "b", "c"]) await shared.share(key, () => Promise.resolve(key), never());
  expect(shared.find("a", never())).toBeUndefined();
  expect(await shared.find("b", never())).toBe("b");
});

it("drops a result after keepMs", async () => {
  vi.useFakeTimers();
  try {
    const shared = open();
    await shared.share("a", () => Promise.resolve("old"), never());
    vi.advanceTimersByTime(59_999);
    expect(await shared.find("a", never())).toBe("old");
    vi.advanceTimersByTime(1);
    expect(shared.find("a", never())).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
