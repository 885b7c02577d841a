import { expect, it } from "vitest";
import { memoryStorage } from "../testing/memory-storage.ts";
import { createOwnLinks } from "./own-links.ts";

it("knows the link of a job that the tab has started, also after a reload", () => {
  const storage = memoryStorage();
  createOwnLinks(storage).add("one", "https://youtu.be/a");
  const links = createOwnLinks(storage);
  expect([links.of("one"), links.of("two")]).toEqual(["https://youtu.be/a", undefined]);
});

it("stores the newest 50 links", () => {
  const storage = memoryStorage();
  const links = createOwnLinks(storage);
  for (let job = 1; job <= 51; job += 1) links.add(String(job), "https://youtu.be/a");
  const reloaded = createOwnLinks(storage);
  expect(["1", "2", "51"].map((id) => reloaded.of(id) !== undefined)).toEqual([false, true, true]);
});

it("keeps what another tab has stored meanwhile, and forgets all at once", () => {
  const storage = memoryStorage();
  const [links, ofOtherTab] = [createOwnLinks(storage), createOwnLinks(storage)];
  links.add("one", "https://youtu.be/a");
  ofOtherTab.add("two", "https://youtu.be/b");
  expect(links.of("two")).toBe("https://youtu.be/b");
  expect(createOwnLinks(storage).of("one")).toBe("https://youtu.be/a");
  links.forget();
  expect(links.of("one")).toBeUndefined();
});

it.each(["{", '{"a":1}'])("starts empty when the storage holds %s", (text) =>
  expect(createOwnLinks(memoryStorage(new Map([["tapedeck.own-links", text]]))).of("a")).toBeUndefined(),
);
