/** MP4s from fetched files and from files that are still being fetched: written once, with the index in front. */
import { readFileSync } from "node:fs";
import { open, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { parseFile } from "music-metadata";
import { beforeAll, expect, it, vi } from "vitest";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import { probed, probedLines, words } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import {
  CLIP_SECONDS,
  GrowingMp4s,
  PICTURE_INPUT,
  SOUND_INPUT,
  withSpareSpace,
} from "../../dev/testing/growing-mp4s.ts";
import { withoutTags } from "../../dev/testing/mp4-without-tags.ts";
import { READ_TAGS, TEST_TAGS } from "../../dev/testing/test-tags.ts";
import { TIERS } from "../../../common/tiers.ts";
import { withIndexLast } from "../../dev/stand-ins/sample-site/file-answers.ts";
import type { EarlyCopy } from "../conversion.ts";
import { planEncode, type Mp4Plan } from "../plan/encode-plan.ts";
import { findMediaBeforeIndex, indexForFront } from "../fetch/index-first.ts";
import { inspectMedia, type MediaFile } from "../probe/media-file.ts";
import { boxesIn, shiftIndex } from "../mp4/boxes.ts";
import { spareSpace } from "../fetch/spare-space.ts";
import { isWholeWithIndexInFront, readLayout } from "../mp4/layout.ts";
import type { FileTags } from "./encode.ts";
import { verifyResult } from "../verify/verify.ts";
import { makeMp4, makeMp4WhileFetching, type StreamedMp4Work } from "./stream-mp4.ts";

const never = new AbortController().signal;
const clips = await ofFile(GrowingMp4s.open());

beforeAll(async () => {
  const noise = words("-vf noise=alls=40:allf=t");
  const vp9 = words("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 3M -minrate 3M -maxrate 3M");
  await clips.ffmpeg(...PICTURE_INPUT, ...SOUND_INPUT, ...noise, ...vp9, "-c:a", "libopus", "whole.webm");
});

/** Hashes of files that no test changes, by their names. */
const knownFrames = new Map<string, Promise<string>>();

/** {@link framesOf} the whole source, or of its picture and its sound. */
function framesOfSource(...names: ["whole.mp4"] | ["picture.mp4", "sound.mp4"]): Promise<string> {
  const key = names.join();
  const known = knownFrames.get(key) ?? framesOf(...names);
  knownFrames.set(key, known);
  return known;
}

/** @returns hashes of all decoded frames of both streams */
async function framesOf(...names: string[]): Promise<string> {
  const inputs = names.flatMap((name) => ["-i", name]);
  return (await clips.ffmpeg(...inputs, "-f", "streamhash", "-")).stdout;
}

const typesOf = async (name: string): Promise<string[]> => (await readLayout(clips.at(name))).map(({ type }) => type);

/**
 * Makes an MP4 from complete files.
 * @param altered changes what the probe found in the files
 */
async function make(
  outputName: string,
  names: readonly string[],
  altered: (sources: MediaFile[]) => MediaFile[] = (sources) => sources,
  tags: FileTags = { title: "Made" },
): Promise<Mp4Plan> {
  const sources = altered(
    await Promise.all(names.map((name) => inspectMedia({ pipeline: clips.pipeline, signal: never }, clips.at(name)))),
  );
  const plan = planEncode("mp4", sources, TIERS.free);
  if (plan.format !== "mp4") throw new TypeError("not an MP4's plan");
  await makeMp4({
    pipeline: clips.pipeline,
    signal: never,
    plan,
    sources,
    limits: TIERS.free,
    tags,
    coverPath: undefined,
    outputPath: clips.at(outputName),
    onFraction: () => undefined,
  });
  return plan;
}

it.each([
  ["without a tool", { title: "Made" }, ["ftyp", "moov", "free", "mdat"]],
  // Unused reserved bytes ("free") show that it was one pass; a second pass leaves none.
  [
    "with ffmpeg",
    { title: "Made", chapters: [{ title: "All", startSeconds: 0, endSeconds: CLIP_SECONDS }] },
    ["ftyp", "moov", "free", "free", "mdat"],
  ],
])(
  "writes the index in front in one pass %s, reserves few bytes too many, and changes no frame",
  async (_, tags, types) => {
    await make("joined.mp4", ["picture.mp4", "sound.mp4"], undefined, tags);
    expect(await typesOf("joined.mp4")).toEqual(types);
    expect(await framesOf("joined.mp4")).toContain(await framesOfSource("picture.mp4", "sound.mp4"));
    const [joined, picture, sound] = await Promise.all(
      ["joined.mp4", "picture.mp4", "sound.mp4"].map(async (name) => (await stat(clips.at(name))).size),
    );
    expect(joined).toBeLessThan((picture ?? 0) + (sound ?? 0) + 24_000);
  },
);

it("writes in a second pass when the index is larger than the reserved bytes", async () => {
  await make("second.mp4", ["picture.mp4", "sound.mp4"], (sources) =>
    sources.map(({ video, ...rest }) => ({
      ...rest,
      durationSeconds: 0.1,
      video: video && { ...video, framesPerSecond: 0.1, isConstantRate: true, durationSeconds: 0.1 },
    })),
  );
  expect(await isWholeWithIndexInFront(clips.at("second.mp4"))).toBe(true);
  expect(await framesOf("second.mp4")).toBe(await framesOfSource("picture.mp4", "sound.mp4"));
});

/** Writes an MP4 with private tags, or with the brand of another format. */
async function writeForeign(name: "tags.mp4" | "brand.mp4"): Promise<void> {
  if (name === "tags.mp4")
    await clips.ffmpeg(
      ...words("-i whole.mp4 -c copy -movflags +faststart"),
      ...words(`-metadata comment=private -metadata location=+48.85+002.35/ ${name}`),
    );
  else {
    const bytes = withoutTags(await readFile(clips.at("whole.mp4")));
    bytes.write("qt  ", 8, "latin1");
    await writeFile(clips.at(name), bytes);
  }
}

it.each(["tags.mp4", "brand.mp4"] as const)(
  "gives a source with tags or of another brand our title only: %s",
  async (name) => {
    await writeForeign(name);
    await make(`anew-${name}`, [name]);
    expect((await readFile(clips.at(`anew-${name}`))).toString("latin1")).not.toMatch(/private|48\.85/);
    const tags = await ffprobeTags(clips.at(`anew-${name}`));
    expect(tags).toMatchObject({ title: "Made", major_brand: "isom" });
    expect(Object.keys(tags).toSorted()).toEqual([
      "compatible_brands",
      // Another brand is changed by ffmpeg, which names itself.
      ...(name === "brand.mp4" ? ["encoder"] : []),
      "major_brand",
      "minor_version",
      "title",
    ]);
    expect(await framesOf(`anew-${name}`)).toBe(await framesOfSource("whole.mp4"));
  },
);

/** Boxes that contain the positions of the media. */
const PARENTS: ReadonlySet<string> = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** @returns boxes with positions of 64 bits ("co64") in place of those of 32 ("stco"), each larger by `shift` */
function rebuilt(bytes: Buffer, shift: number): Buffer {
  const boxes = [...boxesIn(bytes)].map(({ type, start, contentStart, end }) => {
    if (type !== "stco" && !PARENTS.has(type)) return bytes.subarray(start, end);
    let content = bytes.subarray(contentStart, end);
    if (type === "stco") {
      const positions = Array.from({ length: content.readUInt32BE(4) }, (_, entry) => {
        const long = Buffer.alloc(8);
        long.writeBigUInt64BE(BigInt(content.readUInt32BE(8 + entry * 4) + shift));
        return long;
      });
      content = Buffer.concat([content.subarray(0, 8), ...positions]);
    } else content = rebuilt(content, shift);
    const header = Buffer.alloc(8);
    header.writeUInt32BE(content.length + 8);
    header.write(type === "stco" ? "co64" : type, 4, "latin1");
    return Buffer.concat([header, content]);
  });
  return Buffer.concat(boxes);
}

/** @returns the MP4, which has its index in front, with positions of 64 bits */
const withLongPositions = (bytes: Buffer): Buffer => rebuilt(bytes, rebuilt(bytes, 0).length - bytes.length);

/** @returns what a file says about itself, by ffprobe */
async function ffprobeTags(path: string): Promise<Record<string, string>> {
  return (await probed<{ format: { tags: Record<string, string> } }>("-show_entries", "format_tags", path)).format.tags;
}

/** Checks that a file says what {@link TEST_TAGS} say. @param isCopy the media is copied as it is, without a tool */
async function expectTestTags(path: string, isCopy: boolean): Promise<void> {
  const { link, albumArtist, ...others } = TEST_TAGS;
  const found = await ffprobeTags(path);
  expect(found).toMatchObject({ ...others, album_artist: albumArtist, comment: link });
  expect("encoder" in found).toBe(!isCopy);
  const { common } = await parseFile(path);
  expect(common).toMatchObject({
    ...READ_TAGS,
    date: TEST_TAGS.date,
    description: [TEST_TAGS.description],
    comment: [{ text: link }],
  });
}

it.each([
  ["in front", "ready.mp4", true, (bytes: Buffer) => bytes],
  ["in front with positions of 64 bits", "long.mp4", true, withLongPositions],
  ["behind", "behind.mp4", false, withIndexLast],
  [
    "behind with positions of 64 bits",
    "long-behind.mp4",
    false,
    (bytes: Buffer) => withIndexLast(withLongPositions(bytes)),
  ],
])(
  "writes tags into an MP4 whose streams are wanted as they are, with its index %s",
  async (_, name, isCopy, change) => {
    await writeFile(clips.at(name), change(withoutTags(await readFile(clips.at("whole.mp4")))));
    await make(`tagged-${name}`, [name], undefined, TEST_TAGS);
    await expectTestTags(clips.at(`tagged-${name}`), isCopy);
    expect(await framesOf(`tagged-${name}`)).toBe(await framesOfSource("whole.mp4"));
    expect(await isWholeWithIndexInFront(clips.at(`tagged-${name}`))).toBe(true);
  },
);

/** A box with a text that no player shows. */
function boxWithSecret(type: string): Buffer {
  const content = "secret-of-the-site";
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.length);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, Buffer.from(content)]);
}

