/** Parses the JSON that ffprobe prints about a file. Pure. */
import { z } from "zod";
import type { PartJoin } from "../mp4/joined-track.ts";
import { text } from "./lenient.ts";

const seconds = z.coerce.number().positive().optional().catch(undefined);
const time = z.coerce.number().optional().catch(undefined);
const count = z.coerce.number().int().positive().optional().catch(undefined);

/** Reads "25/1"; "0/0" becomes undefined. */
const rate = z
  .string()
  .transform((fraction) => {
    const [over = NaN, under = NaN] = fraction.split("/").map(Number);
    return over > 0 && under > 0 ? over / under : undefined;
  })
  .optional()
  .catch(undefined);

const Probed = z.object({
  packets: z
    .array(
      z.object({
        stream_index: z.number().int(),
        side_data_list: z.array(z.object({ skip_samples: count })).catch([]),
      }),
    )
    .catch([]),
  format: z
    .object({ format_name: z.string().catch(""), start_time: time, duration: seconds, bit_rate: count })
    .catch({ format_name: "", start_time: undefined, duration: undefined, bit_rate: undefined }),
  streams: z
    .array(
      z.object({
        index: z.number().int(),
        codec_type: z.string().catch(""),
        codec_name: z.string().catch(""),
        profile: z.string().optional().catch(undefined),
        pix_fmt: z.string().optional(),
        field_order: z.string().optional().catch(undefined),
        refs: count,
        color_range: z.string().optional().catch(undefined),
        color_space: z.string().optional().catch(undefined),
        color_primaries: z.string().optional().catch(undefined),
        color_transfer: z.string().optional().catch(undefined),
        width: count,
        height: count,
        channels: count,
        channel_layout: z.string().optional().catch(undefined),
        start_time: time,
        sample_rate: count,
        duration: seconds,
        bit_rate: count,
        bits_per_sample: count,
        bits_per_raw_sample: count,
        level: count,
        nb_frames: count,
        has_b_frames: z.number().optional().catch(undefined),
        r_frame_rate: rate,
        avg_frame_rate: rate,
        side_data_list: z.array(z.object({ rotation: z.number().optional().catch(undefined) })).catch([]),
        disposition: z.record(z.string(), z.number()).catch({}),
        tags: z.object({ title: text, handler_name: text }).catch({}),
      }),
    )
    .catch([]),
});

type ProbedStream = z.infer<typeof Probed>["streams"][number];
type ProbedFormat = z.infer<typeof Probed>["format"];
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
  /** A part may have no frame of its own: it shows one from before its beginning, as slides and screens do. */
  readonly hasPauses?: true;
  /** All frames have the same duration, according to the container. */
  readonly isConstantRate?: true;
  /** Has B-frames: decoding order differs from display order. */
  readonly isReordered?: true;
  /** Known if the container has an index. */
  readonly frameCount?: number;
  readonly widthPixels: number;
  readonly heightLines: number;
  readonly durationSeconds?: number;
  /** Not interlaced. */
  readonly isProgressive?: true;
  /** Interlaced: which field of each frame is shown first, as ffmpeg names it. */
  readonly firstField?: "tff" | "bff";
  /** Some frames have another size than the first. */
  readonly changesSize?: true;
  /** Width by height in which its site shows it, where that is not what the file says. */
  readonly shownRatio?: number;
  /** Frames that a decoder keeps to decode others. */
  readonly referenceCount?: number;
  /** Its colours as ffmpeg names them, by option; what is not stated is absent. */
  readonly colour?: Readonly<Record<string, string>>;
  /** How most of the wanted part can be copied, though it begins or ends between two key frames. */
  readonly partJoin?: PartJoin;
  /** Its first frame, in seconds after the beginning of the file. Known where a part is wanted. */
  readonly firstSeconds?: number;
  /** A key frame with which the wanted part may begin, in seconds after the beginning of the file. */
  readonly partKeyFrameSeconds?: number;
}

