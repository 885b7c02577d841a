import { expect, it } from "vitest";
import { piecesOfPart } from "./join-pieces.ts";

it.each([
  ["all of it", [0, 6], [0, 3]],
  ["within one", [2.5, 3.5], [1, 2]],
  ["from border to border", [2, 4], [1, 2]],
  ["over a border", [1.99, 2.01], [0, 2]],
  ["to the end and further", [5, 100], [2, 3]],
  ["behind the end", [6, 7], [2, 3]],
] as const)("takes the pieces that a part needs: %s", (_, [startSeconds, endSeconds], [first, end]) => {
  expect(piecesOfPart([2, 2, 2], { startSeconds, endSeconds })).toEqual({ first, end });
});
