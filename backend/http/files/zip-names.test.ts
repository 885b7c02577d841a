import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { uniqueNames } from "./zip-names.ts";

const LONG = "語".repeat(83);

it.each<[string[], string[]]>([
  [
    ["a.mp3", "a.mp3", "a.mp3"],
    ["a.mp3", "a (2).mp3", "a (3).mp3"],
  ],
  [
    ["Rain.mp4", "rain.mp4"],
    ["Rain.mp4", "rain (2).mp4"],
  ],
  [
    ["a (2).mp3", "a.mp3", "a.mp3"],
    ["a (2).mp3", "a.mp3", "a (3).mp3"],
  ],
  [
    ["caf\u00e9.mp3", "cafe\u0301.mp3"],
    ["caf\u00e9.mp3", "cafe\u0301 (2).mp3"],
  ],
  [
    ["Straße.mp3", "STRASSE.mp3"],
    ["Straße.mp3", "STRASSE (2).mp3"],
  ],
  [
    ["\u{1f441}.mp3", "\u{1f441}\ufe0f.mp3"],
    ["\u{1f441}.mp3", "\u{1f441}\ufe0f (2).mp3"],
  ],
  [
    [`${LONG}.mp3`, `${LONG}.mp3`],
    [`${LONG}.mp3`, `${"語".repeat(82)} (2).mp3`],
  ],
])("renames %j to %j", (names, expected) => {
  expect(uniqueNames(names)).toEqual(expected);
});

it("never returns the same name twice, nor one that is too long", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          "a.mp3",
          "A.mp3",
          "a (2).mp3",
          "a (3).mp3",
          "b.mp4",
          "b",
          `${LONG}.mp3`,
          `${"A".repeat(251)}.mp3`,
          `${"a".repeat(251)}.mp3`,
        ),
      ),
      (names) => {
        const unique = uniqueNames(names);
        expect(new Set(unique.map((name) => name.toLowerCase())).size).toBe(names.length);
        for (const name of unique) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
      },
    ),
  );
});

it.each([
  ["of one title", () => "a.mp3"],
  ["of titles that are cut to the same one", (index: number) => `${LONG.slice(0, 82)}${index % 500}.mp3`],
])("gives many files %s their names without comparing each with all others", (_, nameOf) => {
  const compared = vi.spyOn(Set.prototype, "has");
  try {
    const count = 1_000;
    expect(new Set(uniqueNames(Array.from({ length: count }, (__, index) => nameOf(index)))).size).toBe(count);
    expect(compared.mock.calls.length).toBeLessThan(3 * count);
  } finally {
    compared.mockRestore();
  }
});
