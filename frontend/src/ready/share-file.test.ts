import { expect, it } from "vitest";
import { createDownloadNotesStore } from "../stores/download-notes.ts";
import { createFileSharing, MAX_SHARED_BYTES, type Sharer } from "./share-file.ts";

const URL_OF_FILE = "/api/conversions/one/file";
const HEADERS = {
  "Content-Type": "audio/mpeg",
  "Content-Length": "4",
  "Content-Disposition": "attachment; filename=\"Caf?.mp3\"; filename*=UTF-8''Caf%C3%A9.mp3",
};
const song = (more: Record<string, string> = {}) => new Response("song", { headers: { ...HEADERS, ...more } });

function setUp(parts: Partial<Sharer> = {}) {
  const notes = createDownloadNotesStore();
  const shared: File[] = [];
  const states: unknown[] = [];
  let fetches = 0;
  notes.subscribe(({ sharings }) => states.push(sharings[URL_OF_FILE]));
  const sharer: Sharer = {
    fetch: () => Promise.resolve(song()),
    canShare: () => true,
    share: ({ files = [] } = {}) => Promise.resolve(void shared.push(...files)),
    ...parts,
  };
  const press = createFileSharing(notes, {
    ...sharer,
    fetch: (...request) => {
      fetches += 1;
      return sharer.fetch(...request);
    },
  });
  const now = () => notes.getState().sharings[URL_OF_FILE]?.state;
  return { press: () => press(URL_OF_FILE), shared, states, now, fetches: () => fetches };
}

it("loads the file and opens the share menu with its name and type", async () => {
  const { press, shared, states } = setUp();
  await press();
  expect(shared.map(({ name, type, size }) => [name, type, size])).toEqual([["Café.mp3", "audio/mpeg", 4]]);
  expect(states).toEqual([{ state: "loading", percent: null }, { state: "loading", percent: 100 }, undefined]);
});

it("keeps the file for a second press when the first one was too long ago", async () => {
  let isAllowed = false;
  const { press, now, fetches } = setUp({
    share: () => (isAllowed ? Promise.resolve() : Promise.reject(new DOMException("", "NotAllowedError"))),
  });
  await press();
  expect(now()).toBe("ready");
  isAllowed = true;
  await press();
  expect([now(), fetches()]).toEqual([undefined, 1]);
});

it("says nothing when the visitor closes the menu", async () => {
  const { press, now } = setUp({ share: () => Promise.reject(new DOMException("", "AbortError")) });
  await press();
  expect(now()).toBeUndefined();
});

it("loads a file once while it is pressed again", async () => {
  const answer = Promise.withResolvers<Response>();
  const { press, shared, fetches } = setUp({ fetch: () => answer.promise });
  const pressed = [press(), press()];
  answer.resolve(song());
  await Promise.all(pressed);
  expect([fetches(), shared.length]).toEqual([1, 1]);
});

const noFile: Sharer["fetch"] = () => Promise.resolve(Response.json({ code: "not_found" }, { status: 404 }));
const broken: Sharer["fetch"] = () => Promise.reject(new TypeError("Failed to fetch"));
const breaking: Sharer["fetch"] = () =>
  Promise.resolve(new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError("network error")) })));
const large: Sharer["fetch"] = () => Promise.resolve(song({ "Content-Length": String(MAX_SHARED_BYTES + 1) }));

it.each<[string, Partial<Sharer>, string]>([
  ["the file is gone", { fetch: noFile }, "failed"],
  ["there is no network", { fetch: broken }, "failed"],
  ["the connection breaks", { fetch: breaking }, "failed"],
  ["the file is too large for the memory", { fetch: large }, "tooLarge"],
  ["the browser shares nothing", { canShare: undefined, share: undefined }, "unsupported"],
  ["the browser does not share such a file", { canShare: () => false }, "unsupported"],
  ["the menu fails", { share: () => Promise.reject(new DOMException("", "DataError")) }, "unsupported"],
])("says so when %s", async (_, parts, state) => {
  const { press, now, shared } = setUp(parts);
  await press();
  expect([now(), shared]).toEqual([state, []]);
});
