/** Malformed indexes: they must be rejected with few reads and little memory. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { NotPlainAac } from "./aac-frames.ts";
import { findPlainAac } from "./find-plain-aac.ts";
import { SourceBytes } from "./source-bytes.ts";

const folder = await testFolder();

const FRAME_BYTES = 100;
const FRAMES = 20;

function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [position, number] of numbers.entries()) bytes.writeUInt32BE(number, position * 4);
  return bytes;
}

function box(type: string, ...bodies: Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  return Buffer.concat([words(body.length + 8), Buffer.from(type, "latin1"), body]);
}

function tagged(tag: number, ...bodies: Buffer[]): Buffer {
  const body = Buffer.concat(bodies);
  return Buffer.concat([Buffer.from([tag, body.length]), body]);
}

/** Low complexity, stereo at 44.1 kHz. */
const SETTINGS = tagged(0x05, Buffer.from([0x12, 0x10]));
const ESDS = box(
  "esds",
  words(0),
  tagged(0x03, Buffer.from([0, 1, 0]), tagged(0x04, Buffer.from([0x40, 0x15]), Buffer.alloc(11), SETTINGS)),
);
const DESCRIPTION = box("stsd", words(0, 1, 36 + ESDS.length), Buffer.from("mp4a"), Buffer.alloc(28), ESDS);
const TYPE = box("ftyp", Buffer.from("isom"));
const EMPTY = box("free");

interface Tables {
  /** Number of frames in the table of durations. */
  readonly frames?: number;
  /** Number of frames in the table of sizes. */
  readonly sized?: number;
  readonly perChunk?: number;
  readonly isFragmented?: boolean;
}

function movie({ frames = FRAMES, sized = frames, perChunk = FRAMES, isFragmented = false }: Tables): Buffer {
  const tables = [
    box("stts", words(0, 1, frames, 1_024)),
    box("stsc", words(0, 1, 1, perChunk, 1)),
    box("stsz", words(0, FRAME_BYTES, sized)),
    box("stco", words(0, 1, 0)),
  ];
  const media = [
    box("mdhd", words(0, 0, 0, 44_100, 0, 0)),
    box("hdlr", words(0, 0), Buffer.from("soun"), Buffer.alloc(12)),
    box("minf", box("stbl", DESCRIPTION, ...tables)),
  ];
  return box(
    "moov",
    box("mvhd", words(0, 0, 0, 1_000, 0)),
    ...(isFragmented ? [box("mvex")] : []),
    box("trak", box("tkhd", words(0, 0, 0, 1, 0)), box("mdia", ...media)),
  );
}

/** @returns a fragment whose frames all have {@link FRAME_BYTES} */
function fragment(frames: number): Buffer {
  const header = box("tfhd", words(0x02_0010, 1, FRAME_BYTES));
  const whole = (mediaOffset: number): Buffer =>
    box("moof", box("traf", header, box("trun", words(1, frames, mediaOffset))));
  return whole(whole(0).length + 8);
}
const MEDIA = box("mdat", Buffer.alloc(FRAMES * FRAME_BYTES));

/** @returns whether sound was found, the bytes read or the error, and how often the file's length was read */
async function read(...parts: Buffer[]): Promise<{ isFound: boolean; soundBytes: unknown; lengthReads: number }> {
  const path = join(folder, "odd.mp4");
  const whole = Buffer.concat(parts);
  await writeFile(path, whole);
  let lengthReads = 0;
  const growth = {
    get wholeBytes(): number {
      lengthReads += 1;
      return whole.length;
    },
    atLeast: () => Promise.resolve(whole.length),
  };
  await using bytes = await SourceBytes.open(path, new AbortController().signal, growth);
  const plain = await findPlainAac(bytes);
  let soundBytes = 0;
  try {
    for await (const part of plain?.read(bytes) ?? []) soundBytes += part.length;
  } catch (error) {
    return { isFound: plain !== undefined, soundBytes: error, lengthReads };
  }
  return { isFound: plain !== undefined, soundBytes, lengthReads };
}

it("reads a valid index, fragmented or not", async () => {
  const soundBytes = FRAMES * (FRAME_BYTES + 7);
  expect(await read(TYPE, movie({}), MEDIA)).toMatchObject({ isFound: true, soundBytes });
  expect(await read(TYPE, movie({ isFragmented: true }), fragment(FRAMES), MEDIA, EMPTY)).toMatchObject({
    isFound: true,
    soundBytes,
  });
});

it.each([
  { name: "more sizes than durations", tables: { sized: 0xffff_ffff } },
  { name: "billions of frames of one size", tables: { frames: 0xffff_ffff } },
  { name: "fewer sizes than durations", tables: { sized: FRAMES - 1 } },
])("rejects an index with $name", async ({ tables }) => {
  expect(await read(TYPE, movie(tables), MEDIA)).toMatchObject({ isFound: false });
});

it("rejects an index whose chunks have no frames", async () => {
  expect(await read(TYPE, movie({ perChunk: 0 }), MEDIA)).toMatchObject({ soundBytes: expect.any(NotPlainAac) });
});

it("rejects a fragment with millions of frames of one size", async () => {
  expect(await read(TYPE, movie({ isFragmented: true }), fragment(2_000_000), MEDIA)).toMatchObject({
    soundBytes: expect.any(NotPlainAac),
  });
});

it("gives up searching the index after a bounded number of boxes", async () => {
  const { isFound, lengthReads } = await read(TYPE, Buffer.alloc(8 * 1_000, EMPTY), movie({}), MEDIA);
  expect(isFound).toBe(false);
  expect(lengthReads).toBeLessThan(200);
});

it("gives up searching the next fragment after a bounded number of boxes", async () => {
  const { soundBytes, lengthReads } = await read(
    TYPE,
    movie({ isFragmented: true }),
    fragment(FRAMES),
    MEDIA,
    Buffer.alloc(8 * 1_000, EMPTY),
    fragment(FRAMES),
    MEDIA,
  );
  expect(soundBytes).toBeInstanceOf(NotPlainAac);
  expect(lengthReads).toBeLessThan(200);
});

it("rejects a fragment with too many parts", async () => {
  expect(
    await read(TYPE, movie({ isFragmented: true }), box("moof", Buffer.alloc(8 * 1_000, EMPTY)), MEDIA),
  ).toMatchObject({ soundBytes: expect.any(NotPlainAac) });
});
