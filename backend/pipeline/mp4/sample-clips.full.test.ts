/** Compares the frames that our readers find in the sample clips, fragmented or not, with those that ffprobe finds. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ffmpegIn, probedLines } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { prepareClips } from "../../dev/stand-ins/sample-site/clips.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { boxesIn, findBox, wholeBoxesIn } from "./boxes.ts";
import { readTrackFragments } from "./fragment-tables.ts";
import { FramePlaces, readTrackFrames } from "./sample-tables.ts";
import { sampleTablesOf } from "./track.ts";

let clips: string;
const own = await ofFile(openTestPipeline());
beforeAll(async () => {
  const { ffmpegPath } = own.pipeline.tools;
  clips = await prepareClips({ dataDir: repositoryDataDir(), ffmpegPath, report: () => undefined });
});

/** @returns position and bytes of each frame of a track, as ffprobe finds them */
async function framesByProbe(path: string, track: number): Promise<readonly string[]> {
  const shown = ["-select_streams", String(track), "-show_entries", "packet=size,pos"];
  return (await probedLines("-ignore_editlist", "1", ...shown, path)).map((line) => {
    const [sizeBytes, position] = line.split(",");
    return `${position} ${sizeBytes}`;
  });
}

function tablesOf(file: Buffer): readonly Buffer[] {
  const tracks = [...wholeBoxesIn(findBox(file, "moov") ?? Buffer.alloc(0))].filter(({ type }) => type === "trak");
  return tracks.map(({ body }) => sampleTablesOf(body) ?? Buffer.alloc(0));
}

function framesByTables(tables: Buffer): readonly string[] {
  const places = new FramePlaces(tables);
  const frames: string[] = [];
  while (places.nextChunk()) {
    let { position } = places;
    for (let frame = places.firstFrame; frame < places.endFrame; frame += 1) {
      const sizeBytes = places.bytesOf(frame, frame + 1);
      frames.push(`${position} ${sizeBytes}`);
      position += sizeBytes;
    }
  }
  return frames;
}

function framesByFragments(file: Buffer, track: number): readonly string[] {
  const defaults = { duration: 0, sizeBytes: 0, flags: 0 };
  const frames: string[] = [];
  for (const { type, start, contentStart, end } of boxesIn(file)) {
    if (type !== "moof") continue;
    for (const { trackId, runs } of readTrackFragments(file.subarray(contentStart, end), defaults))
      for (const run of trackId === track + 1 ? runs : []) {
        let position = start + (run.mediaOffset ?? NaN);
        for (let frame = 0; frame < run.frameCount; frame += 1) {
          frames.push(`${position} ${run.sizeOf(frame)}`);
          position += run.sizeOf(frame);
        }
      }
  }
  return frames;
}

const CLIPS = ["clicks", "rain", "snow", "three-hours"];

it.each(CLIPS)("finds the frames of %s by its sample tables", async (name) => {
  const path = join(clips, name, "video.mp4");
  const all = tablesOf(await readFile(path));
  expect(all.length).toBeGreaterThan(0);
  for (const [track, tables] of all.entries()) {
    const frames = framesByTables(tables);
    expect(frames).toEqual(await framesByProbe(path, track));
    expect(readTrackFrames(tables)?.frameCount).toBe(frames.length);
  }
});

it.each(CLIPS)("finds the frames of %s by its fragments", async (name) => {
  const fragmented = `${name}-in-fragments.mp4`;
  const copy = ["-map", "0", "-c", "copy", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"];
  await ffmpegIn(own.folder, "-i", join(clips, name, "video.mp4"), ...copy, fragmented);
  const path = join(own.folder, fragmented);
  const file = await readFile(path);
  for (const track of tablesOf(file).keys())
    expect(framesByFragments(file, track)).toEqual(await framesByProbe(path, track));
});
