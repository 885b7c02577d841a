import { expect, it } from "vitest";
import { createOwnLinks } from "./own-links.ts";

function memory(text: string | null = null) {
  let stored = text;
  return { getItem: () => stored, setItem: (_: string, value: string) => void (stored = value) };
}

it("knows the link of a job that the tab has started, also after a reload", () => {
  const storage = memory();
  createOwnLinks(storage).add("one", "https://youtu.be/a");
  const links = createOwnLinks(storage);
  expect([links.of("one"), links.of("two")]).toEqual(["https://youtu.be/a", undefined]);
});

it("stores the newest 50 links", () => {
  const storage = memory();
  const links = createOwnLinks(storage);
  for (let job = 1; job <= 51; job += 1) links.add(String(job), "https://youtu.be/a");
  const reloaded = createOwnLinks(storage);
  expect(["1", "2", "51"].map((id) => reloaded.of(id) !== undefined)).toEqual([false, true, true]);
});

it.each(["{", '{"a":1}'])("starts empty when the storage holds %s", (text) =>
  expect(createOwnLinks(memory(text)).of("a")).toBeUndefined(),
);
