import { expect, it } from "vitest";
import { MAX_CHAPTERS_LENGTH, storedChapters } from "./stored-chapters.ts";

it("stores chapters up to a length, and none of longer ones", () => {
  const withTitle = (length: number) => [{ title: "a".repeat(length), startSeconds: 0 }];
  const length = MAX_CHAPTERS_LENGTH - JSON.stringify(withTitle(0)).length;
  expect(storedChapters(withTitle(length))).toEqual(withTitle(length));
  expect(storedChapters(withTitle(length + 1))).toBeUndefined();
});
