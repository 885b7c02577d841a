/** Reads the container and streams of a local file with ffprobe. */
import { dirname } from "node:path";
import { sizeOf } from "../../tool-files/tool-files.ts";
import { ConversionError } from "../../../common/errors.ts";
import { classifyMediaFailure } from "../errors/classify.ts";
import { SOUND_NOT_READABLE } from "../errors/wording.ts";
import { hasUnreadableAac } from "../mp4/unreadable-aac.ts";
import type { Work } from "../pipeline.ts";
import { runFfmpegCommand } from "../process/ffmpeg.ts";
import { SAMPLES_PER_FRAME } from "../mp3/mp3-frame.ts";
import { runBoundedTool, type ToolOutcome } from "../process/tool-process.ts";
import { parseFfprobeOutput, type AudioStream, type MediaStreams } from "./ffprobe-output.ts";
import { readMp3FrameCount } from "./mp3-frame-count.ts";

export type { AudioStream, VideoStream } from "./ffprobe-output.ts";

/**
 * Containers that hold their media themselves. Playlists, scripts and image sequences are left out: they name other
 * files and addresses, which ffmpeg would open.
 */
const CONTAINERS = [
  "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf",
  "mxf,gxf,dv,wtv,rm",
  "aac,mp3,ogg,flac,wav,w64,ac3,eac3,dts,truehd,aiff,caf,au,voc,amr,wv,tta,ape,tak",
  "jpeg_pipe,png_pipe,webp_pipe,gif,apng,bmp_pipe",
].join(",");

/** Options before every foreign input: ffmpeg opens local files only, and no container that names others. */
export const INPUT_GUARD = ["-protocol_whitelist", "file,pipe", "-format_whitelist", CONTAINERS] as const;
/** Before a list of files that was written here. */
export const JOIN_GUARD = ["-protocol_whitelist", "file", "-format_whitelist", `concat,${CONTAINERS}`] as const;

export interface MediaFile extends MediaStreams {
  readonly path: string;
  readonly sizeBytes: number;
  /** Moment of the video at which the file begins. Present only where less than the whole was fetched. */
  readonly timelineSeconds?: number;
  /** Length of the whole video then, where its manifest states it. */
  readonly wholeSeconds?: number;
  /** All bytes are there that its server stated, so whatever is missing is missing at its site too. */
  readonly isComplete?: boolean;
  /** It was recorded while it went on, as browsers do, so its length had to be measured. */
  readonly statesNoLength?: true;
}

/** @returns the file with the shape in which the site shows its picture */
export function inShownRatio(media: MediaFile, { shownRatio }: { readonly shownRatio?: number }): MediaFile {
  return media.video && shownRatio !== undefined ? { ...media, video: { ...media.video, shownRatio } } : media;
}

/**
 * For a file that is still being fetched. ffprobe reads a fragmented MP4 up to its last index, and fails where the
 * fetched bytes end within one; with this option it stops at the first media.
 */
const GROWING_ARGS = ["-fflags", "+ignidx"] as const;

/** Finds a picture that is minutes behind the one before it. */
export const LOOK_FAR = ["-analyzeduration", "600M", "-probesize", "50M"] as const;

export interface InspectOptions {
  /** The file is still being fetched. The length of a fragmented MP4 is not read then. */
  readonly isGrowing?: boolean;
  readonly looksFar?: boolean;
}

/**
 * Reads the streams of a local file. Measures the duration where ffprobe only estimates it.
 * @throws ConversionError "unavailable" when it is not a media file or its container is not allowed
 */
export async function inspectMedia(
  work: Work,
  path: string,
  { isGrowing = false, looksFar = false }: InspectOptions = {},
): Promise<MediaFile> {
  const media = await inspect(work, path, [...(isGrowing ? GROWING_ARGS : []), ...(looksFar ? LOOK_FAR : [])]);
  if (isGrowing && media.durationSeconds === undefined) return media;
  if (!isGrowing && media.unreadableSound !== undefined) await checkSilent(work, path, media.unreadableSound);
  if (media.durationSeconds === undefined) return { ...(await measureLengths(work, media)), statesNoLength: true };
  if (!media.audio || !(await isDurationEstimated(media, media.audio))) return media;
  const durationSeconds = await measureSeconds(work, path, media.audio.index);
  return durationSeconds === undefined
    ? media
    : { ...media, durationSeconds, audio: { ...media.audio, durationSeconds } };
}