/** @returns the MP4, which has its index in front, with a box added at the end of a box of the index */
function withBoxInIndex(bytes: Buffer, path: readonly string[], added: Buffer): Buffer {
  const result = Buffer.from(bytes);
  let box = { contentStart: 0, end: bytes.length };
  for (const type of ["moov", ...path]) {
    const found = [...boxesIn(bytes, box.contentStart, box.end)].find((one) => one.type === type);
    if (!found) throw new TypeError(`there is no ${type}`);
    result.writeUInt32BE(found.end - found.start + added.length, found.start);
    box = found;
  }
  const index = [...boxesIn(bytes)].find(({ type }) => type === "moov");
  const moov =
    index && Buffer.concat([result.subarray(index.start, box.end), added, result.subarray(box.end, index.end)]);
  const shifted = moov && shiftIndex(moov, added.length, index.end, bytes.length + added.length);
  if (!index || !shifted) throw new TypeError("the index cannot be moved");
  return Buffer.concat([result.subarray(0, index.start), shifted, result.subarray(index.end)]);
}

it.each([
  ["in the file", ["free", "skip", "wide", "uuid"]],
  ["in its index", ["mdia/free", "mdia/minf/uuid", "mdia/minf/stbl/free"]],
])("leaves out boxes of the source that players skip, %s", async (_, places) => {
  const bare = withoutTags(await readFile(clips.at("whole.mp4")));
  const changed = places.reduce((bytes, place) => {
    const path = place.split("/");
    const secret = boxWithSecret(path.pop() ?? "");
    return path.length > 0 ? withBoxInIndex(bytes, ["trak", ...path], secret) : Buffer.concat([bytes, secret]);
  }, bare);
  await writeFile(clips.at("secret.mp4"), changed);
  await make("no-secret.mp4", ["secret.mp4"]);
  expect((await readFile(clips.at("no-secret.mp4"))).includes("secret-of-the-site")).toBe(false);
  expect(await framesOf("no-secret.mp4")).toBe(await framesOfSource("whole.mp4"));
});

