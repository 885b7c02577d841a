import { expect, it } from "vitest";
import { isPlain, mayHoldLink, readNow, readText } from "./text-reader.ts";

const HOSTS = ["youtube.com", "youtu.be", "localhost:8090"];

it("loads the reader of damaged links, which then reads at once", async () => {
  const text = "(youtu.be/dQw4w9WgXcQ&t=3)";
  const link = "https://youtu.be/dQw4w9WgXcQ&t=3";
  expect(await readText(text, HOSTS)).toMatchObject({ links: [link], previewed: link, namesList: false });
  expect(readNow("https://example.com/x", HOSTS)).toMatchObject({
    links: [],
    previewed: null,
    other: "https://example.com/x",
  });
  expect(readNow("https://example.com/x.", null)).toMatchObject({ links: ["https://example.com/x"] });
});

it.each([
  ["https://youtu.be/dQw4w9WgXcQ?si=x", true],
  ["http://localhost:8090/watch/rain?1", true],
  ["http://localhost:8091/watch/rain", false],
  ["http://localhost:8090/watch/rain.", false],
  ["https://youtube.com/results", false],
  ["https://youtu.be/dQw4w9WgXc", false],
])("isPlain says of %j: %j", (text, isOne) => expect(isPlain(text, HOSTS)).toBe(isOne));

it.each([
  ["vnd.youtube:dQw4w9WgXcQ", true],
  ["https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ", true],
  ["dQw4w9WgXcQ", true],
  ["v=dQw4w9WgXcQ", true],
  ["dQw4w9WgXcQ\naqz-KE-bpKQ", true],
  ["youtu.bedQw4w9WgXcQ", true],
  ["cats and dogs", false],
  ["cats and hippopotamuses", false],
])("mayHoldLink says of %j: %j", (text, may) => expect(mayHoldLink(text)).toBe(may));
