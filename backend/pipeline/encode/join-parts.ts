/**
 * Joins the parts in which a site gives a video. They are copied where they agree. Where they do not, all of them are
 * encoded: a picture into frames of the size of the first, and sound without loss.
 */
import { dirname } from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { removeFile } from "../../tool-files/tool-files.ts";
import { filterArgs, framedFilters, frameSizeOf, maxVideoKbps, soundFilters } from "./encode.ts";
import { NOT_READABLE } from "../errors/wording.ts";
import type { Work } from "../pipeline.ts";
import { shorterSide } from "../probe/ffprobe-output.ts";
import { INPUT_GUARD, type MediaFile, type VideoStream } from "../probe/media-file.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import { checkFreeSpace } from "../process/free-space.ts";
import { concatenate } from "../joined/concatenate.ts";

const MAX_FRAMES_PER_SECOND = 60;
/** So that a later encode loses little of it. */
const PICTURE_CRF = 18;
const SOUND_CHANNELS = 2;
const BYTES_PER_SAMPLE = 2;

export interface PartsToJoin {
  readonly parts: readonly MediaFile[];
  /** How long each part of the video is, which has picture and sound in files of their own. */
  readonly seconds: readonly number[];
  /** Absent: only the sound is wanted. */
  readonly maxPictureLines?: number | undefined;
  /** Called while they are encoded, with 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/** What must be the same in all parts. The parameters of HEVC stand in the index of an MP4, where they are not compared. */
function kindOf({ video, audio, container, path }: MediaFile): string {
  const picture = video && [
    video.index,
    video.codec,
    video.profile,
    video.level,
    video.pixelFormat,
    video.widthPixels,
    video.heightLines,
    video.isRotated,
    video.referenceCount,
    video.isReordered,
    video.codec === "hevc" && container.startsWith("mov,") && path,
  ];
  return JSON.stringify([
    picture,
    audio && [audio.index, audio.codec, audio.profile, audio.sampleRateHz, audio.channelCount],
  ]);
}

/** What all parts get. */
interface CommonForm {
  /** The first picture of them, and its lines. Absent: no picture is wanted, or there is none. */
  readonly picture?: { readonly stream: VideoStream; readonly lines: number };
  /** Absent: there is no sound. */
  readonly sampleRateHz: number | undefined;
}

function commonFormOf({ parts, maxPictureLines }: PartsToJoin): CommonForm {
  const stream = parts.find(({ video }) => video)?.video;
  const sampleRateHz = parts.find(({ audio }) => audio)?.audio?.sampleRateHz;
  if (!stream || maxPictureLines === undefined) return { sampleRateHz };
  return { picture: { stream, lines: Math.min(shorterSide(stream), maxPictureLines) }, sampleRateHz };
}

/** Black and silence stand for what a part does not have. */
function partArgs(
  { path, video, audio }: MediaFile,
  { picture, sampleRateHz }: CommonForm,
  seconds: number,
  { maxPixels, threadCount }: { readonly maxPixels: number; readonly threadCount: number | undefined },
): readonly string[] {
  const threads = threadCount === undefined ? [] : ["-threads", String(threadCount)];
  const inputs: string[] = [...INPUT_GUARD, "-max_pixels", String(maxPixels), ...threads, "-i", `file:${path}`];
  const outputs: string[] = [];
  let inputCount = 1;
  const addMissing = (source: string): string => {
    inputs.push("-f", "lavfi", "-i", source);
    inputCount += 1;
    return String(inputCount - 1);
  };
  if (picture) {
    const size = frameSizeOf(picture.stream, picture.lines);
    const black = `color=black:size=${size.width}x${size.height}:rate=25`;
    outputs.push("-map", video ? `0:${video.index}` : addMissing(black));
    if (video) outputs.push("-vf", framedFilters(video, size).join(","));
    const maxKbps = maxVideoKbps(picture.lines);
    outputs.push("-c:v", "libx264", "-preset", "veryfast", "-crf", String(PICTURE_CRF), "-profile:v", "high");
    outputs.push("-pix_fmt", "yuv420p", "-fpsmax", String(MAX_FRAMES_PER_SECOND), ...threads);
    outputs.push("-maxrate", `${maxKbps}k`, "-bufsize", `${2 * maxKbps}k`);
  }
  if (sampleRateHz !== undefined) {
    const silence = `anullsrc=r=${sampleRateHz}:cl=stereo`;
    outputs.push("-map", audio ? `0:${audio.index}` : addMissing(silence));
    const mixed = audio ? soundFilters(audio, SOUND_CHANNELS) : [];
    outputs.push(...filterArgs([...mixed, "aresample=async=1:first_pts=0", "apad"]));
    outputs.push("-c:a", "pcm_s16le", "-ar", String(sampleRateHz), "-ac", String(SOUND_CHANNELS));
  }
  return [...inputs, ...outputs, "-t", String(seconds), "-map_metadata", "-1", "-map_chapters", "-1", "-f", "matroska"];
}

/** @returns the parts in a common form; each is removed once it is encoded */
async function encodeParts(work: Work, joined: PartsToJoin, form: CommonForm): Promise<readonly string[]> {
  const { parts, seconds, onFraction } = joined;
  const { limits, cores } = work.pipeline;
  const threadCount = cores?.isShared ? cores.coresEach : undefined;
  const allSeconds = seconds.reduce((sum, one) => sum + one, 0);
  const paths: string[] = [];
  let doneSeconds = 0;
  for (const [number, part] of parts.entries()) {
    const path = `${part.path}.mkv`;
    const partSeconds = seconds[number] ?? 0;
    const args = partArgs(part, form, partSeconds, { maxPixels: limits.maxPixels, threadCount });
    const before = doneSeconds;
    await runFfmpeg(work, [...args, path], path, (at) => onFraction(Math.min(1, (before + at) / allSeconds)));
    await removeFile(part.path);
    doneSeconds += partSeconds;
    paths.push(path);
  }
  return paths;
}

/**
 * @returns a single Matroska file beside the parts, which are removed
 * @throws ConversionError "unavailable" for parts without picture and sound or without a length, "storage" when the disk has
 *   no space for the joined file
 */
export async function joinParts(work: Work, joined: PartsToJoin): Promise<MediaFile> {
  const { parts, seconds } = joined;
  const [first] = parts;
  const form = commonFormOf(joined);
  const isEmpty = !form.picture && form.sampleRateHz === undefined;
  if (!first || isEmpty || seconds.some((one) => one <= 0))
    throw new ConversionError("unavailable", { ...NOT_READABLE, detail: "a part has nothing to join" });
  const partBytes = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const allSeconds = seconds.reduce((sum, one) => sum + one, 0);
  const haveSame = (of: (part: MediaFile) => string): boolean => parts.every((part) => of(part) === of(first));
  const haveSamePicture = haveSame(kindOf);
  const isAlike = haveSamePicture || (!form.picture && haveSame((part) => kindOf({ ...part, video: undefined })));
  const soundBytes = isAlike ? 0 : allSeconds * (form.sampleRateHz ?? 0) * SOUND_CHANNELS * BYTES_PER_SAMPLE;
  await checkFreeSpace(dirname(first.path), work.pipeline.limits.minFreeDiskBytes + partBytes + 2 * soundBytes);
  const paths = isAlike ? parts.map(({ path }) => path) : await encodeParts(work, joined, form);
  const files = paths.map((path, number) => ({ path, seconds: seconds[number] ?? 0 }));
  const streams = isAlike
    ? [haveSamePicture ? first.video : undefined, first.audio].flatMap((stream) =>
        stream ? [`0:${stream.index}`] : [],
      )
    : ["0"];
  return concatenate(work, files, streams, `${first.path}.joined.mkv`);
}
