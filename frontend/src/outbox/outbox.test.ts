import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/api.ts";
import { createOutbox, isUnanswered, OutboxFull } from "./outbox.ts";
import { MAX_WISHES, STORAGE_KEY, WISH_LIFE_MS, readWishes } from "./entries.ts";
import type { Wish } from "./entries.ts";

const NOBODY_ANSWERS = () => Promise.reject(new TypeError("fetch failed"));
const START_MS = Date.parse("2026-01-01T12:00:00Z");

function memory() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

/** One page's outbox; pages of one browser share the storage. */
function openPage(storage = memory(), viewer: { id: string | null | undefined } = { id: null }) {
  const network = { isOnline: true };
  const expired: Wish[] = [];
  const outbox = createOutbox({
    storage,
    windows: new EventTarget(),
    isOnline: () => network.isOnline,
    viewerId: () => viewer.id,
    onExpired: (wish) => expired.push(wish),
  });
  return { outbox, storage, network, expired, kept: () => outbox.store.getState().kept.map(({ key }) => key) };
}

const convert = (key: string, more: Partial<Wish> = {}): Wish =>
  ({
    key,
    kind: "convert",
    youtubeUrl: "https://youtu.be/a",
    format: "mp3",
    madeAtMs: Date.now(),
    madeBy: null,
    isKept: false,
    ...more,
  }) as Wish;
const about = (kind: "cancel" | "retry", key: string): Wish => ({
  key,
  kind,
  id: "job",
  madeAtMs: Date.now(),
  madeBy: null,
  isKept: false,
});

beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
afterEach(() => void vi.useRealTimers());