export interface AudioStream {
  readonly index: number;
  readonly codec: string;
  /** As ffmpeg names it: "LC", "HE-AAC" … */
  readonly profile?: string;
  readonly channelCount: number;
  /** As ffmpeg names it: "5.1", "ambisonic 1" … Absent: the file does not say. */
  readonly layout?: string;
  /** How much later than the file it begins; absent where that is not worth a mention. */
  readonly lateSeconds?: number;
  readonly sampleRateHz: number;
  readonly durationSeconds?: number;
  readonly bitrateKbps?: number;
  /** Known for lossless codecs. */
  readonly bitsPerSample?: number;
  /** Samples at the beginning that the encoder added (encoder delay). Read only with -show_packets. */
  readonly primingSamples?: number;
}

export interface MediaStreams {
  /** As ffmpeg names it: "mov,mp4,m4a,3gp,3g2,mj2", "mpegts" … */
  readonly container: string;
  /** The earliest time of its streams; rarely 0 in segments. */
  readonly startSeconds?: number;
  readonly durationSeconds?: number;
  readonly video?: VideoStream;
  readonly audio?: AudioStream;
  /** Index of a sound stream in a format that ffmpeg does not read, or not well, where there is no other. */
  readonly unreadableSound?: number;
  /** It is a still picture and nothing else. */
  readonly isPicture?: true;
  /** A transport stream whose pictures are seconds apart; ffmpeg may not find their size, nor the place of one. */
  readonly hasSlides?: true;
  /** Has a cover picture. */
  readonly hasAttachedPicture: boolean;
  /** Includes subtitles, chapters and data. */
  readonly streamCount?: number;
}

/** @returns lines by which a size is named, whether the picture is wide, tall or turned */
export function shorterSide({ widthPixels, heightLines }: Pick<VideoStream, "widthPixels" | "heightLines">): number {
  return Math.min(widthPixels, heightLines);
}

const HDR_TRANSFERS: ReadonlySet<string> = new Set(["smpte2084", "arib-std-b67"]);

/** Codecs of still pictures; a stream of them is not a video. */
const STILL_CODECS = new Set(["png", "webp", "bmp"]);
/** How ffmpeg names the readers of files with one picture. It does not read the frames of an animated WebP either. */
const PICTURE_CONTAINER = /_pipe$/;

/** Encoders delay sound by a few frames. More than this between sound and picture is meant. */
const LEAST_LATE_SECONDS = 0.1;

/** Streams for some viewers only: descriptions of the picture, and comments on the video. */
const FOR_SOME = ["visual_impaired", "hearing_impaired", "comment"] as const;
/** Where only a name says so. */
const NAME_FOR_SOME = /\b(?:audio[ -]?descri|descri(?:bed|ptive)\b|commentary\b)/i;

function isForSome({ disposition, tags }: ProbedStream): boolean {
  const names = [tags.title, tags.handler_name];
  return FOR_SOME.some((name) => disposition[name] === 1) || names.some((name) => NAME_FOR_SOME.test(name ?? ""));
}

/** @returns the stream that players show: the default one, else the first; those for some viewers come last */
function preferred(streams: readonly ProbedStream[]): ProbedStream | undefined {
  const rank = (stream: ProbedStream): number => {
    if (isForSome(stream)) return 2;
    return stream.disposition["default"] === 1 ? 0 : 1;
  };
  return streams.toSorted((a, b) => rank(a) - rank(b))[0];
}

/**
 * Takes the preferred video that is not a still picture, and the preferred audio.
 * @param json printed with -show_format, -show_streams and optionally -show_packets
 */
export function parseFfprobeOutput(json: string): MediaStreams {
  const { format, streams, packets } = Probed.parse(JSON.parse(json));
  const isPicture = isStillPicture(format, streams) || undefined;
  const found = isPicture ? undefined : preferred(streams.filter(isVideo));
  const video = found && toVideoStream(found);
  const sounds = streams.filter((stream) => stream.codec_type === "audio");
  const audio = preferred(sounds.filter(isReadableSound));
  return {
    container: format.format_name,
    startSeconds: format.start_time,
    durationSeconds: format.duration,
    video,
    audio: audio && toAudioStream(audio, packets, format.start_time),
    isPicture,
    hasSlides: hasSlides(format, streams, video) || undefined,
    unreadableSound: audio ? undefined : sounds[0]?.index,
    streamCount: streams.length,
    hasAttachedPicture: streams.some(isCover),
  };
}

