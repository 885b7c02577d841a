/** Finds out whether a part of a fetched video begins with a key frame. */
import { z } from "zod";
import type { Part } from "../../../common/choices.ts";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Work } from "../pipeline.ts";
import { runFfprobe, type MediaFile } from "../probe/media-file.ts";

const Packets = z.object({ packets: z.array(z.object({ pts_time: z.coerce.number(), flags: z.string() })) });

/** A picture without a stated rate has frames at least this often. */
const USUAL_FRAMES_PER_SECOND = 24;

/**
 * @returns time of the last key frame up to a moment, both in the times of the file; before the first one that of the first;
 *   undefined when it has none
 */
async function keyFrameBefore(
  work: Work,
  { path }: MediaFile,
  streamIndex: number,
  seconds: number,
): Promise<number | undefined> {
  const shown = ["-select_streams", String(streamIndex), "-show_entries", "packet=pts_time,flags"];
  shown.push("-read_intervals", `${seconds.toFixed(6)}%+#1`, "-print_format", "json");
  const outcome = await runFfprobe(work, path, shown, 100_000);
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
  const { data } = Packets.safeParse(JSON.parse(outcome.output));
  return data?.packets.find(({ flags }) => flags.startsWith("K"))?.pts_time;
}

/**
 * Marks the picture of a source whose part begins with a key frame: it can be copied. Only sources with an index are
 * searched, because others are read from between two key frames.
 * @throws ConversionError
 */
export async function markKeyFrame(work: Work, source: MediaFile, part: Part): Promise<MediaFile> {
  const { video, container, startSeconds = 0, timelineSeconds = 0 } = source;
  const offset = part.startSeconds - timelineSeconds;
  if (video?.codec !== "h264" || !container.startsWith("mov,") || part.startSeconds === 0 || offset < 0) return source;
  if (video.hasPauses) return source;
  const halfFrame = 0.5 / (video.framesPerSecond ?? USUAL_FRAMES_PER_SECOND);
  const found = await keyFrameBefore(work, source, video.index, startSeconds + offset + halfFrame);
  if (found === undefined) return source;
  const partKeyFrameSeconds = found - startSeconds;
  return Math.abs(partKeyFrameSeconds - offset) <= halfFrame
    ? { ...source, video: { ...video, partKeyFrameSeconds } }
    : source;
}

/**
 * Finds the first picture of a source that also has sound, which may begin before it.
 * @throws ConversionError
 */
export async function markFirstPicture(work: Work, source: MediaFile): Promise<MediaFile> {
  const { video, audio, startSeconds = 0 } = source;
  if (!video || !audio) return source;
  const found = await keyFrameBefore(work, source, video.index, startSeconds);
  return found === undefined ? source : { ...source, video: { ...video, firstSeconds: found - startSeconds } };
}
