import { expect, it } from "vitest";
import { search } from "./search.ts";

const ENTRIES = ["L'été à Malmö", "Rain, part 17", "Part 1 of the rain", "صوت المطر", "बारिश की आवाज़"].map((title) => ({
  title,
}));

it.each([
  ["", [0, 1, 2, 3, 4]],
  ["  ", [0, 1, 2, 3, 4]],
  ["ete MALMO", [0]],
  ["rain part", [1, 2]],
  ["part 17", [1]],
  ["المطر", [3]],
  ["आवाज़", [4]],
  ["snow", []],
])("finds by %j the entries whose titles have all words", (query, found) =>
  expect(search(ENTRIES, query)).toEqual(found),
);