it("moves an index from the end to the front without changing the media", async () => {
  const last = withIndexLast(await readFile(clips.at("whole.mp4")));
  const media = findMediaBeforeIndex(last.subarray(0, 4_096), last.length);
  const index = media && indexForFront(last.subarray(media.end), media);
  if (!media || !index) throw new TypeError("the index was not found");
  const first = Buffer.concat([last.subarray(0, media.start), index, last.subarray(media.start, media.end)]);
  await writeFile(clips.at("first.mp4"), first);
  expect(await isWholeWithIndexInFront(clips.at("first.mp4"))).toBe(true);
  expect(await framesOf("first.mp4")).toBe(await framesOfSource("whole.mp4"));
  // Nothing is moved when the index is in front already, or when its end is missing.
  expect(findMediaBeforeIndex(first.subarray(0, 4_096), first.length)).toBeUndefined();
  expect(indexForFront(last.subarray(media.end, -1), media)).toBeUndefined();
});

it.each([
  ["encodes", ["whole.webm"]],
  ["joins", ["picture.mp4", "sound.mp4"]],
] as const)("%s a source while it is fetched", async (what, names) => {
  // The rest arrives only when a part of the beginning is encoded: an encode that waits for the end would hang.
  const partEncoded = Promise.withResolvers<void>();
  const renditions = await Promise.all(
    names.map((name) => clips.growing(name, name === "sound.mp4" ? 1 : 0.7, partEncoded.promise)),
  );
  let isStarted = false;
  let encoded = 0;
  const work: StreamedMp4Work = {
    ...clips.workFor(renditions, `${what}.mp4`),
    tags: { title: what },
    onStart: () => void (isStarted = true),
    onFraction: (fraction) => (encoded = fraction),
  };
  const { outputPath } = work;
  const writtenBytes = async (): Promise<number> => (await stat(outputPath)).size;
  // A tool that waits for its input does not say how far it is.
  const releaseRest = async (): Promise<void> => {
    await expect.poll(writtenBytes).toBeGreaterThan(200_000);
    partEncoded.resolve();
  };
  const [plan] = await Promise.all([makeMp4WhileFetching(work), releaseRest()]);
  await clips.close(renditions);
  expect([isStarted, plan?.format]).toEqual([true, "mp4"]);
  expect(encoded).toBeGreaterThan(0.9);
  expect(await isWholeWithIndexInFront(outputPath)).toBe(true);
  const made = await inspectMedia({ pipeline: clips.pipeline, signal: never }, outputPath);
  expect(made.durationSeconds).toBeCloseTo(CLIP_SECONDS, 1);
  expect(made).toMatchObject({ video: { codec: "h264" }, audio: { codec: "aac" } });
  const [before, after] = await Promise.all([framesOf(...names), framesOf(`${what}.mp4`)]);
  expect(after === before).toBe(what === "joins");
  // ffmpeg would name itself.
  expect("encoder" in (await ffprobeTags(outputPath))).toBe(what === "encodes");
});

