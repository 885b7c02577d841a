import { expect, it, vi } from "vitest";
import { boxesIn, findBox, MAX_BOXES, shiftIndex } from "./boxes.ts";

function box(type: string, ...bodies: Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}

/** One entry. */
function positions(position: number): Buffer {
  const table = Buffer.alloc(12);
  table.writeUInt32BE(1, 4);
  table.writeUInt32BE(position, 8);
  return box("stco", table);
}

const manyEmpty = (count: number): Buffer => Buffer.alloc(8 * count, box("free"));

it("no list of boxes is without end", () => {
  expect([...boxesIn(manyEmpty(MAX_BOXES + 1_000))]).toHaveLength(MAX_BOXES);
});

it("a box is looked for no further than to where it is", () => {
  const bytes = Buffer.concat([
    box("moov", box("mvhd"), box("trak", Buffer.from("first")), manyEmpty(1_000)),
    manyEmpty(1_000),
  ]);
  const headers = vi.spyOn(Buffer.prototype, "readUInt32BE");
  expect(findBox(bytes, "moov", "trak")?.toString()).toBe("first");
  expect(headers).toHaveBeenCalledTimes(3);
  headers.mockRestore();
});

it("an index is moved with all of its tables, or not at all", () => {
  const tables = (...more: Buffer[]): Buffer =>
    box(
      "moov",
      ...more,
      box("trak", box("mdia", box("minf", box("stbl", positions(100))))),
      box("trak", positions(200)),
    );
  expect(shiftIndex(tables(), 50, 100, 300)).toEqual(
    box("moov", box("trak", box("mdia", box("minf", box("stbl", positions(150))))), box("trak", positions(250))),
  );
  // The second table lies behind more boxes than are looked at.
  expect(shiftIndex(tables(manyEmpty(MAX_BOXES - 4)), 50, 100, 300)).toBeUndefined();
  const nested = Buffer.concat([Buffer.alloc(8 * 10_000), positions(100)]);
  for (let depth = 0; depth < 10_000; depth += 1) {
    nested.writeUInt32BE(nested.length - depth * 8, depth * 8);
    nested.write("moov", depth * 8 + 4, "latin1");
  }
  expect(shiftIndex(nested, 50, 100, 300)).toBeUndefined();
});
