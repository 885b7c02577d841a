import { expect, it, vi } from "vitest";
import { ListRequest, MAX_PICTURED_ENTRIES, type ListEntry, type ListPage } from "../../../../common/lists.ts";
import type { ListApi } from "../../api/list-api.ts";
import { chosenEntries, createListStore } from "./list-store.ts";

const entryAt = (index: number): ListEntry => ({
  link: `https://site.example/${index}`,
  title: `Rain ${index}`,
  durationSeconds: 30,
});

/** A list of 10 entries in pages of 4. */
function openList(entries = Array.from({ length: 10 }, (_, index) => entryAt(index))) {
  const load = vi.fn<ListApi["readPage"]>((request) => {
    const { offset } = ListRequest.parse(request);
    const end = Math.min(offset + 4, entries.length);
    return Promise.resolve({
      link: "https://site.example/list",
      title: "Rain",
      total: offset === 0 ? null : entries.length,
      isCut: false,
      offset,
      entries: entries.slice(offset, end),
      next: end < entries.length ? end : null,
    });
  });
  const store = createListStore({ link: "https://site.example/list", load, tier: () => "pro" });
  return { store, load, chosen: () => chosenEntries(store.getState()).map(({ title }) => title) };
}

async function readAll({ store }: ReturnType<typeof openList>): Promise<void> {
  store.getState().read();
  await store.getState().whenRead();
}

it("reads page after page to the end, once", async () => {
  const opened = openList();
  await readAll(opened);
  await readAll(opened);
  expect(opened.store.getState()).toMatchObject({ isReading: false, failure: null, head: { total: 10 } });
  expect(opened.store.getState().entries).toHaveLength(10);
  expect(opened.load.mock.calls.filter(([{ thumbnails }]) => !thumbnails)).toHaveLength(3);
});

it("adds the pictures of a short list once all of it is shown, and goes on without them where they cannot be had", async () => {
  const thumbnail = "data:image/jpeg;base64,/9j/";
  const picturesOf = async (count: number, answer: (page: ListPage) => Promise<ListPage>): Promise<number[]> => {
    const opened = openList(Array.from({ length: count }, (_, index) => entryAt(index)));
    const { load, store } = opened;
    const page = load.getMockImplementation() ?? load;
    const asked = Promise.withResolvers<void>();
    load.mockImplementation(async (request, signal) => {
      const read = await page(request, signal);
      if (!request.thumbnails) return read;
      expect(store.getState()).toMatchObject({ isReading: false });
      queueMicrotask(asked.resolve);
      return answer(read);
    });
    await readAll(opened);
    if (count <= MAX_PICTURED_ENTRIES) await asked.promise;
    await vi.waitFor(() => expect(load.mock.settledResults.every(({ type }) => type !== "incomplete")).toBe(true));
    const { entries, failure } = store.getState();
    expect([entries.length, failure]).toEqual([count, null]);
    return entries.flatMap((entry, index) => (entry.thumbnail === undefined ? [] : [index]));
  };
  const withPicture = async (page: ListPage): Promise<ListPage> => ({
    ...page,
    entries: page.entries.map((entry, index) => (index === 1 ? { ...entry, thumbnail } : entry)),
  });
  expect(await picturesOf(MAX_PICTURED_ENTRIES, withPicture)).toEqual([1]);
  expect(await picturesOf(MAX_PICTURED_ENTRIES + 1, withPicture)).toEqual([]);
  expect(await picturesOf(3, () => Promise.reject(new TypeError("fetch")))).toEqual([]);
});

it("keeps what is there after a failure, and goes on from there", async () => {
  const opened = openList();
  const { load, store } = opened;
  const answer = load.getMockImplementation() ?? load;
  load.mockImplementation((request, signal) =>
    request.offset === 4 ? Promise.reject(new TypeError("fetch")) : answer(request, signal),
  );
  await readAll(opened);
  expect(store.getState()).toMatchObject({ isReading: false, failure: { body: null } });
  expect(store.getState().entries).toHaveLength(4);
  load.mockImplementation(answer);
  await readAll(opened);
  expect(store.getState().failure).toBeNull();
  expect(store.getState().entries.map(({ title }) => title)).toEqual(Array.from({ length: 10 }, (_, n) => `Rain ${n}`));
});

it("stops when it is closed, and goes on when it is opened again", async () => {
  const opened = openList();
  opened.store.getState().read();
  opened.store.getState().stop();
  await opened.store.getState().whenRead();
  expect(opened.store.getState().entries).toHaveLength(0);
  await readAll(opened);
  expect(opened.store.getState().entries).toHaveLength(10);
});

it("chooses with All what arrives later too, as far as the search shows it", async () => {
  const opened = openList();
  const { store } = opened;
  store.getState().setQuery("Rain 7");
  store.getState().chooseAll();
  await readAll(opened);
  expect(opened.chosen()).toEqual(["Rain 7"]);
  store.getState().setQuery("");
  store.getState().chooseNone();
  expect(opened.chosen()).toEqual([]);
});

it("chooses a range with two taps", async () => {
  const opened = openList();
  const { store } = opened;
  await readAll(opened);
  store.getState().setRangeStep("first");
  store.getState().pick(2);
  expect(store.getState().rangeStep).toBe("last");
  store.getState().pick(4);
  expect(store.getState().rangeStep).toBeNull();
  expect(opened.chosen()).toEqual(["Rain 2", "Rain 3", "Rain 4"]);
});

it("never chooses what is longer than the plan allows, nor one video twice", async () => {
  const entries = [entryAt(0), { ...entryAt(1), durationSeconds: 3 * 60 * 60 }, entryAt(0)];
  const opened = openList(entries);
  await readAll(opened);
  opened.store.getState().chooseAll();
  expect(opened.chosen()).toEqual(["Rain 0"]);
});

it("takes a video that is listed twice once, also among the first ones", async () => {
  const opened = openList([0, 1, 1, 0, 2, 3].map(entryAt));
  await readAll(opened);
  opened.store.getState().chooseFirst(3);
  expect(opened.chosen()).toEqual(["Rain 0", "Rain 1", "Rain 2"]);
  opened.store.getState().chooseAll();
  expect(opened.chosen()).toEqual(["Rain 0", "Rain 1", "Rain 2", "Rain 3"]);
});
