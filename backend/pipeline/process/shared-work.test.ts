import { expect, it, vi } from "vitest";
import { SharedWork } from "./shared-work.ts";

const open = (maxKept = 4, maxKeptBytes = 1_000) =>
  new SharedWork<string>({ keepMs: 60_000, maxKept, maxKeptBytes }, ({ length }) => length);
const never = () => new AbortController().signal;

it("runs the work once for callers that join while it runs and for later ones", async () => {
  const shared = open();
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = vi.fn<() => Promise<string>>(() => promise);
  const waiting = [shared.share("a", work, never()), shared.share("a", work, never())];
  expect(shared.peek("a")).toBeUndefined();
  resolve("done");
  expect(await Promise.all(waiting)).toEqual(["done", "done"]);
  expect(shared.peek("a")).toBe("done");
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
  expect(shared.peek("a")).toBeUndefined();
});

it("does not begin for a caller that has left already: nobody would end it", async () => {
  const work = vi.fn<() => Promise<string>>(() => Promise.resolve("done"));
  const left = AbortSignal.abort(new Error("left"));
  await expect(open().share("a", work, left)).rejects.toThrow("left");
  expect(work).not.toHaveBeenCalled();
});

it("does not keep failures and forgotten results", async () => {
  const shared = open();
  await expect(shared.share("a", () => Promise.reject(new Error("broken")), never())).rejects.toThrow("broken");
  expect(await shared.share("a", () => Promise.resolve("mended"), never())).toBe("mended");
  shared.forget("a");
  expect(shared.peek("a")).toBeUndefined();
});

it("drops the oldest result when there are more than maxKept", async () => {
  const shared = open(2);
  for (const key of ["a", "b", "c"]) await shared.share(key, () => Promise.resolve(key), never());
  expect(shared.peek("a")).toBeUndefined();
  expect(shared.peek("b")).toBe("b");
});

it("drops a result after keepMs", async () => {
  vi.useFakeTimers();
  try {
    const shared = open();
    await shared.share("a", () => Promise.resolve("old"), never());
    vi.advanceTimersByTime(59_999);
    expect(shared.peek("a")).toBe("old");
    vi.advanceTimersByTime(1);
    expect(shared.peek("a")).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it("keeps a result as long as its owner says of it", async () => {
  vi.useFakeTimers();
  try {
    const shared = new SharedWork<string>(
      { keepMs: 60_000, maxKept: 4, maxKeptBytes: 1_000 },
      ({ length }) => length,
      () => 1_000,
    );
    await shared.share("a", () => Promise.resolve("short"), never());
    vi.advanceTimersByTime(999);
    expect(shared.peek("a")).toBe("short");
    vi.advanceTimersByTime(1);
    expect(shared.peek("a")).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it("keeps the newest results up to a number of bytes, and none that is larger alone", async () => {
  const shared = open(100, 10);
  for (const key of ["a", "b", "c"]) await shared.share(key, () => Promise.resolve(key.repeat(4)), never());
  expect(["a", "b", "c"].map((key) => shared.peek(key))).toEqual([undefined, "bbbb", "cccc"]);
  expect(await shared.share("large", () => Promise.resolve("x".repeat(11)), never())).toHaveLength(11);
  expect(shared.peek("large")).toBeUndefined();
});
