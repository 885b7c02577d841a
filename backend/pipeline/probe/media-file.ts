/** What a file on disk really contains, as ffprobe sees it. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Pipeline } from "../pipeline.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import { SAMPLES_PER_FRAME } from "../mp3/mp3-frame.ts";
import { readToldFrameCount } from "./told-length.ts";
import { runBoundedTool } from "../process/tool-process.ts";

/**
 * Containers that hold their media themselves. Playlists, scripts and image sequences are absent: those
 * name other files and addresses, and ffmpeg would follow.
 */
const CONTAINERS =
  "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf,aac,mp3,ogg,flac,wav,ac3,eac3,jpeg_pipe,png_pipe,webp_pipe,gif,bmp_pipe";

/** Before every input that comes from outside: local files only, and none that lead elsewhere. */
export const INPUT_GUARD = ["-protocol_whitelist", "file,pipe", "-format_whitelist", CONTAINERS] as const;

const seconds = z.coerce.number().positive().optional().catch(undefined);
const count = z.coerce.number().int().positive().optional().catch(undefined);

/** "25/1"; undefined where nobody knows ("0/0"). */
const rate = z
  .string()
  .transform((text) => {
    const [over = NaN, under = NaN] = text.split("/").map(Number);
    return over > 0 && under > 0 ? over / under : undefined;
  })
  .optional()
  .catch(undefined);

const Probed = z.object({
  packets: z.array(z.object({ side_data_list: z.array(z.object({ skip_samples: count })).catch([]) })).catch([]),
  format: z.object({ format_name: z.string().catch(""), duration: seconds, bit_rate: count }).catch({ format_name: "", duration: undefined, bit_rate: undefined }),
  streams: z
    .array(
      z.object({
        index: z.number().int(),
        codec_type: z.string().catch(""),
        codec_name: z.string().catch(""),
        profile: z.string().optional().catch(undefined),
        pix_fmt: z.string().optional(),
        color_transfer: z.string().optional().catch(undefined),
        width: count,
        height: count,
        channels: count,
        sample_rate: count,
        duration: seconds,
        bit_rate: count,
        level: count,
        nb_frames: count,
        has_b_frames: z.number().optional().catch(undefined),
        r_frame_rate: rate,
        avg_frame_rate: rate,
        side_data_list: z.array(z.object({ rotation: z.number().optional().catch(undefined) })).catch([]),
        disposition: z.object({ attached_pic: z.number().catch(0) }).catch({ attached_pic: 0 }),
      }),
    )
    .catch([]),
});

export interface VideoStream {
  readonly index: number;
  readonly codec: string;
  readonly pixelFormat: string;
  /** Brightness beyond what an ordinary screen shows: PQ or HLG. */
  readonly isHdr?: true;
  /** As ffmpeg names it: "High", "Main", "Constrained Baseline" … */
  readonly profile?: string;
  /** Of H.264, times ten. */
  readonly level?: number;
  /** Lies on its side and is to be turned before it is shown. Width and height are as it lies. */
  readonly isTurned?: true;
  readonly framesPerSecond?: number;
  /** No frame lasts longer than another, as far as the container says. */
  readonly isConstantRate?: true;
  /** Frames are stored in another order than they are shown in. */
  readonly isReordered?: true;
  /** Where the container has an index. */
  readonly frameCount?: number;
  readonly widthPixels: number;
  readonly heightLines: number;
  readonly durationSeconds?: number;
}

export interface AudioStream {
  readonly index: number;
  readonly codec: string;
  /** As ffmpeg names it: "LC", "HE-AAC" … */
  readonly profile?: string;
  readonly channelCount: number;
  readonly sampleRateHz: number;
  readonly durationSeconds?: number;
  readonly bitrateKbps?: number;
  /** How many samples at the beginning are the encoder's own, and no sound; known of what was read by {@link inspectSound}. */
  readonly primingSamples?: number;
}

export interface MediaFile {
  readonly path: string;
  /** As ffmpeg names it: "mov,mp4,m4a,3gp,3g2,mj2", "mpegts" … */
  readonly container: string;
  readonly sizeBytes: number;
  readonly durationSeconds?: number;
  readonly video?: VideoStream;
  readonly audio?: AudioStream;
  /** A cover: a picture that belongs to the sound. */
  readonly hasAttachedPicture: boolean;
  /** Of all kinds: subtitles, chapters and data too. */
  readonly streamCount?: number;
}

const HDR_TRANSFERS: ReadonlySet<string> = new Set(["smpte2084", "arib-std-b67"]);

/** Still pictures; as the only picture of a file they are no video. */
const STILL_CODECS = new Set(["png", "webp", "bmp", "gif"]);

/**
 * Throws ConversionError "unavailable" when it is no media file that may be opened.
 */
export async function inspectMedia(pipeline: Pipeline, path: string, signal: AbortSignal): Promise<MediaFile> {
  const media = await inspect(pipeline, path, [], signal);
  if (!media.audio || !(await isLengthGuessed(media, media.audio))) return media;
  const durationSeconds = await measureSeconds(pipeline, path, signal);
  return durationSeconds === undefined ? media : { ...media, durationSeconds, audio: { ...media.audio, durationSeconds } };
}

