/** Fetches the video's picture and makes two JPEGs of it: a thumbnail for lists, and a cover for the file. */
import { join } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { readFile, RefusedFile, sizeOf, writeFile } from "../../tool-files/tool-files.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import type { VideoInfo } from "../probe/info.ts";
import { INPUT_GUARD } from "../probe/media-file.ts";
import type { Work } from "../pipeline.ts";
import { hasSquareInMiddle, SAMPLE_LINES } from "./square-cover.ts";
import { fetchRemoteFile } from "../fetch/remote-file.ts";

const THUMBNAIL_WIDTH_PIXELS = 320;
const COVER_WIDTH_PIXELS = 720;
/** A picture that is taller gets narrower. Portraits are 9:16. */
const MAX_HEIGHT_PER_WIDTH = 2;
/** Three bytes for each pixel of the largest cover. No JPEG of ours is larger. */
export const MAX_COVER_BYTES = 3 * COVER_WIDTH_PIXELS ** 2 * MAX_HEIGHT_PER_WIDTH;
/** Sites list addresses that do not exist. After this many failures the video has no picture. */
const MAX_TRIES = 3;

/** What has a picture. */
export type Pictured = Pick<VideoInfo, "thumbnailUrls" | "squareCover" | "exit">;

export interface Picture {
  readonly thumbnailPath: string;
  readonly coverPath: string;
}

/**
 * YouTube shows the square cover of a song in the middle of a wide picture, whose sides are blurred or of one colour.
 * Its pictures of 4:3 have bars above and below that picture besides.
 */
const SQUARE_COVER = "crop=w='if(between(iw/ih,1.3,1.4),3/4*ih,min(iw,ih))':h=ow,";

/** @param crop filter with a comma behind it */
function jpegArgs(widthPixels: number, path: string, crop = ""): string[] {
  const maxHeight = widthPixels * MAX_HEIGHT_PER_WIDTH;
  const size = `'min(${widthPixels},iw)':'min(${maxHeight},ih)'`;
  // By an option of the first filter, some versions of ffmpeg would round up.
  const evenSize = "crop=trunc(iw/2)*2:trunc(ih/2)*2";
  const scale = ["-vf", `${crop}scale=${size}:force_original_aspect_ratio=decrease,${evenSize}`];
  const jpeg = ["-pix_fmt", "yuvj420p", "-q:v", "4", "-f", "mjpeg"];
  return ["-map", "0:v:0", "-frames:v", "1", ...scale, ...jpeg, path];
}

function sampleArgs(path: string): string[] {
  const scale = ["-vf", `scale=-1:${SAMPLE_LINES},format=gray`];
  return ["-map", "0:v:0", "-frames:v", "1", ...scale, "-f", "rawvideo", path];
}

function inputArgs({ pipeline }: Work, path: string): string[] {
  return ["-y", ...INPUT_GUARD, "-max_pixels", String(pipeline.limits.maxPixels), "-i", `file:${path}`];
}

function pathsIn(folder: string): Picture {
  return { thumbnailPath: join(folder, "thumbnail.jpg"), coverPath: join(folder, "cover.jpg") };
}

/**
 * Makes thumbnail and cover in `folder`.
 * @returns undefined when the video has no picture or none can be fetched in time; the conversion continues without
 * @throws RefusedFile; `signal.reason` when aborted
 */
export async function makePicture(work: Work, info: Pictured, folder: string): Promise<Picture | undefined> {
  const { pipeline, signal } = work;
  const { maxThumbnailBytes, thumbnailTimeoutMs } = pipeline.limits;
  const timeout = AbortSignal.timeout(thumbnailTimeoutMs);
  const bounded: Work = { pipeline, signal: AbortSignal.any([signal, timeout]) };
  const sourcePath = join(folder, "picture");
  const samplePath = join(folder, "picture-sample");
  const input = inputArgs(work, sourcePath);
  const picture = pathsIn(folder);
  for (const url of info.thumbnailUrls.slice(0, MAX_TRIES)) {
    try {
      // A separate session, so that a refused picture address does not count as a refusal of the video.
      using session = pipeline.guard.open(2 * maxThumbnailBytes, { exit: info.exit });
      const { body } = await fetchRemoteFile(
        session,
        { url, maxBytes: maxThumbnailBytes, timeoutMs: thumbnailTimeoutMs, hostSemaphore: pipeline.hostSemaphore },
        bounded.signal,
      );
      await writeFile(sourcePath, body);
      const args = [
        ...input,
        ...jpegArgs(THUMBNAIL_WIDTH_PIXELS, picture.thumbnailPath),
        ...jpegArgs(COVER_WIDTH_PIXELS, picture.coverPath, info.squareCover === "certain" ? SQUARE_COVER : undefined),
        ...(info.squareCover === "possible" ? sampleArgs(samplePath) : []),
      ];
      await runFfmpeg(bounded, args, picture.coverPath);
      if (info.squareCover === "possible" && hasSquareInMiddle(await readFile(samplePath, MAX_COVER_BYTES))) {
        const coverArgs = jpegArgs(COVER_WIDTH_PIXELS, picture.coverPath, SQUARE_COVER);
        await runFfmpeg(bounded, [...input, ...coverArgs], picture.coverPath);
      }
      for (const path of [picture.thumbnailPath, picture.coverPath]) await sizeOf(path, MAX_COVER_BYTES);
      return picture;
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) return undefined;
      if (!(error instanceof ConversionError) || error instanceof RefusedFile) throw error;
    }
  }
  return undefined;
}

/**
 * Makes both in `folder` of the picture that a file has beside its sound.
 * @returns undefined when there is none that can be read
 * @throws RefusedFile; `signal.reason` when aborted
 */
export async function pictureIn(work: Work, mediaPath: string, folder: string): Promise<Picture | undefined> {
  const picture = pathsIn(folder);
  const args = [
    ...inputArgs(work, mediaPath),
    ...jpegArgs(THUMBNAIL_WIDTH_PIXELS, picture.thumbnailPath),
    ...jpegArgs(COVER_WIDTH_PIXELS, picture.coverPath),
  ];
  try {
    await runFfmpeg(work, args, picture.coverPath);
    for (const path of [picture.thumbnailPath, picture.coverPath]) await sizeOf(path, MAX_COVER_BYTES);
    return picture;
  } catch (error) {
    work.signal.throwIfAborted();
    if (!(error instanceof ConversionError) || error instanceof RefusedFile) throw error;
    return undefined;
  }
}

/**
 * Copies the cover of a file of ours as it is.
 * @param index of its stream
 * @returns its path in `folder`
 * @throws what {@link runFfmpeg} throws
 */
export async function copyCover(work: Work, mediaPath: string, index: number, folder: string): Promise<string> {
  const { coverPath } = pathsIn(folder);
  const copied = ["-map", `0:${index}`, "-c", "copy", "-frames:v", "1", "-f", "mjpeg", coverPath];
  await runFfmpeg(work, [...inputArgs(work, mediaPath), ...copied], coverPath);
  return coverPath;
}