/**
 * Reads the packets of a file that states no length, such as the recording of a browser, or a wrong one: where times begin
 * anew within a file, ffprobe takes the last ones for the length.
 */
export async function measureLengths(work: Work, media: MediaFile): Promise<MediaFile> {
  const { path, video, audio } = media;
  const pictureSeconds = video && (await measureSeconds(work, path, video.index));
  const soundSeconds = audio && (await measureSound(work, path, audio));
  const seconds = Math.max(pictureSeconds ?? 0, (audio?.lateSeconds ?? 0) + (soundSeconds ?? 0));
  return {
    ...media,
    video: video && { ...video, durationSeconds: pictureSeconds },
    audio: audio && { ...audio, durationSeconds: soundSeconds },
    durationSeconds: seconds > 0 ? seconds : undefined,
  };
}

/**
 * @returns the length of a sound from its beginning. ffmpeg counts the times of some containers from the beginning of the
 * file, and those of others, such as transport streams, from the first packet of what is read
 */
async function measureSound(
  work: Work,
  path: string,
  { index, lateSeconds }: AudioStream,
): Promise<number | undefined> {
  const found = await measureTimes(work, path, index);
  return found && found.endSeconds - (lateSeconds === undefined ? 0 : found.beginSeconds);
}

/**
 * Some containers announce a sound that never comes. A sound that comes and cannot be read must not be left out.
 * @throws ConversionError "unavailable"
 */
async function checkSilent(work: Work, path: string, index: number): Promise<void> {
  const firstPacket = ["-select_streams", String(index), "-show_packets", "-read_intervals", "%+#1"];
  const shown = [...firstPacket, "-show_entries", "packet=size", "-print_format", "csv"];
  const { output } = await runFfprobe(work, path, shown, 10_000);
  if (output.trim() !== "")
    throw new ConversionError("unavailable", { ...SOUND_NOT_READABLE, detail: `the sound of stream ${index}` });
}

/**
 * Reads only the audio streams, with the encoder delay of the one whose packet comes first.
 * @throws like {@link inspectMedia}
 */
export async function inspectSound(
  work: Work,
  path: string,
  { isGrowing = false }: InspectOptions = {},
): Promise<MediaFile> {
  const firstPacket = ["-select_streams", "a", "-show_packets", "-read_intervals", "%+#1"];
  return inspect(work, path, [...firstPacket, ...(isGrowing ? GROWING_ARGS : [])]);
}

/** Tolerance between header and ffprobe, which count the encoder delay differently. */
const SAME_LENGTH_SECONDS = 0.1;

/**
 * Whether ffprobe estimated the duration from the bit rate of the first frames. It does so for all ADTS files, and for
 * an MP3 without a frame count or with that of only the first of several joined files.
 */
async function isDurationEstimated(
  { path, container, durationSeconds = 0 }: MediaFile,
  { sampleRateHz }: AudioStream,
): Promise<boolean> {
  if (container !== "mp3") return container === "aac";
  const frameCount = await readMp3FrameCount(path);
  // MPEG-2 has the lower rates, and frames of half as many samples (ISO/IEC 13818-3).
  const samplesPerFrame = sampleRateHz < 32_000 ? SAMPLES_PER_FRAME / 2 : SAMPLES_PER_FRAME;
  return (
    frameCount === undefined ||
    Math.abs((frameCount * samplesPerFrame) / sampleRateHz - durationSeconds) > SAME_LENGTH_SECONDS
  );
}

/** Puts each packet behind the one before it. */
const CLOSE_HOLES = ["-bsf", "setts=ts=if(N\\,PREV_OUTPTS+PREV_OUTDURATION\\,0)"] as const;

/** @returns the length of all packets together: less than their end where reception was lost for a while */
export function measurePackets(work: Work, path: string, index: number): Promise<number | undefined> {
  return measureSeconds(work, path, index, { output: CLOSE_HOLES });
}