/**
 * Fetches picture and sound apart, or what else there is.
 * @param read reads the copy that is offered; the rest of the sources arrives when it is ready
 */
async function joinWithCopy(
  name: string,
  read: (copy: EarlyCopy, readPart: () => void) => Promise<void>,
  more: Partial<StreamedMp4Work> = {},
  sources: readonly string[] = ["picture.mp4", "sound.mp4"],
): Promise<void> {
  const partRead = Promise.withResolvers<void>();
  const renditions = await Promise.all(
    sources.map((source) => clips.growing(source, source === "sound.mp4" ? 1 : 0.8, partRead.promise)),
  );
  let reading: Promise<void> | undefined;
  const work: StreamedMp4Work = {
    ...clips.workFor(renditions, name),
    ...more,
    onEarlyCopy: (copy) => {
      reading = read(copy, () => partRead.resolve());
    },
  };
  expect((await makeMp4WhileFetching(work))?.format).toBe("mp4");
  await clips.close(renditions);
  expect(reading).toBeDefined();
  await reading;
}

it("offers a copy in fragments that plays as far as it is there, and has every frame in the end", async () => {
  const chapters = [
    { title: "One", startSeconds: 0, endSeconds: 1.5 },
    { title: "Two", startSeconds: 1.5, endSeconds: CLIP_SECONDS },
  ];
  await joinWithCopy(
    "kept.mp4",
    async (copy, readPart) => {
      await using output = await open(copy.path, "w");
      const part = Promise.withResolvers<Buffer>();
      const size = copy.make(
        output,
        (count) => {
          if (count > 300_000) part.resolve(readFileSync(copy.path).subarray(0, count));
        },
        never,
      );
      await writeFile(clips.at("part.mp4"), await part.promise);
      readPart();
      expect(await size).toBe((await stat(copy.path)).size);
    },
    { tags: { title: "Early", chapters } },
  );
  const [part, copy, kept] = await Promise.all(
    ["part.mp4", "kept.mp4.early", "kept.mp4"].map((name) =>
      inspectMedia({ pipeline: clips.pipeline, signal: never }, clips.at(name)),
    ),
  );
  expect(part).toMatchObject({ video: { codec: "h264" }, audio: { codec: "aac" } });
  const [allOfPart, keptFrames] = await Promise.all([pictureHashes("part.mp4"), pictureHashes("kept.mp4")]);
  // The part may end within a picture, which is one of the last two: a B-frame is stored after the picture it precedes.
  const partFrames = allOfPart.slice(0, -2);
  expect(partFrames.length).toBeGreaterThan(10);
  expect(partFrames).toEqual(keptFrames.slice(0, partFrames.length));
  expect(await framesOf("kept.mp4.early")).toBe(await framesOf("kept.mp4"));
  expect(copy?.durationSeconds).toBeCloseTo(kept?.durationSeconds ?? NaN, 1);
  expect(await ffprobeTags(clips.at("kept.mp4.early"))).toMatchObject({ title: "Early" });
});

