/** Joins what a WebM, Matroska or FLV file is joined of: ffmpeg reads the first file only, or begins its times anew. */
import { dirname } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { removeFile, sizeOrZero } from "../../tool-files/tool-files.ts";
import { NOT_READABLE, TOO_MANY_PIECES } from "../errors/wording.ts";
import type { Work } from "../pipeline.ts";
import { inspectMedia, measurePlayedSound, type MediaFile } from "../probe/media-file.ts";
import { checkFreeSpace } from "../process/free-space.ts";
import { concatenate, type ConcatenatedFile } from "./concatenate.ts";
import { copyLink } from "./copy-link.ts";
import { readJoinedFiles } from "./file-starts.ts";

/** Recordings that were stopped and went on have some. */
const MAX_FILES = 100;

/**
 * Whether a file is several, of which a tool that reads it while it is fetched may take the first for all. An MP4 that has
 * become the result is no longer there.
 */
export async function isJoined(path: string): Promise<boolean> {
  return (await sizeOrZero(path)) > 0 && (await readJoinedFiles(path, 1)).length > 1;
}

/** What must be the same in all files. */
function kindOf({ video, audio }: MediaFile): string {
  const picture = video && [video.codec, video.widthPixels, video.heightLines];
  return JSON.stringify([picture, audio && [audio.codec, audio.sampleRateHz, audio.channelCount]]);
}

/** Of longer files, what a seam adds is less than results may differ by. */
const SHORT_SECONDS = 10;

/**
 * The last frame of AAC is longer than what the file states, and all of it is played. Where the next file began within it,
 * the sound would be longer than its times.
 * @returns undefined when the file says nothing of its length
 */
async function secondsOf(work: Work, { path, durationSeconds, audio }: MediaFile): Promise<number | undefined> {
  if (durationSeconds === undefined || !audio || durationSeconds >= SHORT_SECONDS) return durationSeconds;
  return Math.max(durationSeconds, (await measurePlayedSound(work, path, audio.index)) ?? 0);
}

/**
 * @param media of a complete file
 * @returns the joined file as Matroska, in place of the source; the source itself when it is not joined
 * @throws ConversionError "unavailable" for files that differ, "too_large" for more than {@link MAX_FILES}, "storage" when
 *   the disk has no space for them
 */
export async function joinFiles(work: Work, media: MediaFile): Promise<MediaFile> {
  const ranges = await readJoinedFiles(media.path, MAX_FILES);
  if (ranges.length <= 1) return media;
  const detail = `joined of ${ranges.length} files`;
  if (ranges.length > MAX_FILES) throw new ConversionError("too_large", { ...TOO_MANY_PIECES, detail });
  // Beside the source are the files, and then beside the files what is joined of them.
  await checkFreeSpace(dirname(media.path), work.pipeline.limits.minFreeDiskBytes + media.sizeBytes);
  const files: ConcatenatedFile[] = [];
  for (const [index, range] of ranges.entries()) {
    const path = `${media.path}.file${index}`;
    await copyLink(media.path, range, path);
    const found = await inspectMedia(work, path);
    if (kindOf(found) !== kindOf(media)) throw new ConversionError("unavailable", { ...NOT_READABLE, detail });
    const seconds = await secondsOf(work, found);
    files.push({ path, ...(seconds !== undefined && { seconds }) });
  }
  await removeFile(media.path);
  return concatenate(work, files, ["0:v:0?", "0:a:0?"], `${media.path}.mkv`);
}