describe("a wish", () => {
  it("that is answered leaves nothing behind", async () => {
    const { outbox, storage, kept } = openPage();
    const answer = outbox.submit(convert("a"), () => Promise.resolve("job"));
    expect(readWishes(storage)).toHaveLength(1);
    await expect(answer).resolves.toBe("job");
    expect([kept(), readWishes(storage)]).toEqual([[], []]);
  });

  it("is sent again at once while the network stumbles, and not shown as waiting", async () => {
    const { outbox, kept } = openPage();
    const send = vi
      .fn<() => Promise<unknown>>()
      .mockRejectedValueOnce(new TypeError("fetch failed"))
      .mockResolvedValue("job");
    const onKept = vi.fn<() => void>();
    const answer = outbox.submit(convert("a"), send, onKept);
    await vi.runAllTimersAsync();
    await expect(answer).resolves.toBe("job");
    expect([send.mock.calls.length, onKept.mock.calls.length, kept()]).toEqual([2, 0, []]);
  });

  it("that nobody answers is kept, and sent with longer and longer waits until somebody does", async () => {
    const { outbox, kept } = openPage();
    let isDown = true;
    const send = vi.fn<() => Promise<unknown>>(() => (isDown ? NOBODY_ANSWERS() : Promise.resolve("job")));
    const answer = outbox.submit(convert("a"), send);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kept()).toEqual(["a"]);
    expect(send.mock.calls.length).toBeLessThan(10);
    isDown = false;
    await vi.advanceTimersByTimeAsync(31_000);
    await expect(answer).resolves.toBe("job");
    expect(kept()).toEqual([]);
  });

  it("made without a network is not tried before there is one", async () => {
    const { outbox, network, kept } = openPage();
    network.isOnline = false;
    const send = vi.fn<() => Promise<unknown>>(() => Promise.resolve("job"));
    const answer = outbox.submit(convert("a"), send);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([send.mock.calls.length, kept()]).toEqual([0, ["a"]]);
    network.isOnline = true;
    outbox.hurry();
    await expect(answer).resolves.toBe("job");
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("that is refused for good is over", async () => {
    const { outbox, storage } = openPage();
    await expect(outbox.submit(convert("a"), () => Promise.reject(new ApiError(422, "", "")))).rejects.toMatchObject({
      status: 422,
    });
    expect(readWishes(storage)).toEqual([]);
  });

  it("that waits goes on waiting while the server is only busy", async () => {
    const { outbox, network, kept } = openPage();
    network.isOnline = false;
    const send = vi
      .fn<() => Promise<unknown>>()
      .mockRejectedValueOnce(new ApiError(503, "", ""))
      .mockResolvedValue("job");
    const answer = outbox.submit(convert("a"), send);
    network.isOnline = true;
    await outbox.flush();
    expect(kept()).toEqual(["a"]);
    await vi.runAllTimersAsync();
    await expect(answer).resolves.toBe("job");
  });

  it("is taken back before it is sent", async () => {
    const { outbox, network, storage } = openPage();
    network.isOnline = false;
    const send = vi.fn<() => Promise<unknown>>(() => Promise.resolve("job"));
    const answer = outbox.submit(convert("a"), send);
    outbox.takeBack("a");
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    network.isOnline = true;
    await outbox.flush();
    expect([send.mock.calls.length, readWishes(storage)]).toEqual([0, []]);
  });
});

it("of two wishes about one job only the last is sent", async () => {
  const { outbox, network } = openPage();
  network.isOnline = false;
  const sent: string[] = [];
  const first = outbox.submit(about("cancel", "a"), () => Promise.resolve(sent.push("cancel")));
  const second = outbox.submit(about("retry", "b"), () => Promise.resolve(sent.push("retry")));
  await expect(first).rejects.toMatchObject({ name: "AbortError" });
  network.isOnline = true;
  await outbox.flush();
  await second;
  expect(sent).toEqual(["retry"]);
});

describe("after a reload", () => {
  async function leaveOne(more: Partial<Wish> = {}) {
    const before = openPage();
    before.network.isOnline = false;
    void before.outbox.submit(convert("a", more), NOBODY_ANSWERS).catch(() => undefined);
    return before.storage;
  }

  it("the same wish is sent under the same key", async () => {
    const after = openPage(await leaveOne());
    const sent: string[] = [];
    after.outbox.start((wish) => void after.outbox.submit(wish, () => Promise.resolve(sent.push(wish.key))));
    expect(after.kept()).toEqual(["a"]);
    await vi.runAllTimersAsync();
    expect([sent, after.kept()]).toEqual([["a"], []]);
  });

  it("nothing is sent before it is known who is there, and another person's wish never", async () => {
    const viewer: { id: string | null | undefined } = { id: undefined };
    const after = openPage(await leaveOne({ madeBy: "ada" }), viewer);
    const send = vi.fn<() => Promise<unknown>>(NOBODY_ANSWERS);
    after.outbox.start((wish) => void after.outbox.submit(wish, send).catch(() => undefined));
    await after.outbox.flush();
    viewer.id = "bob";
    await after.outbox.flush();
    expect([send.mock.calls.length, after.kept()]).toEqual([0, []]);
  });

  it("a wish older than the server's memory of keys is dropped, and that is said", async () => {
    const storage = await leaveOne();
    vi.setSystemTime(START_MS + WISH_LIFE_MS);
    const after = openPage(storage);
    const send = vi.fn<() => Promise<unknown>>(NOBODY_ANSWERS);
    after.outbox.start((wish) => void after.outbox.submit(wish, send).catch(() => undefined));
    await after.outbox.flush();
    expect([send.mock.calls.length, after.expired.map(({ key }) => key), readWishes(storage)]).toEqual([0, ["a"], []]);
  });

  it("what cannot be read is passed over", () => {
    const storage = memory();
    storage.setItem(STORAGE_KEY, '[{"kind":"melt"}]');
    expect(readWishes(storage)).toEqual([]);
    storage.setItem(STORAGE_KEY, "{");
    expect(readWishes(storage)).toEqual([]);
  });
});

it("there is an end to what is kept", async () => {
  const { outbox, network, kept } = openPage();
  network.isOnline = false;
  for (let n = 0; n < MAX_WISHES; n++) void outbox.submit(convert(String(n)), NOBODY_ANSWERS);
  await expect(outbox.submit(convert("more"), NOBODY_ANSWERS)).rejects.toBeInstanceOf(OutboxFull);
  expect(kept()).toHaveLength(MAX_WISHES);
});

it("a call that took too long counts as unanswered, one that was given up does not", () => {
  expect(isUnanswered(new DOMException("", "TimeoutError"))).toBe(true);
  expect(isUnanswered(new DOMException("", "AbortError"))).toBe(false);
});