it("leaves the cover to the kept file, and has no other track", async () => {
  await clips.ffmpeg("-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1", "early-cover.jpg");
  await joinWithCopy(
    "with-cover.mp4",
    async (copy, readPart) => {
      await using output = await open(copy.path, "w");
      readPart();
      await copy.make(output, () => undefined, never);
    },
    { coverPath: Promise.resolve(clips.at("early-cover.jpg")) },
  );
  const codecsOf = (name: string) => probedLines("-show_entries", "stream=codec_name", clips.at(name));
  expect(await codecsOf("with-cover.mp4.early")).toEqual(["h264", "aac"]);
  expect(await codecsOf("with-cover.mp4")).toEqual(["h264", "aac", "mjpeg"]);
});

it("copies the sound of a transport stream, whose frames have headers that an MP4 has not", async () => {
  await clips.ffmpeg("-i", "whole.mp4", "-c", "copy", "whole.ts");
  const readCopy = async (copy: EarlyCopy, readPart: () => void): Promise<void> => {
    await using output = await open(copy.path, "w");
    readPart();
    await copy.make(output, () => undefined, never);
  };
  await joinWithCopy("of-stream.mp4", readCopy, {}, ["whole.ts"]);
  expect(await framesOf("of-stream.mp4.early")).toBe(await framesOf("of-stream.mp4"));
});

it("makes a copy of what was fetched before and is closed", async () => {
  let late: EarlyCopy | undefined;
  await joinWithCopy("late.mp4", async (copy, readPart) => {
    late = copy;
    readPart();
    await Promise.resolve();
  });
  await using output = await open(clips.at("late.mp4.early"), "w");
  await late?.make(output, () => undefined, never);
  expect(await framesOf("late.mp4.early")).toBe(await framesOf("late.mp4"));
});

it("ends a copy that is not wanted any more", async () => {
  const stop = new AbortController();
  await joinWithCopy("stopped.mp4", async (copy, readPart) => {
    await using output = await open(copy.path, "w");
    const onBytes = (): void => {
      stop.abort(new Error("nobody reads it"));
      readPart();
    };
    await expect(copy.make(output, onBytes, stop.signal)).rejects.toThrow("nobody reads it");
  });
});

/** @returns a hash of each decoded picture; of a cut file, also of the one that is cut */
async function pictureHashes(name: string): Promise<string[]> {
  const { stdout } = await clips.ffmpeg("-v", "quiet", "-i", name, "-map", "0:v:0", "-f", "framehash", "-");
  return stdout.split("\n").flatMap((line) => /^0,.*,\s*(\w+)$/.exec(line)?.[1] ?? []);
}

/** @returns the picture in the file */
async function coverOf(name: string): Promise<Buffer | undefined> {
  const [picture] = (await parseFile(clips.at(name))).common.picture ?? [];
  return picture && Buffer.from(picture.data);
}

