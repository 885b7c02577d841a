import { expect, it, vi } from "vitest";
import { boxesIn, findBox, MAX_BOXES, shiftIndex } from "./boxes.ts";

function box(type: string, ...bodies: Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}

/** @returns a chunk offset table with one entry */
function chunkOffsets(position: number): Buffer {
  const table = Buffer.alloc(12);
  table.writeUInt32BE(1, 4);
  table.writeUInt32BE(position, 8);
  return box("stco", table);
}

const manyEmpty = (count: number): Buffer => Buffer.alloc(8 * count, box("free"));

it("boxesIn ends after MAX_BOXES boxes", () => {
  expect([...boxesIn(manyEmpty(MAX_BOXES + 1_000))]).toHaveLength(MAX_BOXES);
});

it("findBox reads no header after the box that it finds", () => {
  const bytes = Buffer.concat([
    box("moov", box("mvhd"), box("trak", Buffer.from("first")), manyEmpty(1_000)),
    manyEmpty(1_000),
  ]);
  const headers = vi.spyOn(Buffer.prototype, "readUInt32BE");
  expect(findBox(bytes, "moov", "trak")?.toString()).toBe("first");
  expect(headers).toHaveBeenCalledTimes(3);
  headers.mockRestore();
});

it("shiftIndex changes all chunk offset tables, or returns undefined", () => {
  const tables = (...more: Buffer[]): Buffer =>
    box(
      "moov",
      ...more,
      box("trak", box("mdia", box("minf", box("stbl", chunkOffsets(100))))),
      box("trak", chunkOffsets(200)),
    );
  expect(shiftIndex(tables(), 50, 100, 300)).toEqual(
    box("moov", box("trak", box("mdia", box("minf", box("stbl", chunkOffsets(150))))), box("trak", chunkOffsets(250))),
  );
  // The second table comes after more boxes than are read.
  expect(shiftIndex(tables(manyEmpty(MAX_BOXES - 4)), 50, 100, 300)).toBeUndefined();
  const nested = Buffer.concat([Buffer.alloc(8 * 10_000), chunkOffsets(100)]);
  for (let depth = 0; depth < 10_000; depth += 1) {
    nested.writeUInt32BE(nested.length - depth * 8, depth * 8);
    nested.write("moov", depth * 8 + 4, "latin1");
  }
  expect(shiftIndex(nested, 50, 100, 300)).toBeUndefined();
});