/** @returns the length of the sound that is played: some decoders leave out what encoders added */
export function measurePlayedSound(work: Work, path: string, index: number): Promise<number | undefined> {
  return measureSeconds(work, path, index, { codec: "pcm_s16le" });
}

/** Options of ffmpeg before its input and before its output. */
interface MeasureOptions {
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly codec?: string;
}

/** A line of ffmpeg's list of packets has its stream, dts, pts and duration; one of the first ones the unit of the times. */
const PACKET = /^\d+, *-?\d+, *(-?\d+), *(\d+),/;
const UNIT = /^#tb 0: (\d+)\/(\d+)$/;

/** @returns when the last packet of a stream ends; undefined when there are none */
export async function measureSeconds(
  work: Work,
  path: string,
  index: number,
  options: MeasureOptions = {},
): Promise<number | undefined> {
  return (await measureTimes(work, path, index, options))?.endSeconds;
}

interface PacketTimes {
  /** Of the packet that is shown first. */
  readonly beginSeconds: number;
  readonly endSeconds: number;
}

/**
 * Read from the packets of a stream. Not from the progress of ffmpeg, which from version 7 on also counts packets behind
 * the end of a part, and does not see what a filter of packets changes.
 * @returns undefined when there are none
 */
async function measureTimes(
  work: Work,
  path: string,
  index: number,
  { input = [], output = [], codec = "copy" }: MeasureOptions = {},
): Promise<PacketTimes | undefined> {
  // A pipe in its place would keep ffmpeg waiting.
  await sizeOf(path);
  // Written in blocks: of two hours of sound there are 300,000 lines.
  const list = ["-f", "framecrc", "-flush_packets", "0", "-"];
  let unitSeconds = NaN;
  let begin = Infinity;
  let end = -Infinity;
  await runFfmpegCommand(work, {
    args: [...INPUT_GUARD, ...input, "-i", `file:${path}`, "-map", `0:${index}`, "-c", codec, ...output, ...list],
    folder: dirname(path),
    runs: "long",
    onLine: (line) => {
      const [, pts, duration] = PACKET.exec(line) ?? [];
      if (pts !== undefined) {
        begin = Math.min(begin, Number(pts));
        end = Math.max(end, Number(pts) + Number(duration));
      }
      const [, count, perSecond] = UNIT.exec(line) ?? [];
      if (count !== undefined) unitSeconds = Number(count) / Number(perSecond);
    },
  });
  return begin > end ? undefined : { beginSeconds: begin * unitSeconds, endSeconds: end * unitSeconds };
}

/**
 * Runs ffprobe on a foreign file, within the limits of all tools.
 * @param shown options that say what it prints, and how
 * @returns its outcome, which may be a failure
 * @throws RefusedFile
 */
export async function runFfprobe(
  { pipeline: { tools, limits, sandbox }, signal }: Work,
  path: string,
  shown: readonly string[],
  maxOutputBytes: number,
): Promise<ToolOutcome> {
  // A pipe in its place would keep ffprobe waiting.
  await sizeOf(path);
  return runBoundedTool(
    {
      path: tools.ffprobePath,
      args: ["-v", "error", ...INPUT_GUARD, ...shown, "-i", `file:${path}`],
      folder: dirname(path),
      sandbox,
      timeoutMs: limits.inspectTimeoutMs,
      killGraceMs: limits.killGraceMs,
      maxMemoryBytes: limits.maxToolMemoryBytes,
      maxOutputBytes,
    },
    signal,
  );
}

async function inspect(work: Work, path: string, moreArgs: readonly string[]): Promise<MediaFile> {
  const shown = ["-show_format", "-show_streams", ...moreArgs, "-print_format", "json"];
  const outcome = await runFfprobe(work, path, shown, 1_000_000);
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") {
    // ffprobe 5.1 ends with this code, and says nothing.
    if (outcome.exitCode === 1 && (await hasUnreadableAac(path)))
      throw new ConversionError("unavailable", { ...SOUND_NOT_READABLE, detail: "xHE-AAC" });
    throw classifyMediaFailure(outcome);
  }
  return { path, sizeBytes: await sizeOf(path), ...parseFfprobeOutput(outcome.output) };
}
