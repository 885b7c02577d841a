import { expect, it } from "vitest";
import { findCopiedSpan, type StoredFrame } from "./copied-span.ts";

/** @param times in the order in which frames are stored; key frames are written with a K */
function framesOf(times: string): readonly StoredFrame[] {
  return times.split(" ").map((text, index) => ({
    time: Number.parseInt(text),
    sizeBytes: 10,
    position: 10 * index,
    isKey: text.endsWith("K"),
  }));
}

/** Frames 2, 1 and 3 times 10 after each key frame: those between need the one after them. */
const REORDERED = framesOf("0K 20 10 30K 50 40 60K 80 70 90K 110 100 120K 140 130");
const PLAIN = framesOf("0K 10 20 30K 40 50 60K 70 80");

it.each([
  ["between key frames", REORDERED, 15, 105, "head 20-30, 30 50 40 60 80 70, tail 90-105"],
  ["at key frames", REORDERED, 30, 90, "30 50 40 60 80 70"],
  ["just before a key frame", REORDERED, 25, 90, "30 50 40 60 80 70"],
  ["after the first frame of a group", REORDERED, 35, 90, "head 40-60, 60 80 70"],
  ["where the last frames need no later ones", REORDERED, 15, 81, "head 20-30, 30 50 40 60 80 70"],
  ["where a frame needs a later one that is left out", REORDERED, 15, 78, "head 20-30, 30 50 40, tail 60-78"],
  ["at the end", REORDERED, 15, 200, "head 20-30, 30 50 40 60 80 70 90 110 100 120 140 130"],
  ["anywhere without reordering", PLAIN, 12, 75, "head 20-30, 30 40 50 60 70"],
  ["within one group", REORDERED, 32, 55, undefined],
  ["with one group", REORDERED, 30, 55, "30 50 40"],
  ["with one group, and it needs a later frame", REORDERED, 30, 45, undefined],
  ["before the first frame", framesOf("10K 20 30"), 2, 30, "10 20"],
  ["where a key frame is no border", framesOf("0K 20 10 50K 40 30 60"), 15, 55, undefined],
  ["where two frames have the same time", framesOf("0K 10 10 20K 30"), 5, 30, undefined],
])("finds what can be copied of a part that begins and ends %s", (_, frames, start, end, expected) => {
  const span = findCopiedSpan(frames, start, end, 0);
  const edge = (name: string, found: { from: number; to: number } | undefined) =>
    found ? [`${name} ${found.from}-${found.to}`] : [];
  const text = span && [
    ...edge("head", span.head),
    span.copied.map(({ time }) => time).join(" "),
    ...edge("tail", span.tail),
  ];
  expect(text?.join(", ")).toBe(expected);
});