it.each([
  ["encodes", ["whole.webm"]],
  ["joins", ["picture.mp4", "sound.mp4"]],
  ["copies", ["bare-covered.mp4"]],
] as const)("%s a source with its cover while both are fetched", async (what, names) => {
  await clips.ffmpeg("-f", "lavfi", "-i", "color=red:size=64x64", "-frames:v", "1", "cover.jpg");
  await writeFile(clips.at("bare-covered.mp4"), withoutTags(await readFile(clips.at("whole.mp4"))));
  const rest = Promise.withResolvers<void>();
  const renditions = await Promise.all(
    names.map((name) => clips.growing(name, name === "sound.mp4" ? 1 : 0.7, rest.promise)),
  );
  const cover = Promise.withResolvers<string>();
  const work = {
    ...clips.workFor(renditions, `${what}-covered.mp4`, CLIP_SECONDS),
    coverPath: cover.promise,
    onPlanned: () => {
      cover.resolve(clips.at("cover.jpg"));
      rest.resolve();
    },
  };
  const plan = await makeMp4WhileFetching({
    ...work,
    pipeline: { ...clips.pipeline, limits: { ...clips.pipeline.limits, coverWaitMs: 60_000 } },
    signal: never,
  });
  await clips.close(renditions);
  if (!plan) throw new TypeError("nothing was made while fetching");
  expect(await isWholeWithIndexInFront(work.outputPath)).toBe(true);
  expect(await coverOf(`${what}-covered.mp4`)).toEqual(await readFile(clips.at("cover.jpg")));
  await verifyResult(work, work.outputPath, plan, TIERS.free);
});

it("makes the file without a cover that does not arrive", async () => {
  const one = await clips.growing("whole.mp4", 1, Promise.resolve());
  const work = {
    ...clips.workFor([one], "late-cover.mp4", CLIP_SECONDS),
    coverPath: new Promise<never>(() => undefined),
  };
  const impatient = { ...clips.pipeline, limits: { ...clips.pipeline.limits, coverWaitMs: 1 } };
  expect(await makeMp4WhileFetching({ ...work, pipeline: impatient })).toMatchObject({ format: "mp4" });
  await clips.close([one]);
  expect(await coverOf("late-cover.mp4")).toBeUndefined();
  expect(await framesOf("late-cover.mp4")).toBe(await framesOfSource("whole.mp4"));
});

it.each([
  ["32", "bare.mp4", (bytes: Buffer) => bytes],
  ["64", "bare-long.mp4", withLongPositions],
])("copies the wanted MP4 while it is fetched, and adds tags, with positions of %s bits", async (_, name, change) => {
  await writeFile(clips.at(name), change(withoutTags(await readFile(clips.at("whole.mp4")))));
  const rest = Promise.withResolvers<void>();
  const one = await clips.growing(name, 0.7, rest.promise);
  const onStart = vi.fn<() => void>();
  const onPlanned = (): void => rest.resolve();
  const work = { ...clips.workFor([one], `copied-${name}`, CLIP_SECONDS), tags: TEST_TAGS, onPlanned, onStart };
  expect(await makeMp4WhileFetching(work)).toMatchObject({
    video: { method: "copy" },
    durationSeconds: expect.closeTo(CLIP_SECONDS, 1) as unknown,
  });
  expect(onStart).not.toHaveBeenCalled();
  await clips.close([one]);
  await expectTestTags(work.outputPath, true);
  expect(await isWholeWithIndexInFront(work.outputPath)).toBe(true);
  expect(await framesOf(`copied-${name}`)).toBe(await framesOfSource("whole.mp4"));
});

it.each([
  ["becomes the result", 60_000, true],
  ["is copied", 16, false],
])("a fetched file %s when it has %i free bytes behind its index", async (_, spareBytes, isInPlace) => {
  await clips.ffmpeg("-f", "lavfi", "-i", "color=blue:size=64x64", "-frames:v", "1", "blue.jpg");
  const name = `space-${spareBytes}.mp4`;
  await writeFile(
    clips.at(name),
    withSpareSpace(withoutTags(await readFile(clips.at("whole.mp4"))), spareSpace(spareBytes)),
  );
  const rest = Promise.withResolvers<void>();
  const one = await clips.growing(name, 0.7, rest.promise);
  const { ino: fetched } = await stat(one.file.path);
  const reads: { readonly bytes: Buffer; readonly final: FinalBytes }[] = [];
  const work: StreamedMp4Work = {
    ...clips.workFor([one], `placed-${name}`, CLIP_SECONDS),
    tags: TEST_TAGS,
    coverPath: Promise.resolve(clips.at("blue.jpg")),
    onWritten: (final) => {
      reads.push({ bytes: readFileSync(work.outputPath).subarray(final.from, final.to), final });
      rest.resolve();
    },
  };
  const plan = await makeMp4WhileFetching(work);
  await clips.close([one]);
  if (!plan) throw new TypeError("nothing was made while fetching");
  expect((await stat(work.outputPath)).ino === fetched).toBe(isInPlace);
  await expectTestTags(work.outputPath, true);
  expect(await coverOf(`placed-${name}`)).toEqual(await readFile(clips.at("blue.jpg")));
  expect(await framesOf(`placed-${name}`)).toBe(await framesOfSource("whole.mp4"));
  await verifyResult({ pipeline: clips.pipeline, signal: never }, work.outputPath, plan, TIERS.free);
  const made = await readFile(work.outputPath);
  for (const { bytes, final } of reads) {
    expect(final).toEqual({ from: 0, to: bytes.length, standIn: new Uint8Array(), sizeBytes: made.length });
    expect(bytes.equals(made.subarray(0, bytes.length))).toBe(true);
  }
  expect(reads.at(-1)?.bytes.length).toBe(made.length);
});

