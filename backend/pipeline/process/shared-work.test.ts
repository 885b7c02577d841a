import { expect, it, vi } from "vitest";
import { SharedWork } from "./shared-work.ts";

const open = (maxKept = 4) => new SharedWork<string>({ keepMs: 60_000, maxKept });
const patient = () => new AbortController().signal;

it("is done once for everybody who comes while it runs, and for those who come after", async () => {
  const shared = open();
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = vi.fn<() => Promise<string>>(() => promise);
  const waiting = [shared.share("a", work, patient()), shared.share("a", work, patient())];
  const found = shared.find("a", patient());
  resolve("done");
  expect(await Promise.all([...waiting, found])).toEqual(["done", "done", "done"]);
  expect(await shared.share("a", work, patient())).toBe("done");
  expect(work).toHaveBeenCalledTimes(1);
});

it("goes on while one of its callers still waits, and ends with the last", async () => {
  const shared = open();
  let ended: unknown;
  const work = (signal: AbortSignal) => new Promise<string>((_, reject) => signal.addEventListener("abort", () => {
    ended = signal.reason;
    reject(signal.reason as Error);
  }));
  const [first, second] = [new AbortController(), new AbortController()];
  const [one, two] = [shared.share("a", work, first.signal), shared.share("a", work, second.signal)];
  first.abort(new Error("first left"));
  await expect(one).rejects.toThrow("first left");
  expect(ended).toBeUndefined();
  second.abort(new Error("second left"));
  await expect(two).rejects.toThrow("second left");
  expect(ended).toBeInstanceOf(Error);
  expect(shared.find("a", patient())).toBeUndefined();
});

it("keeps no failure, and nothing that was forgotten", async () => {
  const shared = open();
  await expect(shared.share("a", () => Promise.reject(new Error("broken")), patient())).rejects.toThrow("broken");
  expect(await shared.share("a", () => Promise.resolve("mended"), patient())).toBe("mended");
  shared.forget("a");
  expect(shared.find("a", patient())).toBeUndefined();
});

it("keeps so many outcomes, and lets the oldest go first", async () => {
  const shared = open(2);
  for (const key of ["a", "b", "c"]) await shared.share(key, () => Promise.resolve(key), patient());
  expect(shared.find("a", patient())).toBeUndefined();
  expect(await shared.find("b", patient())).toBe("b");
});

it("gives up an outcome when its time is over", async () => {
  vi.useFakeTimers();
  try {
    const shared = open();
    await shared.share("a", () => Promise.resolve("old"), patient());
    vi.advanceTimersByTime(59_999);
    expect(await shared.find("a", patient())).toBe("old");
    vi.advanceTimersByTime(1);
    expect(shared.find("a", patient())).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
