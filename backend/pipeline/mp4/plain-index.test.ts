import { expect, it } from "vitest";
import { withPlainParts } from "./plain-index.ts";
import { box } from "./write-box.ts";

const HEADER = box("mvhd", Buffer.alloc(100));
const SAMPLES = box("stbl", box("stsz", Buffer.alloc(12)));
const handler = (name: string): Buffer => box("hdlr", Buffer.alloc(24), Buffer.from(`${name}\0`));
const track = (name: string, ...more: readonly Buffer[]): Buffer =>
  box("trak", box("mdia", handler(name), box("minf", SAMPLES)), ...more);

it("keeps what playing needs, and leaves out metadata and names on every level", () => {
  const metadata = box("udta", Buffer.from("private"));
  const index = box("moov", HEADER, track("made by a site", metadata), box("meta", Buffer.from("private")), metadata);
  expect(withPlainParts(index)).toEqual(box("moov", HEADER, track("")));
});

it("returns undefined when a box ends elsewhere than its parts", () => {
  const index = box("moov", HEADER, track(""));
  expect(withPlainParts(index)).toEqual(index);
  expect(withPlainParts(index.subarray(0, -1))).toBeUndefined();
  expect(withPlainParts(Buffer.concat([index, Buffer.alloc(1)]))).toBeUndefined();
  expect(withPlainParts(box("moov", HEADER, box("trak", Buffer.alloc(3))))).toBeUndefined();
  expect(withPlainParts(Buffer.alloc(0))).toBeUndefined();
});
