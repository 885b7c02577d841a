/**
 * Writes a transport stream whose pictures are seconds apart as Matroska, which has an index. As it is ffmpeg may not find
 * the size of the pictures, moves them to the sound that stands beside them in the file, and finds no place of a part.
 */
import { dirname } from "node:path";
import { removeFile } from "../../tool-files/tool-files.ts";
import type { Work } from "../pipeline.ts";
import { INPUT_GUARD, inspectMedia, LOOK_FAR, type MediaFile } from "../probe/media-file.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import { checkFreeSpace } from "../process/free-space.ts";

/** A picture may stand in the file behind as much sound. More is taken for times that begin anew. */
const MOST_SECONDS = 600;
const KEEP_TIMES = ["-dts_delta_threshold", String(MOST_SECONDS)];
/** Sound waits for the picture of its moment. */
const IN_ORDER = ["-max_interleave_delta", String(MOST_SECONDS * 1_000_000)];

/**
 * @param media of a complete file
 * @returns the file as Matroska, in place of the source; the source itself when it has no such pictures
 * @throws ConversionError "storage" when the disk has no space for it
 */
export async function rewriteSlides(work: Work, media: MediaFile): Promise<MediaFile> {
  if (!media.hasSlides) return media;
  const { path, sizeBytes, startSeconds = 0 } = media;
  const { video, audio } = await inspectMedia(work, path, { looksFar: true });
  // Some streams announce a picture that never comes.
  if (!video) return media;
  await checkFreeSpace(dirname(path), work.pipeline.limits.minFreeDiskBytes + sizeBytes);
  const rewrittenPath = `${path}.mkv`;
  const streams = [video, audio].flatMap((stream) => (stream ? ["-map", `0:${stream.index}`] : []));
  const input = [...INPUT_GUARD, ...LOOK_FAR, ...KEEP_TIMES, "-i", `file:${path}`];
  const output = ["-c", "copy", ...IN_ORDER, "-output_ts_offset", startSeconds.toFixed(6), "-f", "matroska"];
  await runFfmpeg(work, [...input, ...streams, ...output, rewrittenPath], rewrittenPath);
  await removeFile(path);
  return inspectMedia(work, rewrittenPath);
}
