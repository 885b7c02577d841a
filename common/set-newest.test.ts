import { expect, it } from "vitest";
import { setNewest } from "./set-newest.ts";

it("keeps the entries that were set last, each once and with its newest value", () => {
  const entries = new Map<string, number>();
  setNewest(entries, "a", 1, 2);
  setNewest(entries, "b", 2, 2);
  expect([...entries]).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  setNewest(entries, "a", 3, 2);
  setNewest(entries, "c", 4, 2);
  expect([...entries]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});