it("keeps nothing of free space that a site has filled", async () => {
  const space = Buffer.concat([spareSpace(20_000), boxWithSecret("free")]);
  await writeFile(clips.at("filled.mp4"), withSpareSpace(withoutTags(await readFile(clips.at("whole.mp4"))), space));
  const one = await clips.growing("filled.mp4", 1, Promise.resolve());
  const work = clips.workFor([one], "not-filled.mp4", CLIP_SECONDS);
  expect(await makeMp4WhileFetching(work)).toMatchObject({
    format: "mp4",
  });
  await clips.close([one]);
  expect((await readFile(work.outputPath)).includes("secret-of-the-site")).toBe(false);
  expect(await framesOf("not-filled.mp4")).toBe(await framesOfSource("whole.mp4"));
});

it("gives a fetched file back as a source when it turns out to be cut off", async () => {
  const whole = withSpareSpace(withoutTags(await readFile(clips.at("whole.mp4"))), spareSpace(20_000));
  await writeFile(clips.at("short.mp4"), whole.subarray(0, Math.floor(whole.length * 0.9)));
  const one = await clips.growing("short.mp4", 1, Promise.resolve());
  const { ino } = await stat(one.file.path);
  expect(await makeMp4WhileFetching(clips.workFor([one], "no-result.mp4", CLIP_SECONDS))).toBeUndefined();
  await clips.close([one]);
  expect((await stat(one.file.path)).ino).toBe(ino);
  expect(await readdir(clips.folder)).not.toContain("no-result.mp4");
});

it("leaves no result of a fetched file whose fetching fails", async () => {
  await writeFile(
    clips.at("broken.mp4"),
    withSpareSpace(withoutTags(await readFile(clips.at("whole.mp4"))), spareSpace(20_000)),
  );
  const rest = Promise.withResolvers<void>();
  const one = await clips.growing("broken.mp4", 0.7, rest.promise);
  const onWritten = (): void => one.file.fail(new Error("the connection broke"));
  const made = makeMp4WhileFetching({
    ...clips.workFor([one], "failed.mp4", CLIP_SECONDS),
    onWritten,
  });
  await expect(made).rejects.toThrow("the connection broke");
  rest.resolve();
  await expect(one.written).rejects.toThrow("the connection broke");
  await one.file[Symbol.asyncDispose]();
  expect(await readdir(clips.folder)).not.toContain("failed.mp4");
});

it("waits for the whole source when its estimated size may be too large to copy it", async () => {
  const renditions = await Promise.all(
    ["picture.mp4", "sound.mp4"].map((name) => clips.growing(name, 1, Promise.resolve())),
  );
  // The sizes of segmented renditions are estimates of the site.
  const estimated = renditions.map((one) => {
    one.file.expectedBytes = undefined;
    return { ...one, rendition: { ...one.rendition, sizeBytes: TIERS.free.maxFileBytes / 2 } };
  });
  const onStart = vi.fn<() => void>();
  const work = { ...clips.workFor(estimated, "waited.mp4", CLIP_SECONDS), onStart };
  expect(await makeMp4WhileFetching(work)).toBeUndefined();
  expect(onStart).not.toHaveBeenCalled();
  await clips.close(renditions);
});

it("discards the result when the source turns out longer than promised", async () => {
  const renditions = await Promise.all(
    ["picture.mp4", "sound.mp4"].map(async (name) => ({
      ...(await clips.growing(name, 1, Promise.resolve())),
      durationSeconds: CLIP_SECONDS - 2,
    })),
  );
  const onStart = vi.fn<() => void>();
  const work = { ...clips.workFor(renditions, "longer.mp4"), onStart };
  expect(await makeMp4WhileFetching(work)).toBeUndefined();
  expect(onStart).toHaveBeenCalledOnce();
  await clips.close(renditions);
});
