import { expect, it } from "vitest";
import { segmentsOfPart } from "./segments-of-part.ts";

const plain = { urls: ["a", "b", "c", "d"], seconds: [4, 4, 4, 2] };
const withInit = { urls: ["init", ...plain.urls], seconds: [0, ...plain.seconds] };

it.each([
  [0, 1, ["a"], 0],
  [0, 3.9, ["a", "b"], 0],
  [4.3, 7.7, ["b"], 4],
  [4.1, 7.9, ["a", "b", "c"], 0],
  [9, 13, ["c", "d"], 8],
  [12.5, 14, ["d"], 12],
])("takes the segments that overlap with %d to %d s", (startSeconds, endSeconds, urls, skippedSeconds) => {
  const part = { startSeconds, endSeconds };
  const isSkipping = skippedSeconds > 0;
  expect(segmentsOfPart(plain, part)).toEqual({ urls, skippedSeconds, firstUrls: isSkipping ? ["a"] : undefined });
  expect(segmentsOfPart(withInit, part)).toEqual({
    urls: ["init", ...urls],
    skippedSeconds,
    firstUrls: isSkipping ? ["init", "a"] : undefined,
  });
});

it("leaves a part that needs everything, or that lies outside, to the whole", () => {
  expect(segmentsOfPart(plain, { startSeconds: 1, endSeconds: 13 })).toBeUndefined();
  expect(segmentsOfPart(plain, { startSeconds: 20, endSeconds: 25 })).toBeUndefined();
});

it("chooses none where a length is unknown", () => {
  expect(segmentsOfPart({ ...plain, seconds: [4, 0, 4, 2] }, { startSeconds: 1, endSeconds: 2 })).toBeUndefined();
  expect(segmentsOfPart({ ...plain, seconds: [4, 4] }, { startSeconds: 1, endSeconds: 2 })).toBeUndefined();
});
