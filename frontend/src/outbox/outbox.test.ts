import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors.ts";
import { memoryStorage } from "../testing/memory-storage.ts";
import { OutboxFull } from "./errors.ts";
import { Outbox, isUnanswered } from "./outbox.ts";
import { MAX_ENTRIES, ENTRY_LIFETIME_MS, readEntries } from "./entries.ts";
import { OUTBOX_KEY } from "../platform/storage-keys.ts";
import type { OutboxEntry } from "./entries.ts";

const NO_RESPONSE = () => Promise.reject(new TypeError("fetch failed"));
const START_MS = Date.parse("2026-01-01T12:00:00Z");

/** The outbox of one page; pages of one browser share the storage. */
function openPage(
  storage = memoryStorage(),
  viewer: { id: string | null | undefined } = { id: null },
  windows = new EventTarget(),
) {
  const network = { isOnline: true };
  const expired: OutboxEntry[] = [];
  const outbox = new Outbox({
    storage,
    windows,
    isOnline: () => network.isOnline,
    viewerId: () => viewer.id,
    onExpired: (entry) => expired.push(entry),
  });
  return { outbox, storage, network, expired, waiting: () => outbox.store.getState().waiting.map(({ key }) => key) };
}

const convert = (key: string, more: Partial<OutboxEntry> = {}): OutboxEntry =>
  ({
    key,
    kind: "convert",
    youtubeUrl: "https://youtu.be/a",
    format: "mp3",
    madeAtMs: Date.now(),
    madeBy: null,
    isKept: false,
    ...more,
  }) as OutboxEntry;
const forJob = (kind: "cancel" | "retry", key: string): OutboxEntry => ({
  key,
  kind,
  id: "job",
  madeAtMs: Date.now(),
  madeBy: null,
  isKept: false,
});

beforeEach(() => void vi.useFakeTimers({ now: START_MS }));
afterEach(() => void vi.useRealTimers());

describe("an outbox entry", () => {
  it("is removed from store and storage once answered", async () => {
    const { outbox, storage, waiting } = openPage();
    const answer = outbox.submit(convert("a"), () => Promise.resolve("job"));
    expect(readEntries(storage)).toHaveLength(1);
    await expect(answer).resolves.toBe("job");
    expect([waiting(), readEntries(storage)]).toEqual([[], []]);
  });

  it("is retried quickly after a network error and not shown as waiting", async () => {
    const { outbox, waiting } = openPage();
    const send = vi
      .fn<() => Promise<unknown>>()
      .mockRejectedValueOnce(new TypeError("fetch failed"))
      .mockResolvedValue("job");
    const onWaiting = vi.fn<() => void>();
    const answer = outbox.submit(convert("a"), send, { onWaiting });
    await vi.runAllTimersAsync();
    await expect(answer).resolves.toBe("job");
    expect([send.mock.calls.length, onWaiting.mock.calls.length, waiting()]).toEqual([2, 0, []]);
  });

  it("is retried with back-off until the server answers", async () => {
    const { outbox, waiting } = openPage();
    let isDown = true;
    const send = vi.fn<() => Promise<unknown>>(() => (isDown ? NO_RESPONSE() : Promise.resolve("job")));
    const answer = outbox.submit(convert("a"), send);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(waiting()).toEqual(["a"]);
    expect(send.mock.calls.length).toBeLessThan(10);
    isDown = false;
    await vi.advanceTimersByTimeAsync(31_000);
    await expect(answer).resolves.toBe("job");
    expect(waiting()).toEqual([]);
  });

  it("created offline is sent when the network is back", async () => {
    const { outbox, network, waiting } = openPage();
    network.isOnline = false;
    const send = vi.fn<() => Promise<unknown>>(() => Promise.resolve("job"));
    const answer = outbox.submit(convert("a"), send);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([send.mock.calls.length, waiting()]).toEqual([0, ["a"]]);
    network.isOnline = true;
    outbox.retryNow();
    await expect(answer).resolves.toBe("job");
    expect(send).toHaveBeenCalledTimes(1);
  });

  it("is removed after a permanent refusal", async () => {
    const { outbox, storage } = openPage();
    await expect(outbox.submit(convert("a"), () => Promise.reject(new ApiError(422, "", "")))).rejects.toMatchObject({
      status: 422,
    });
    expect(readEntries(storage)).toEqual([]);
  });

  it("keeps waiting after a temporary refusal", async () => {
    const { outbox, network, waiting } = openPage();
    network.isOnline = false;
    const send = vi
      .fn<() => Promise<unknown>>()
      .mockRejectedValueOnce(new ApiError(503, "", ""))
      .mockResolvedValue("job");
    const answer = outbox.submit(convert("a"), send);
    network.isOnline = true;
    await outbox.flush();
    expect(waiting()).toEqual(["a"]);
    await vi.runAllTimersAsync();
    await expect(answer).resolves.toBe("job");
  });

  it("can be withdrawn before it is sent", async () => {
    const { outbox, network, storage } = openPage();
    network.isOnline = false;
    const send = vi.fn<() => Promise<unknown>>(() => Promise.resolve("job"));
    const answer = outbox.submit(convert("a"), send);
    outbox.withdraw("a");
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    network.isOnline = true;
    await outbox.flush();
    expect([send.mock.calls.length, readEntries(storage)]).toEqual([0, []]);
  });
});

it("a later entry for the same job replaces the earlier one", async () => {
  const { outbox, network } = openPage();
  network.isOnline = false;
  const sent: string[] = [];
  const first = outbox.submit(forJob("cancel", "a"), () => Promise.resolve(sent.push("cancel")));
  const second = outbox.submit(forJob("retry", "b"), () => Promise.resolve(sent.push("retry")));
  await expect(first).rejects.toMatchObject({ name: "AbortError" });
  network.isOnline = true;
  await outbox.flush();
  await second;
  expect(sent).toEqual(["retry"]);
});

