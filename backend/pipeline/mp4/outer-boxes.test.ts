import { expect, it } from "vitest";
import type { Box } from "./boxes.ts";
import { allBoxes, boxesBetween, readContent, type ReadAt } from "./outer-boxes.ts";
import { box } from "./write-box.ts";
import { u32 } from "./write-index.ts";

const TYPE = box("ftyp", Buffer.from("isom"));
/** With a size of eight bytes. */
const LONG = Buffer.concat([u32(1), Buffer.from("mdat"), u32(0, 20), Buffer.alloc(4)]);
const OPEN = Buffer.concat([u32(0), Buffer.from("mdat"), Buffer.alloc(4)]);
const FREE = box("free");

const reader = (file: Buffer): ReadAt => {
  return (position, count) => Promise.resolve(file.subarray(position, position + count));
};

async function listed(boxes: AsyncIterable<Box>): Promise<string> {
  const texts: string[] = [];
  for await (const { type, start, contentStart, end } of boxes) texts.push(`${type} ${start} ${contentStart} ${end}`);
  return texts.join(", ");
}

it.each<[string, Buffer, string]>([
  ["short and long sizes", Buffer.concat([TYPE, LONG, FREE]), "ftyp 0 8 12, mdat 12 28 32, free 32 40 40"],
  ["a box up to the end of the file", Buffer.concat([TYPE, OPEN]), "ftyp 0 8 12, mdat 12 20 24"],
  ["a box that is longer than the file", Buffer.concat([TYPE, LONG.subarray(0, -2)]), "ftyp 0 8 12, mdat 12 28 32"],
  ["a header that is cut off", Buffer.concat([TYPE, FREE.subarray(0, -1)]), "ftyp 0 8 12"],
  ["a long header that is cut off", Buffer.concat([TYPE, LONG.subarray(0, 15)]), "ftyp 0 8 12"],
  ["a size below that of the header", Buffer.concat([TYPE, u32(7, 0, 0, 0)]), "ftyp 0 8 12"],
  ["nothing", Buffer.alloc(0), ""],
])("boxesBetween reads %s", async (_, file, expected) => {
  expect(await listed(boxesBetween(reader(file), 0, file.length, 9))).toBe(expected);
});

it("boxesBetween reads no header beyond its bounds", async () => {
  const file = Buffer.concat([TYPE, FREE, FREE, FREE]);
  expect(await listed(boxesBetween(reader(file), TYPE.length, TYPE.length + 12, 9))).toBe("free 12 20 20");
  expect(await listed(boxesBetween(reader(file), 0, file.length, 2))).toBe("ftyp 0 8 12, free 12 20 20");
});

it.each<[string, Buffer, number]>([
  ["after more boxes than allowed", Buffer.concat([TYPE, FREE, FREE]), 2],
  ["at a header that is cut off", Buffer.concat([TYPE, FREE.subarray(0, -1)]), 9],
  ["at a size below that of the header", Buffer.concat([TYPE, u32(7, 0, 0, 0)]), 9],
  ["at zeros in place of a header", Buffer.concat([TYPE, Buffer.alloc(16)]), 9],
  ["for a box that is longer than the file", Buffer.concat([TYPE, LONG.subarray(0, -1)]), 9],
])("allBoxes throws %s", async (_, file, maxBoxes) => {
  await expect(listed(allBoxes(reader(file), 0, maxBoxes))).rejects.toThrow(RangeError);
});

it("allBoxes ends with the file", async () => {
  const file = Buffer.concat([TYPE, LONG]);
  expect(await listed(allBoxes(reader(file), 0, 2))).toBe("ftyp 0 8 12, mdat 12 28 32");
});

it("readContent reads no content that is too long or cut off", async () => {
  const found: Box = { type: "ftyp", start: 0, contentStart: 8, end: 12 };
  expect(String(await readContent(reader(TYPE), found, 4))).toBe("isom");
  await expect(readContent(reader(TYPE), found, 3)).rejects.toThrow(RangeError);
  await expect(readContent(reader(TYPE.subarray(0, -1)), found, 4)).rejects.toThrow(RangeError);
});
