/** Compares {@link readMp4} with ffprobe on plain MP4s of many kinds. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { ffmpegIn, words } from "../../dev/testing/ffmpeg.ts";
import { FRAME_SECONDS, makePlainMp4, MP4_SECONDS, readByBoth } from "../../dev/testing/mp4-as-ffprobe.ts";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { repositoryDataDir } from "../../dev/repository.ts";
import { prepareClips } from "../../dev/stand-ins/sample-site/clips.ts";
import { planEncode } from "../plan/encode-plan.ts";
import { inspectMedia } from "../probe/media-file.ts";
import { verifyResult } from "./verify.ts";

const neverAborted = new AbortController().signal;
const at = (name: string): string => join(own.folder, name);

const own = await ofFile(openTestPipeline());
const { pipeline } = own;
beforeAll(async () => {
  await makePlainMp4(own);
  const ffmpeg = (...args: string[]) => ffmpegIn(own.folder, ...args);
  const clip = await prepareClips({
    dataDir: repositoryDataDir(),
    ffmpegPath: pipeline.tools.ffmpegPath,
    report: () => undefined,
  });
  const copied = ["-i", "plain.mp4", "-c", "copy"];
  await Promise.all([
    ffmpeg(...copied, "-an", "-moov_size", "20000", "silent.mp4"),
    ffmpeg(
      ...words("-f lavfi -i color=black:size=64x36:rate=5 -i plain.mp4 -map 0:v -map 1:a -c:v libx264"),
      ...words(`-tune stillimage -pix_fmt yuv420p -c:a copy -t ${MP4_SECONDS} still.mp4`),
    ),
    ffmpeg("-display_rotation:v:0", "90", ...copied, "rotated.mp4").catch(() =>
      ffmpeg(...copied, "-metadata:s:v:0", "rotate=270", "rotated.mp4"),
    ),
    ffmpeg("-i", "plain.mp4", "-itsoffset", "0.5", ...copied, "-map", "0:v", "-map", "1:a", "late.mp4"),
    ffmpeg("-ss", "0.7", ...copied, "cut.mp4"),
    ffmpeg(...copied, "-movflags", "+frag_keyframe+empty_moov+default_base_moof", "fragmented.mp4"),
    ...["rain", "snow", "three-hours"].map(async (name) =>
      writeFile(at(`${name}.mp4`), await readFile(join(clip, name, "video.mp4"))),
    ),
  ]);
});

it.each(["silent.mp4", "still.mp4", "rotated.mp4", "late.mp4", "cut.mp4", "rain.mp4", "snow.mp4", "three-hours.mp4"])(
  "reads the same from %s as ffprobe",
  async (name) => {
    const { ours, theirs, apartSeconds } = await readByBoth(own, name);
    expect(ours).toEqual(theirs);
    expect(apartSeconds).toBeLessThan(FRAME_SECONDS);
  },
);

it("verifyResult rejects a result that is too short, lacks its sound or is too large", async () => {
  const source = await inspectMedia({ pipeline, signal: neverAborted }, at("rain.mp4"));
  const plan = planEncode("mp4", [source], TIERS.free);
  const verify = (name: string, limits = TIERS.free) =>
    verifyResult({ pipeline, signal: neverAborted }, at(name), { ...plan, durationSeconds: MP4_SECONDS }, limits);
  await expect(verify("rain.mp4")).rejects.toMatchObject({ code: "network" });
  await expect(verify("silent.mp4")).rejects.toMatchObject({ code: "internal" });
  await expect(verify("plain.mp4", { ...TIERS.free, maxFileBytes: 1_000 })).rejects.toMatchObject({
    code: "too_large",
  });
  // ffprobe reads this one.
  expect(await verify("fragmented.mp4")).toMatchObject({ durationSeconds: expect.closeTo(MP4_SECONDS, 0) as unknown });
});