describe("an entry that follows another", () => {
  it("is stored at once and sent when the other has ended", async () => {
    const { outbox, storage } = openPage();
    const sent: string[] = [];
    const other = Promise.withResolvers<void>();
    const answer = outbox.submit(forJob("retry", "b"), () => Promise.resolve(sent.push("retry")), {
      after: other.promise,
    });
    expect(readEntries(storage)).toHaveLength(1);
    await outbox.flush();
    expect(sent).toEqual([]);
    other.resolve();
    await answer;
    expect([sent, readEntries(storage)]).toEqual([["retry"], []]);
  });

  it("is not sent when it was withdrawn before", async () => {
    const { outbox } = openPage();
    const send = vi.fn<() => Promise<unknown>>(() => Promise.resolve("job"));
    const other = Promise.withResolvers<void>();
    const answer = outbox.submit(forJob("retry", "b"), send, { after: other.promise });
    outbox.withdraw("b");
    await expect(answer).rejects.toMatchObject({ name: "AbortError" });
    other.resolve();
    await other.promise;
    await outbox.flush();
    expect(send).not.toHaveBeenCalled();
  });

  it("stays behind the other in the storage, also when that one begins to wait later", async () => {
    const { outbox, storage, waiting } = openPage();
    void outbox.submit(forJob("cancel", "a"), NO_RESPONSE);
    void outbox.submit(forJob("retry", "b"), NO_RESPONSE, { after: new Promise<void>(() => undefined) });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(waiting()).toEqual(["a"]);
    expect(readEntries(storage).map(({ key }) => key)).toEqual(["a", "b"]);
  });
});

describe("after a reload", () => {
  async function storeOneEntry(more: Partial<OutboxEntry> = {}) {
    const before = openPage();
    before.network.isOnline = false;
    void before.outbox.submit(convert("a", more), NO_RESPONSE).catch(() => undefined);
    return before.storage;
  }

  it("sends a stored entry again under the same key", async () => {
    const after = openPage(await storeOneEntry());
    const sent: string[] = [];
    after.outbox.start((entry) => void after.outbox.submit(entry, () => Promise.resolve(sent.push(entry.key))));
    expect(after.waiting()).toEqual(["a"]);
    await vi.runAllTimersAsync();
    expect([sent, after.waiting()]).toEqual([["a"], []]);
  });

  it("sends nothing while the viewer is unknown, and never an entry of another user", async () => {
    const viewer: { id: string | null | undefined } = { id: undefined };
    const after = openPage(await storeOneEntry({ madeBy: "ada" }), viewer);
    const send = vi.fn<() => Promise<unknown>>(NO_RESPONSE);
    after.outbox.start((entry) => void after.outbox.submit(entry, send).catch(() => undefined));
    await after.outbox.flush();
    viewer.id = "bob";
    await after.outbox.flush();
    expect([send.mock.calls.length, after.waiting()]).toEqual([0, []]);
  });

  it("drops an entry older than the idempotency key lifetime and reports it", async () => {
    const storage = await storeOneEntry();
    vi.setSystemTime(START_MS + ENTRY_LIFETIME_MS);
    const after = openPage(storage);
    const send = vi.fn<() => Promise<unknown>>(NO_RESPONSE);
    after.outbox.start((entry) => void after.outbox.submit(entry, send).catch(() => undefined));
    await after.outbox.flush();
    expect([send.mock.calls.length, after.expired.map(({ key }) => key), readEntries(storage)]).toEqual([0, ["a"], []]);
  });

  it("ignores unreadable stored entries", () => {
    const storage = memoryStorage();
    storage.setItem(OUTBOX_KEY, '[{"kind":"melt"}]');
    expect(readEntries(storage)).toEqual([]);
    storage.setItem(OUTBOX_KEY, "{");
    expect(readEntries(storage)).toEqual([]);
  });
});

it("keeps an entry that could not be stored when another window changes the storage", async () => {
  const storage = memoryStorage();
  const windows = new EventTarget();
  const full = { ...storage, getItem: (key: string) => storage.getItem(key), setItem: () => undefined };
  const { outbox, network } = openPage(full, { id: null }, windows);
  outbox.start(() => undefined);
  const sent: string[] = [];
  network.isOnline = false;
  const answer = outbox.submit(convert("a"), () =>
    network.isOnline ? Promise.resolve(sent.push("a")) : Promise.reject(new TypeError("fetch failed")),
  );
  await vi.advanceTimersByTimeAsync(0);
  vi.stubGlobal("StorageEvent", Event);
  windows.dispatchEvent(Object.assign(new Event("storage"), { key: OUTBOX_KEY }));
  vi.unstubAllGlobals();
  network.isOnline = true;
  void outbox.flush();
  await answer;
  expect(sent).toEqual(["a"]);
});

it("rejects further entries when full", async () => {
  const { outbox, network, waiting } = openPage();
  network.isOnline = false;
  for (let n = 0; n < MAX_ENTRIES; n++) void outbox.submit(convert(String(n)), NO_RESPONSE);
  await expect(outbox.submit(convert("more"), NO_RESPONSE)).rejects.toBeInstanceOf(OutboxFull);
  expect(waiting()).toHaveLength(MAX_ENTRIES);
});

it("isUnanswered is true for a timeout and false for an abort", () => {
  expect(isUnanswered(new DOMException("", "TimeoutError"))).toBe(true);
  expect(isUnanswered(new DOMException("", "AbortError"))).toBe(false);
});