/** The same of the first sound alone, with how it begins. */
export async function inspectSound(pipeline: Pipeline, path: string, signal: AbortSignal): Promise<MediaFile> {
  return inspect(pipeline, path, ["-select_streams", "a:0", "-show_packets", "-read_intervals", "%+#1"], signal);
}

/** A header and ffprobe count the encoder's delay differently. */
const SAME_LENGTH_SECONDS = 0.1;

/**
 * Whether ffprobe has guessed the length from the bit rate of the first frames: of ADTS always, of an MP3 where no header
 * tells the length, or where the header is that of the first of several files one behind the other.
 */
async function isLengthGuessed({ path, container, durationSeconds = 0 }: MediaFile, { sampleRateHz }: AudioStream): Promise<boolean> {
  if (container !== "mp3") return container === "aac";
  const frameCount = await readToldFrameCount(path);
  // MPEG-2 has the lower rates, and frames of half as many samples (ISO/IEC 13818-3).
  const samplesPerFrame = sampleRateHz < 32_000 ? SAMPLES_PER_FRAME / 2 : SAMPLES_PER_FRAME;
  return frameCount === undefined || Math.abs((frameCount * samplesPerFrame) / sampleRateHz - durationSeconds) > SAME_LENGTH_SECONDS;
}

/** @returns how long the packets of the first sound last; undefined when there are none */
async function measureSeconds(pipeline: Pipeline, path: string, signal: AbortSignal): Promise<number | undefined> {
  let durationSeconds: number | undefined;
  const args = [...INPUT_GUARD, "-i", `file:${path}`, "-map", "0:a:0", "-c", "copy", "-f", "null", "-"];
  await runFfmpeg(pipeline, args, path, signal, (measured) => (durationSeconds = measured));
  return durationSeconds;
}

async function inspect(pipeline: Pipeline, path: string, more: readonly string[], signal: AbortSignal): Promise<MediaFile> {
  const { tools, limits } = pipeline;
  const outcome = await runBoundedTool(
    {
      path: tools.ffprobePath,
      args: ["-v", "error", ...INPUT_GUARD, "-show_format", "-show_streams", ...more, "-print_format", "json", "-i", `file:${path}`],
      folder: dirname(path),
      timeoutMs: limits.inspectTimeoutMs,
      killGraceMs: limits.killGraceMs,
      maxMemoryBytes: limits.maxToolMemoryBytes,
      maxOutputBytes: 1_000_000,
    },
    signal,
  );
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyMediaFailure(outcome);
  const { format, streams, packets } = Probed.parse(JSON.parse(outcome.output));
  const video = streams.find(
    (stream) =>
      stream.codec_type === "video" && stream.disposition.attached_pic === 0 && !STILL_CODECS.has(stream.codec_name) && stream.width && stream.height,
  );
  const audio = streams.find((stream) => stream.codec_type === "audio" && stream.channels !== undefined);
  const { size } = await stat(path);
  return {
    path,
    container: format.format_name,
    sizeBytes: size,
    ...(format.duration === undefined ? {} : { durationSeconds: format.duration }),
    ...(video
      ? {
          video: {
            index: video.index,
            codec: video.codec_name,
            pixelFormat: video.pix_fmt ?? "",
            ...(HDR_TRANSFERS.has(video.color_transfer ?? "") ? { isHdr: true as const } : {}),
            ...(video.profile === undefined ? {} : { profile: video.profile }),
            ...(video.level === undefined ? {} : { level: video.level }),
            ...(video.side_data_list.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90) ? { isTurned: true as const } : {}),
            ...(video.avg_frame_rate === undefined ? {} : { framesPerSecond: video.avg_frame_rate }),
            ...(video.avg_frame_rate !== undefined && video.avg_frame_rate === video.r_frame_rate ? { isConstantRate: true as const } : {}),
            ...(video.has_b_frames ? { isReordered: true as const } : {}),
            ...(video.nb_frames === undefined ? {} : { frameCount: video.nb_frames }),
            widthPixels: video.width ?? 0,
            heightLines: video.height ?? 0,
            ...(video.duration === undefined ? {} : { durationSeconds: video.duration }),
          },
        }
      : {}),
    ...(audio
      ? {
          audio: {
            index: audio.index,
            codec: audio.codec_name,
            ...(audio.profile === undefined ? {} : { profile: audio.profile }),
            channelCount: audio.channels ?? 2,
            sampleRateHz: audio.sample_rate ?? 44_100,
            ...(audio.duration === undefined ? {} : { durationSeconds: audio.duration }),
            ...(packets.length === 0 ? {} : { primingSamples: packets[0]?.side_data_list.find(({ skip_samples: skipped }) => skipped !== undefined)?.skip_samples ?? 0 }),
            ...(audio.bit_rate === undefined ? {} : { bitrateKbps: audio.bit_rate / 1_000 }),
          },
        }
      : {}),
    streamCount: streams.length,
    hasAttachedPicture: streams.some(({ disposition }) => disposition.attached_pic === 1),
  };
}
