/** Reads the container and streams of a local file with ffprobe. */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { classifyMediaFailure } from "../errors/classify.ts";
import type { Pipeline } from "../pipeline.ts";
import { runFfmpeg } from "../process/ffmpeg.ts";
import { SAMPLES_PER_FRAME } from "../mp3/mp3-frame.ts";
import { readMp3FrameCount } from "./mp3-frame-count.ts";
import { runBoundedTool } from "../process/tool-process.ts";

/**
 * Containers that hold their media themselves. Playlists, scripts and image sequences are left out: they name other
 * files and addresses, which ffmpeg would open.
 */
const CONTAINERS = [
  "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf",
  "aac,mp3,ogg,flac,wav,ac3,eac3",
  "jpeg_pipe,png_pipe,webp_pipe,gif,bmp_pipe",
].join(",");

/** Options before every foreign input: ffmpeg opens local files only, and no container that names others. */
export const INPUT_GUARD = ["-protocol_whitelist", "file,pipe", "-format_whitelist", CONTAINERS] as const;

const seconds = z.coerce.number().positive().optional().catch(undefined);
const count = z.coerce.number().int().positive().optional().catch(undefined);

/** Reads "25/1"; "0/0" becomes undefined. */
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
  format: z
    .object({ format_name: z.string().catch(""), duration: seconds, bit_rate: count })
    .catch({ format_name: "", duration: undefined, bit_rate: undefined }),
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

type ProbedStream = z.infer<typeof Probed>["streams"][number];
type ProbedPacket = z.infer<typeof Probed>["packets"][number];

export interface VideoStream {
  readonly index: number;
  readonly codec: string;
  readonly pixelFormat: string;
  /** High dynamic range: PQ or HLG. */
  readonly isHdr?: true;
  /** As ffmpeg names it: "High", "Main", "Constrained Baseline" … */
  readonly profile?: string;
  /** Level of H.264 × 10. */
  readonly level?: number;
  /** Players rotate it by 90°. Width and height are those before the rotation. */
  readonly isRotated?: true;
  readonly framesPerSecond?: number;
  /** All frames have the same duration, according to the container. */
  readonly isConstantRate?: true;
  /** Has B-frames: decoding order differs from display order. */
  readonly isReordered?: true;
  /** Known if the container has an index. */
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
  /** Samples at the beginning that the encoder added (encoder delay). Only {@link inspectSound} reads it. */
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
  /** Has a cover picture. */
  readonly hasAttachedPicture: boolean;
  /** Includes subtitles, chapters and data. */
  readonly streamCount?: number;
}

const HDR_TRANSFERS: ReadonlySet<string> = new Set(["smpte2084", "arib-std-b67"]);

/** Codecs of still pictures; a stream of them is not a video. */
const STILL_CODECS = new Set(["png", "webp", "bmp", "gif"]);

/**
 * Reads the streams of a local file. Measures the duration where ffprobe only estimates it.
 * @throws ConversionError "unavailable" when it is not a media file or its container is not allowed
 */
export async function inspectMedia(pipeline: Pipeline, path: string, signal: AbortSignal): Promise<MediaFile> {
  const media = await inspect(pipeline, path, [], signal);
  if (!media.audio || !(await isDurationEstimated(media, media.audio))) return media;
  const durationSeconds = await measureSeconds(pipeline, path, signal);
  return durationSeconds === undefined
    ? media
    : { ...media, durationSeconds, audio: { ...media.audio, durationSeconds } };
}

/**
 * Reads only the first audio stream, with its encoder delay.
 * @throws like {@link inspectMedia}
 */
export async function inspectSound(pipeline: Pipeline, path: string, signal: AbortSignal): Promise<MediaFile> {
  return inspect(pipeline, path, ["-select_streams", "a:0", "-show_packets", "-read_intervals", "%+#1"], signal);
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

/** @returns duration of all packets of the first audio stream; undefined when there are none */
async function measureSeconds(pipeline: Pipeline, path: string, signal: AbortSignal): Promise<number | undefined> {
  let durationSeconds: number | undefined;
  const args = [...INPUT_GUARD, "-i", `file:${path}`, "-map", "0:a:0", "-c", "copy", "-f", "null", "-"];
  await runFfmpeg(pipeline, args, path, signal, (measured) => (durationSeconds = measured));
  return durationSeconds;
}

async function inspect(
  pipeline: Pipeline,
  path: string,
  moreArgs: readonly string[],
  signal: AbortSignal,
): Promise<MediaFile> {
  const { tools, limits } = pipeline;
  const outcome = await runBoundedTool(
    {
      path: tools.ffprobePath,
      args: [
        "-v",
        "error",
        ...INPUT_GUARD,
        "-show_format",
        "-show_streams",
        ...moreArgs,
        "-print_format",
        "json",
        "-i",
        `file:${path}`,
      ],
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
  const video = streams.find(isVideo);
  const audio = streams.find((stream) => stream.codec_type === "audio" && stream.channels !== undefined);
  const { size } = await stat(path);
  return {
    path,
    container: format.format_name,
    sizeBytes: size,
    durationSeconds: format.duration,
    video: video && toVideoStream(video),
    audio: audio && toAudioStream(audio, packets),
    streamCount: streams.length,
    hasAttachedPicture: streams.some(({ disposition }) => disposition.attached_pic === 1),
  };
}

function isVideo(stream: ProbedStream): boolean {
  const isStill = stream.disposition.attached_pic !== 0 || STILL_CODECS.has(stream.codec_name);
  return stream.codec_type === "video" && !isStill && stream.width !== undefined && stream.height !== undefined;
}

function toVideoStream(stream: ProbedStream): VideoStream {
  const isRotated = stream.side_data_list.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  const isConstantRate = stream.avg_frame_rate !== undefined && stream.avg_frame_rate === stream.r_frame_rate;
  return {
    index: stream.index,
    codec: stream.codec_name,
    pixelFormat: stream.pix_fmt ?? "",
    isHdr: HDR_TRANSFERS.has(stream.color_transfer ?? "") || undefined,
    profile: stream.profile,
    level: stream.level,
    isRotated: isRotated || undefined,
    framesPerSecond: stream.avg_frame_rate,
    isConstantRate: isConstantRate || undefined,
    isReordered: Boolean(stream.has_b_frames) || undefined,
    frameCount: stream.nb_frames,
    widthPixels: stream.width ?? 0,
    heightLines: stream.height ?? 0,
    durationSeconds: stream.duration,
  };
}

function toAudioStream(stream: ProbedStream, packets: readonly ProbedPacket[]): AudioStream {
  const [firstPacket] = packets;
  const skipped = firstPacket?.side_data_list.find(({ skip_samples: samples }) => samples !== undefined);
  return {
    index: stream.index,
    codec: stream.codec_name,
    profile: stream.profile,
    channelCount: stream.channels ?? 2,
    sampleRateHz: stream.sample_rate ?? 44_100,
    durationSeconds: stream.duration,
    primingSamples: firstPacket && (skipped?.skip_samples ?? 0),
    bitrateKbps: stream.bit_rate === undefined ? undefined : stream.bit_rate / 1_000,
  };
}