/** ffmpeg 7.1 reads xHE-AAC wrongly: it lacks parts of it (eSBR, MPEG Surround). Older ones do not read it at all. */
function isReadableSound({ channels, profile }: ProbedStream): boolean {
  return channels !== undefined && profile !== "xHE-AAC";
}

function hasSlides(
  { format_name: name }: ProbedFormat,
  streams: readonly ProbedStream[],
  video?: VideoStream,
): boolean {
  const isFound = video !== undefined || streams.every(({ codec_type: type }) => type !== "video");
  return name === "mpegts" && (!isFound || video?.hasPauses === true);
}

function isCover({ disposition }: ProbedStream): boolean {
  return disposition["attached_pic"] === 1;
}

/** A GIF may have one frame or many. */
function isStillPicture({ format_name: name, duration = 0 }: ProbedFormat, [first]: readonly ProbedStream[]): boolean {
  return PICTURE_CONTAINER.test(name) || (name === "gif" && duration * (first?.avg_frame_rate ?? 0) < 1.5);
}

function isVideo(stream: ProbedStream): boolean {
  const isStill = isCover(stream) || STILL_CODECS.has(stream.codec_name);
  return stream.codec_type === "video" && !isStill && stream.width !== undefined && stream.height !== undefined;
}

/** ffmpeg's options, by the name of the field. */
const COLOUR_OPTIONS = {
  color_range: "color_range",
  color_space: "colorspace",
  color_primaries: "color_primaries",
  color_transfer: "color_trc",
} as const;

function colourOf(stream: ProbedStream): Readonly<Record<string, string>> {
  const stated = Object.entries(COLOUR_OPTIONS).flatMap(([field, option]) => {
    const value = stream[field as keyof typeof COLOUR_OPTIONS];
    return value === undefined || value === "unknown" ? [] : [[option, value] as const];
  });
  return Object.fromEntries(stated);
}

/** Of pictures with fewer frames each is shown for a noticeable time. */
const LEAST_MOVING_FRAMES_PER_SECOND = 10;

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
    hasPauses: (stream.avg_frame_rate ?? Infinity) < LEAST_MOVING_FRAMES_PER_SECOND || undefined,
    isConstantRate: isConstantRate || undefined,
    isReordered: Boolean(stream.has_b_frames) || undefined,
    isProgressive: stream.field_order === "progressive" || undefined,
    firstField: firstFieldOf(stream),
    referenceCount: stream.refs,
    colour: colourOf(stream),
    frameCount: stream.nb_frames,
    widthPixels: stream.width ?? 0,
    heightLines: stream.height ?? 0,
    durationSeconds: stream.duration,
  };
}

/** ffmpeg names the order of fields by two letters; the second is of the field that is shown first. */
function firstFieldOf({ field_order: order = "", codec_name: codec, height }: ProbedStream): VideoStream["firstField"] {
  // Tapes have the lower field first (IEC 61834-2), and the header of a DV file does not say so.
  if (codec === "dvvideo" && (height === 480 || height === 576)) return "bff";
  if (!/^[tb][tb]$/.test(order)) return undefined;
  return order.endsWith("t") ? "tff" : "bff";
}

function toAudioStream(stream: ProbedStream, packets: readonly ProbedPacket[], fileStartSeconds = 0): AudioStream {
  const lateSeconds = (stream.start_time ?? fileStartSeconds) - fileStartSeconds;
  const firstPacket = packets.find((packet) => packet.stream_index === stream.index);
  const skipped = firstPacket?.side_data_list.find(({ skip_samples: samples }) => samples !== undefined);
  return {
    index: stream.index,
    codec: stream.codec_name,
    profile: stream.profile,
    channelCount: stream.channels ?? 2,
    layout: stream.channel_layout === "unknown" ? undefined : stream.channel_layout,
    lateSeconds: lateSeconds > LEAST_LATE_SECONDS ? lateSeconds : undefined,
    sampleRateHz: stream.sample_rate ?? 44_100,
    durationSeconds: stream.duration,
    bitsPerSample: stream.bits_per_raw_sample ?? stream.bits_per_sample,
    primingSamples: firstPacket && (skipped?.skip_samples ?? 0),
    bitrateKbps: stream.bit_rate === undefined ? undefined : stream.bit_rate / 1_000,
  };
}
