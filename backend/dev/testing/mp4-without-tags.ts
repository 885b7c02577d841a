import { boxesIn, shiftIndex } from "../../pipeline/mp4/boxes.ts";

/** @returns the MP4, which has its index in front, without any tags */
export function withoutTags(bytes: Buffer): Buffer {
  const index = [...boxesIn(bytes)].find(({ type }) => type === "moov");
  const tags = index && [...boxesIn(bytes, index.contentStart, index.end)].find(({ type }) => type === "udta");
  if (!index || tags?.end !== index.end) throw new TypeError("the tags are not last in the index");
  const rest = Buffer.from(bytes.subarray(index.start, tags.start));
  rest.writeUInt32BE(rest.length);
  const shifted = shiftIndex(rest, tags.start - tags.end, index.end, bytes.length);
  if (!shifted) throw new TypeError("the index cannot be moved");
  return Buffer.concat([bytes.subarray(0, index.start), shifted, bytes.subarray(index.end)]);
}
