import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { readJoinedFiles } from "./file-starts.ts";

const WINDOW_BYTES = 1_048_576;
const HEADER = Buffer.from("1a45dfa38442868101", "hex");
/** A segment with that many bytes of content; of an unknown size without a number. */
function matroska(contentBytes: number, states = true): Buffer {
  const size = Buffer.alloc(8, 0xff);
  size.writeUInt8(0x01, 0);
  if (states) size.writeUIntBE(contentBytes, 2, 6);
  if (states) size.writeUInt8(0, 1);
  return Buffer.concat([HEADER, Buffer.from("18538067", "hex"), size, Buffer.alloc(contentBytes, 0xa3)]);
}
const FLV = Buffer.from("464c5601050000000900000000", "hex");
const flv = (bytes: number): Buffer => Buffer.concat([FLV, Buffer.alloc(bytes, 0x12)]);

const folder = await testFolder();

async function startsOf(bytes: Buffer, most = 10): Promise<number[]> {
  const path = join(folder, crypto.randomUUID());
  await writeFile(path, bytes);
  return (await readJoinedFiles(path, most)).map(({ start }) => start);
}

it.each([
  ["a Matroska file", matroska(1_000), [0]],
  ["two that state their size", Buffer.concat([matroska(1_000), matroska(500)]), [0, 1_021]],
  ["two that do not", Buffer.concat([matroska(1_000, false), matroska(500, false)]), [0, 1_021]],
  ["a file that is cut off", matroska(1_000).subarray(0, 600), [0]],
  ["bytes behind the end that are no file", Buffer.concat([matroska(1_000), Buffer.alloc(300)]), [0]],
  ["three FLV files", Buffer.concat([flv(100), flv(5), flv(70)]), [0, 113, 131]],
  ["a mark in the media", Buffer.concat([flv(100), Buffer.from("FLV\u0001"), Buffer.alloc(90)]), [0]],
  ["another kind", Buffer.concat([Buffer.from("RIFF"), matroska(9)]), [0]],
  ["nothing", Buffer.alloc(0), [0]],
])("finds where the files begin in %s", async (_, bytes, starts) => {
  expect(await startsOf(bytes)).toEqual(starts);
});

it("finds a header on the border of two reads", async () => {
  for (const before of [-13, -8, -1, 0, 1])
    expect(await startsOf(Buffer.concat([flv(WINDOW_BYTES + before), flv(10)]))).toEqual([
      0,
      FLV.length + WINDOW_BYTES + before,
    ]);
});

it("ends each file where the next one begins, and the last one with the file", async () => {
  const path = join(folder, "two.flv");
  await writeFile(path, Buffer.concat([flv(100), flv(5)]));
  expect(await readJoinedFiles(path, 10)).toEqual([
    { start: 0, end: 113 },
    { start: 113, end: 131 },
  ]);
});

it("looks for no more files than are wanted", async () => {
  expect(await startsOf(Buffer.concat(Array.from({ length: 50 }, () => flv(1))), 3)).toHaveLength(4);
});
