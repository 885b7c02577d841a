/** What of a fetched or growing MP4 is kept as it is, and what is not; stream-mp4.full.test.ts runs the tools. */
import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { withIndexLast } from "../../dev/stand-ins/sample-site/file-answers.ts";
import { CLIP_SECONDS, GrowingMp4s } from "../../dev/testing/growing-mp4s.ts";
import { withoutTags } from "../../dev/testing/mp4-without-tags.ts";
import { isWholeWithIndexInFront } from "../mp4/layout.ts";
import { makeMp4WhileFetching, type StreamedMp4Work } from "./stream-mp4.ts";

const clips = await ofFile(GrowingMp4s.open());

it("does not move a source that is cut off, has its index at the end, or has bytes after its media", async () => {
  const whole = await readFile(clips.at("whole.mp4"));
  const variants = {
    cut: whole.subarray(0, -1_000),
    last: withIndexLast(whole),
    more: Buffer.concat([whole, Buffer.alloc(64)]),
  };
  const found: Record<string, boolean> = {};
  for (const [name, bytes] of Object.entries(variants)) {
    await writeFile(clips.at(`${name}.mp4`), bytes);
    found[name] = await isWholeWithIndexInFront(clips.at(`${name}.mp4`));
  }
  expect(found).toEqual({ cut: false, last: false, more: false });
  expect(await isWholeWithIndexInFront(clips.at("whole.mp4"))).toBe(true);
  expect(await isWholeWithIndexInFront(clips.at("picture.mp4"))).toBe(false);
});

it("says which bytes of a copied source are there, and how many there will be", async () => {
  await writeFile(clips.at("bare-read.mp4"), withoutTags(await readFile(clips.at("whole.mp4"))));
  const reads: { readonly bytes: Buffer; readonly final: FinalBytes }[] = [];
  const partRead = Promise.withResolvers<void>();
  const source = await clips.growing("bare-read.mp4", 0.7, partRead.promise);
  const work: StreamedMp4Work = {
    ...clips.workFor([source], "read.mp4", CLIP_SECONDS),
    onWritten: (final) => {
      reads.push({ bytes: readFileSync(clips.at("read.mp4")).subarray(final.from, final.to), final });
      partRead.resolve();
    },
  };
  await makeMp4WhileFetching(work);
  await clips.close([source]);
  const made = await readFile(clips.at("read.mp4"));
  expect(reads.length).toBeGreaterThan(1);
  for (const { bytes, final } of reads) {
    expect(final).toEqual({ from: 0, to: bytes.length, standIn: new Uint8Array(), sizeBytes: made.length });
    expect(bytes.equals(made.subarray(0, bytes.length))).toBe(true);
  }
  expect(reads.at(-1)?.bytes.length).toBe(made.length);
});

it.each([
  ["shorter than the site states", 1, CLIP_SECONDS + 60],
  ["cut off", 0.9, CLIP_SECONDS],
] as const)("does not keep a copy of a source that is %s", async (_, share, durationSeconds) => {
  const bare = withoutTags(await readFile(clips.at("whole.mp4")));
  await writeFile(clips.at("less.mp4"), bare.subarray(0, Math.floor(bare.length * share)));
  const one = await clips.growing("less.mp4", 1, Promise.resolve());
  const work = clips.workFor([{ ...one, durationSeconds }], "never.mp4");
  const made = makeMp4WhileFetching(work).catch((error: unknown) =>
    error instanceof ConversionError ? error.code : error,
  );
  expect(await made).toBe(share === 1 ? "network" : undefined);
  expect(await readdir(clips.folder)).not.toContain("never.mp4");
  await clips.close([one]);
});
