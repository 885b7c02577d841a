import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { ffmpeg } from "../../dev/testing/ffmpeg.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { boxesIn } from "../mp4/boxes.ts";
import { inspectMedia, inspectSound, measureLengths } from "./media-file.ts";

const never = new AbortController().signal;
const SECONDS = 4;

const { pipeline, folder } = await ofFile(openTestPipeline());
beforeAll(async () => {
  const picture = `-f lavfi -i testsrc2=size=320x240:rate=25:duration=${SECONDS}`;
  const sound = `-f lavfi -i sine=frequency=440:duration=${SECONDS}`;
  const encoders = "-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac";
  const fragments = "-movflags +frag_keyframe+empty_moov+default_base_moof";
  const args = [picture, sound, encoders, fragments].flatMap((words) => words.split(" "));
  await ffmpeg(...args, join(folder, "fragmented.mp4"));
});

describe("a fragmented MP4 of which a part is fetched", () => {
  /** Lengths that end in the last index: in its header, in its boxes, and right after it. */
  function lengths(bytes: Buffer): number[] {
    const index = [...boxesIn(bytes)].findLast(({ type }) => type === "moof");
    if (!index) throw new TypeError("no fragment");
    const sizeBytes = index.end - index.start;
    return [0, 4, 8, 20, Math.floor(sizeBytes / 3), Math.floor(sizeBytes / 2), sizeBytes - 4, sizeBytes].map(
      (more) => index.start + more,
    );
  }

  it("has its streams read, wherever it ends", async () => {
    const bytes = await readFile(join(folder, "fragmented.mp4"));
    const path = join(folder, "part.mp4");
    for (const length of lengths(bytes)) {
      await writeFile(path, bytes.subarray(0, length));
      const media = await inspectMedia({ pipeline, signal: never }, path, { isGrowing: true });
      expect(media, `${length} bytes`).toMatchObject({ video: { codec: "h264" }, audio: { codec: "aac" } });
      const sound = await inspectSound({ pipeline, signal: never }, path, { isGrowing: true });
      expect(sound, `${length} bytes`).toMatchObject({ audio: { codec: "aac", sampleRateHz: 44_100 } });
    }
  });

  it("is read, or unavailable, when no more comes", async () => {
    const bytes = await readFile(join(folder, "fragmented.mp4"));
    const path = join(folder, "cut.mp4");
    const outcomes = new Set<unknown>();
    for (const length of lengths(bytes)) {
      await writeFile(path, bytes.subarray(0, length));
      outcomes.add(
        await inspectMedia({ pipeline, signal: never }, path).then(
          ({ video }) => video?.codec,
          (error: unknown) => (error instanceof ConversionError ? error.code : error),
        ),
      );
    }
    expect(outcomes).toEqual(new Set(["h264", "unavailable"]));
  });
});

it.each([
  // Nothing in it states a length.
  ["live.mkv", "libopus", ["-live", "1"]],
  ["late.mkv", "libopus", []],
  ["late.ts", "aac", []],
])("measures a sound that begins later from its beginning: %s", async (name, codec, args) => {
  const path = join(folder, name);
  const picture = "-f lavfi -i testsrc2=size=320x240:rate=25:duration=4".split(" ");
  const sound = "-itsoffset 2 -f lavfi -i sine=frequency=440:duration=3".split(" ");
  await ffmpeg(...picture, ...sound, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", codec, ...args, path);
  const media = await inspectMedia({ pipeline, signal: never }, path);
  const { audio, video, durationSeconds } = await measureLengths({ pipeline, signal: never }, media);
  const rounded = [audio?.lateSeconds, audio?.durationSeconds, video?.durationSeconds, durationSeconds].map(
    (seconds = NaN) => Math.round(seconds * 10) / 10,
  );
  expect(rounded).toEqual([2, 3, 4, 5]);
});
