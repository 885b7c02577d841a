import { expect, it } from "vitest";
import { clustersOfPart } from "./clusters-of-part.ts";

/** @returns an element with a size of one byte, or of eight where it is longer */
function element(id: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE((1n << 56n) | BigInt(body.length));
  const name = Buffer.from(id.toString(16), "hex");
  return Buffer.concat([name, body.length < 127 ? Buffer.from([0x80 | body.length]) : size, body]);
}

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const CLUSTER = element(0x1f43_b675, Buffer.alloc(1_000));

/** Three clusters of ten seconds; the cues come before them. */
function makeFile(cueIds = [0xbb, 0xbb, 0xbb]): { readonly bytes: Buffer; readonly firstStart: number } {
  const duration = Buffer.alloc(4);
  duration.writeFloatBE(30_000);
  const info = element(0x1549_a966, element(0x4489, duration));
  const cuesOf = (first: number): Buffer =>
    element(
      0x1c53_bb6b,
      ...cueIds.map((id, index) =>
        element(
          id,
          element(0xb3, number(index * 10_000)),
          element(0xb7, element(0xf1, number(first + index * CLUSTER.length))),
        ),
      ),
    );
  const before = info.length + cuesOf(0).length;
  const segment = element(0x1853_8067, info, cuesOf(before), CLUSTER, CLUSTER, CLUSTER);
  const bytes = Buffer.concat([element(0x1a45_dfa3, Buffer.alloc(4)), segment]);
  return { bytes, firstStart: bytes.length - 3 * CLUSTER.length };
}

const { bytes, firstStart } = makeFile();
const at = (cluster: number): number => firstStart + cluster * CLUSTER.length;

it.each([
  [0, 5, 0, 1, 0],
  [9, 9.4, 0, 1, 0],
  [10.2, 12, 0, 2, 0],
  [10.5, 19.6, 1, 3, 10],
  [25, 29, 2, 3, 20],
])("finds the clusters from %d to %d s", (startSeconds, endSeconds, first, end, skippedSeconds) => {
  expect(clustersOfPart(bytes, bytes.length, { startSeconds, endSeconds })).toMatchObject({
    range: { start: at(first), end: at(end) },
    firstStart,
    skippedSeconds,
    wholeSeconds: 30,
  });
});

it("describes the file without the places of its clusters", () => {
  const found = clustersOfPart(bytes, bytes.length, { startSeconds: 1, endSeconds: 2 });
  const description = found && "description" in found ? found.description : Buffer.alloc(0);
  expect(description).toHaveLength(firstStart);
  expect(bytes.includes(Buffer.from("1c53bb6b", "hex"))).toBe(true);
  expect(description.includes(Buffer.from("1c53bb6b", "hex"))).toBe(false);
});

it("asks for more bytes where the cues are cut off", () => {
  const part = { startSeconds: 1, endSeconds: 2 };
  const wanted = clustersOfPart(bytes.subarray(0, firstStart - 10), bytes.length, part);
  expect(wanted).toEqual({ neededBytes: firstStart + 64 });
});

it("finds none without cues, and in what is no WebM", () => {
  const part = { startSeconds: 1, endSeconds: 2 };
  expect(clustersOfPart(makeFile([]).bytes, bytes.length, part)).toBeUndefined();
  expect(clustersOfPart(Buffer.alloc(4_096), 4_096, part)).toBeUndefined();
  expect(clustersOfPart(Buffer.from("RIFF....WAVEfmt "), 4_096, part)).toBeUndefined();
  expect(clustersOfPart(bytes.subarray(0, 3), bytes.length, part)).toBeUndefined();
});
