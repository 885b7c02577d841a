import * as fc from "fast-check";
import { expect, it } from "vitest";
import { uniqueNames } from "./zip-names.ts";

it.each<[string[], string[]]>([
  [["a.mp3", "a.mp3", "a.mp3"], ["a.mp3", "a (2).mp3", "a (3).mp3"]],
  [["Rain.mp4", "rain.mp4"], ["Rain.mp4", "rain (2).mp4"]],
  [["a (2).mp3", "a.mp3", "a.mp3"], ["a (2).mp3", "a.mp3", "a (3).mp3"]],
  [["A: part one.mp3"], ["A_ part one.mp3"]],
  [["caf\u00e9.mp3", "cafe\u0301.mp3"], ["caf\u00e9.mp3", "cafe\u0301 (2).mp3"]],
])("%j lie side by side as %j", (names, expected) => {
  expect(uniqueNames(names)).toEqual(expected);
});

it("never gives two files one name", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a.mp3", "A.mp3", "a (2).mp3", "a (3).mp3", "b.mp4", "b")), (names) => {
      const unique = uniqueNames(names);
      expect(new Set(unique.map((name) => name.toLowerCase())).size).toBe(names.length);
    }),
  );
});
