/** Converts pages of the sample site to the original sound, FLAC and WAV, and compares the sound with its source. */
import { parseFile } from "music-metadata";
import { describe, expect, it } from "vitest";
import type { FileKind } from "../../common/findings.ts";
import { TIERS, type Format, type TierLimits } from "../../common/tiers.ts";
import { ffmpeg } from "../dev/testing/ffmpeg.ts";
import { ofFile } from "../dev/testing/of-file.ts";
import { samplePipeline } from "../dev/testing/sample-pipeline.ts";
import type { MadeFile } from "../dev/testing/told-findings.ts";
import type { PageName } from "../dev/stand-ins/sample-site/sample-site.ts";
import type { Found } from "./conversion.ts";

const sample = await ofFile(samplePipeline());

/** @param check gets the file before its folder is removed, and the kinds that the listener was told */
async function converted(
  page: PageName,
  format: Format,
  check?: (file: MadeFile, kinds: readonly FileKind[]) => Promise<void>,
  limits: TierLimits = TIERS.pro,
): Promise<MadeFile> {
  const kinds: FileKind[] = [];
  const listener = { found: ({ fileKind }: Found) => void (fileKind && kinds.push(fileKind)) };
  return await sample.convert({ page, format, limits, listener, check: (file) => check?.(file, kinds) });
}
/** @returns the address of a clip, or of its playlist; ffmpeg reads several files, parted by "|", as one */
const clip = (paths: string): string => {
  const addresses = paths.split("|").map((path) => new URL(`/clips/${path}`, sample.site.origin).href);
  return addresses.length > 1 ? `concat:${addresses.join("|")}` : addresses.join("");
};

async function hashOf(input: string, ...args: string[]): Promise<string> {
  const protocols = ["-protocol_whitelist", "file,crypto,http,tcp,concat"];
  const hash = ["-f", "streamhash", "-hash", "md5", "-"];
  return (await ffmpeg(...protocols, "-i", input, "-map", "0:a:0", ...args, ...hash)).stdout;
}
/** Transport streams have AAC with a header for each packet; MP4 has it without. */
const packetsOf = (input: string, codec: string): Promise<string> =>
  hashOf(input, "-c", "copy", ...(codec === "aac" ? ["-bsf:a", "aac_adtstoasc"] : []));
const samplesOf = (input: string): Promise<string> => hashOf(input, "-c:a", "pcm_s16le");

/** As many segments as the length in the manifest has; the encoder wrote a seventh for its own padding. */
const DASH_FILES = ["init-4.m4s", ...Array.from({ length: 6 }, (_, index) => `part-4-${index + 1}.m4s`)];

/** A page, the clip behind it, its codec, and what its original sound is stored as. */
const SOURCES = [
  ["a progressive MP4 with a picture", "rain", "rain/video.mp4", "aac", "m4a"],
  ["HLS", "tide", "tide/720/index.m3u8", "aac", "m4a"],
  ["DASH", "observatory", DASH_FILES.map((name) => `observatory/${name}`).join("|"), "aac", "m4a"],
  ["a sound-only M4A", "cello", "cello/audio.m4a", "aac", "m4a"],
  ["WebM with Opus", "lanterns", "lanterns/video.webm", "opus", "opus"],
] as const;

describe.each(SOURCES)("the sound of %s", (_, page, path, codec, kind) => {
  it("is copied packet by packet as the original, with its tags", async () => {
    await converted(page, "original", async (file, kinds) => {
      expect(kinds).toEqual([kind]);
      expect(file.fileKind).toBe(kind);
      expect(await packetsOf(file.path, codec)).toBe(await packetsOf(clip(path), codec));
      const { common, format } = await parseFile(file.path);
      expect(common.title).toBeTruthy();
      expect(format.container).toMatch(kind === "m4a" ? /^M4A/ : /^Ogg/);
      expect(common.picture).toHaveLength(1);
    });
  });
});

it.each([
  ...SOURCES.map(([, page, path]) => ["flac", page, path] as const),
  // After decoding, it takes the way of FLAC: one source for each codec.
  ["wav", "cello", "cello/audio.m4a"],
  ["wav", "lanterns", "lanterns/video.webm"],
] as const)("stores in %s the samples of %s", async (format, page, path) => {
  await converted(page, format, async (file, kinds) => {
    expect(kinds).toEqual([]);
    expect(await samplesOf(file.path)).toBe(await samplesOf(clip(path)));
    const { common, format: found } = await parseFile(file.path);
    expect(found).toMatchObject({ sampleRate: 48_000, numberOfChannels: 2, lossless: true });
    expect(common.title).toBeTruthy();
  });
});

// Of the other formats, the tests of the plan hold it.
it("refuses a video without sound", async () => {
  await expect(converted("snow", "flac")).rejects.toMatchObject({
    code: "unavailable",
    message: "This video has no sound to make an MP3 from.",
  });
});

it.each(["original", "flac", "wav"] as const)("has an exact size limit in %s", async (format) => {
  const { sizeBytes } = await converted("cello", format);
  const limitsOf = (maxFileBytes: number): TierLimits => ({ ...TIERS.pro, maxFileBytes });
  expect(await converted("cello", format, undefined, limitsOf(sizeBytes))).toMatchObject({ sizeBytes });
  await expect(converted("cello", format, undefined, limitsOf(sizeBytes - 1))).rejects.toMatchObject({
    code: "too_large",
    reason: { name: "file_too_large", neededBytes: sizeBytes, maxBytes: sizeBytes - 1 },
  });
});
