/**
 * Finds out whether the picture of a file changes its size, as that of a broadcast with advertisements may, and a browser's
 * recording of a window or a phone that is turned.
 */
import type { Work } from "../pipeline.ts";
import { runFfprobe, type MediaFile } from "./media-file.ts";

/** Two hours have about 4,000 key frames, of which each takes about ten bytes. */
const MAX_OUTPUT_BYTES = 1_000_000;

/** @returns the file, marked where its key frames differ in size; only they are decoded */
export async function markSizeChange(work: Work, media: MediaFile): Promise<MediaFile> {
  const { path, video } = media;
  if (!video) return media;
  const keyFrames = ["-select_streams", String(video.index), "-skip_frame", "nokey"];
  const shown = [...keyFrames, "-show_entries", "frame=width,height", "-print_format", "csv=p=0"];
  const { output } = await runFfprobe(work, path, shown, MAX_OUTPUT_BYTES);
  const sizes = new Set(output.split("\n").flatMap((line) => /^\d+,\d+/.exec(line)?.[0] ?? []));
  return sizes.size > 1 ? { ...media, video: { ...video, changesSize: true } } : media;
}
