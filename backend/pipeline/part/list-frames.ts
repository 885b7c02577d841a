/** Lists the frames of a picture without decoding them. */
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Work } from "../pipeline.ts";
import { runFfprobe, type MediaFile } from "../probe/media-file.ts";
import type { StoredFrame } from "../mp4/copied-span.ts";

/** Two hours at 60 frames a second have 430,000 frames, of which each takes about 30 bytes. */
const MAX_OUTPUT_BYTES = 32_000_000;

/** @returns undefined for a frame without a time or a place in the file */
function parseFrame(line: string): StoredFrame | undefined {
  const [time = NaN, sizeBytes = NaN, position = NaN] = line.split(",").slice(0, 3).map(Number);
  const isComplete = [time, sizeBytes, position].every(Number.isSafeInteger);
  const flags = line.split(",")[3] ?? "";
  // Frames that only prepare the decoder are marked with a D.
  return isComplete && !flags.includes("D") ? { time, sizeBytes, position, isKey: flags.startsWith("K") } : undefined;
}

/**
 * @param interval of the file's own times, in seconds; reading starts with the key frame before it. Absent: all
 * @returns the frames in the order in which they are stored; undefined when one is unusual, or there are too many
 * @throws ConversionError
 */
export async function listFrames(
  work: Work,
  { path }: Pick<MediaFile, "path">,
  streamIndex: number,
  interval?: { readonly from: number; readonly to: number },
): Promise<readonly StoredFrame[] | undefined> {
  const shown = [
    "-select_streams",
    String(streamIndex),
    "-show_entries",
    "packet=pts,size,pos,flags",
    "-of",
    "csv=p=0",
  ];
  if (interval) shown.push("-read_intervals", `${interval.from.toFixed(6)}%${interval.to.toFixed(6)}`);
  const outcome = await runFfprobe(work, path, shown, MAX_OUTPUT_BYTES);
  if (outcome.ending === "output") return undefined;
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
  const frames = outcome.output
    .split("\n")
    .filter((line) => line !== "")
    .map(parseFrame);
  return frames.every((frame) => frame !== undefined) ? frames : undefined;
}
