import { expect, it } from "vitest";
import type { MediaFile } from "../probe/media-file.ts";
import { planSeeks, planSeeksToPacket } from "./seeks.ts";

/** A file whose first picture is that much behind its sound. */
const withPictureAt = (firstSeconds: number, container = "matroska,webm"): readonly [MediaFile] => [
  {
    path: "",
    sizeBytes: 1,
    container,
    hasAttachedPicture: false,
    video: { index: 0, codec: "h264", pixelFormat: "yuv420p", widthPixels: 320, heightLines: 180, firstSeconds },
  },
];
const partFrom = (startSeconds: number) => ({ startSeconds, endSeconds: startSeconds + 3 });

it.each([
  // Fifteen seconds before the part there is no picture yet.
  [34.9, 0, 34.9],
  [35, 20, 15],
  [40, 25, 15],
])("decodes from the beginning, where reading would begin before the first picture: %d s", (start, seek, lead) => {
  const { inputs, leadSeconds } = planSeeks(partFrom(start), withPictureAt(20));
  expect([inputs[0]?.seekSeconds, leadSeconds]).toEqual([seek, lead]);
});

it.each([
  [19.9, 0, 19.9],
  [20, 20, 0],
])("copies from the beginning, where a part begins before the first picture: %d s", (start, seek, lead) => {
  const { inputs, leadSeconds } = planSeeksToPacket(partFrom(start), withPictureAt(20));
  expect([inputs[0]?.seekSeconds, leadSeconds]).toEqual([seek, lead]);
});
