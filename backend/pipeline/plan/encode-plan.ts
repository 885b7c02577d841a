/** Plans how fetched files become the result, from what a probe found in them. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { Shortfall } from "../../../common/shortfall.ts";
import type { Part } from "../../../common/choices.ts";
import type { MediaFormat, TierLimits } from "../../../common/tiers.ts";
import { extentOf, type Extent } from "../part/cuts.ts";
import type { PartJoin } from "../mp4/joined-track.ts";
import { isSpan, partInSources, partSeconds, shareOf } from "../part/part.ts";
import { checkNoPicture, endOf, findSound, findStream, type StreamOf } from "./find-stream.ts";
import { encodeSeconds } from "./planned-times.ts";
import { checkDuration, LOWEST_AUDIO_KBPS, LOWEST_VIDEO_KBPS } from "./plan-bounds.ts";
import { shorterSide } from "../probe/ffprobe-output.ts";
import type { AudioStream, MediaFile, VideoStream } from "../probe/media-file.ts";
import type { SoundFormat } from "./sound-bytes.ts";
import { planSound, type SoundPlan } from "./sound-plan.ts";
import { SAMPLE_RATES_HZ, type SampleRateHz } from "../aac/sample-rates.ts";
import { NOT_READABLE, resultTooLarge } from "../errors/wording.ts";

const AUDIO_KBPS = 128;
/** Share of the allowed size that is planned for; container and rate control add up to 4 percent. */
const BUDGET_SHARE = 0.96;
/** Sound up to this multiple of the planned bit rate is copied. */
const COPIED_SOUND_TOLERANCE = 1.1;
/** Lowest bit rate at which a height still looks better than the next lower one. */
const LADDER = [
  { heightLines: 1080, leastKbps: 1_500 },
  { heightLines: 720, leastKbps: 800 },
  { heightLines: 480, leastKbps: 400 },
  { heightLines: 360, leastKbps: 240 },
  { heightLines: 240, leastKbps: LOWEST_VIDEO_KBPS },
] as const;

export interface Mp3Plan extends Extent {
  readonly format: "mp3";
  readonly audio: StreamOf<AudioStream>;
  readonly bitrateKbps: number;
  /** Mono stays mono; more than two channels are mixed down. */
  readonly channelCount: 1 | 2;
  /** The source's own rate where MP3 has it, so that nothing is resampled without need. */
  readonly sampleRateHz: SampleRateHz;
}

interface EncodeSettings {
  /** Of the shorter side. */
  readonly heightLines: number;
  readonly maxBitrateKbps: number | undefined;
}

/** Only the edges of a part are encoded, unless they turn out not to fit: then all of it is, with these settings. */
export type JoinedVideo = StreamOf<VideoStream> & EncodeSettings & { readonly method: "join"; readonly join: PartJoin };

export type VideoTrackPlan =
  | (StreamOf<VideoStream> & { readonly method: "copy" })
  | (StreamOf<VideoStream> & EncodeSettings & { readonly method: "encode" })
  | JoinedVideo
  /** The cover picture, or black, shown for the length of the sound. */
  | { readonly method: "still" };

type SoundTrackPlan = StreamOf<AudioStream> & {
  readonly method: "copy" | "encode";
  readonly bitrateKbps: number;
  /** Mono stays mono; more than two channels are mixed down. */
  readonly channelCount: 1 | 2;
};

export interface Mp4Plan extends Extent {
  readonly format: "mp4";
  readonly video: VideoTrackPlan;
  readonly audio?: SoundTrackPlan;
  /** Set where a taller picture would not fit. */
  readonly shortfall?: Shortfall;
}

export type EncodePlan = Mp3Plan | Mp4Plan | SoundPlan;

/** Profiles that old phones decode. Lossless H.264 may use their pixel format, but not their profile. */
const PLAIN_PROFILES = /^(?:(?:Constrained )?Baseline|Main|High)$/;
const PLAIN_AAC_PROFILES = /^(?:LC|HE-AAC|HE-AACv2)$/;

function isCopyable(video: VideoStream, limits: TierLimits): boolean {
  const isPlain =
    video.codec === "h264" &&
    !video.isHdr &&
    video.shownRatio === undefined &&
    !video.changesSize &&
    /^yuvj?420p$/.test(video.pixelFormat) &&
    PLAIN_PROFILES.test(video.profile ?? "High");
  return isPlain && shorterSide(video) <= limits.mp4MaxHeight;
}

function isSoundCopyable({ codec, profile = "LC", channelCount }: AudioStream): boolean {
  return codec === "aac" && PLAIN_AAC_PROFILES.test(profile) && channelCount <= 2;
}

function planMp3(
  sources: readonly MediaFile[],
  limits: TierLimits,
  wantedPart: Part | undefined,
  spans: readonly Part[] | undefined,
): Mp3Plan {
  const { audio, durationSeconds, part, cuts } = findSound(sources, limits, wantedPart, spans);
  const neededBytes = (durationSeconds * limits.mp3BitrateKbps * 1_000) / 8;
  if (neededBytes > limits.maxFileBytes) throw new ConversionError("too_large", resultTooLarge(neededBytes, limits));
  return {
    format: "mp3",
    durationSeconds,
    part,
    cuts,
    audio,
    bitrateKbps: limits.mp3BitrateKbps,
    channelCount: channelsFor(audio.stream),
    sampleRateHz: mp3SampleRate(audio.stream.sampleRateHz),
  };
}

function channelsFor({ channelCount }: AudioStream): 1 | 2 {
  return channelCount === 1 ? 1 : 2;
}

/** A rate that MP3 does not have is resampled to the one with a simple ratio. */
function mp3SampleRate(sourceHz: number): SampleRateHz {
  return (
    SAMPLE_RATES_HZ.find((rate) => rate === sourceHz) ??
    (44_100 % sourceHz === 0 || sourceHz % 44_100 === 0 ? 44_100 : 48_000)
  );
}

/** A height between two rungs needs the bit rate of the rung above it. */
function leastKbpsFor(lines: number): number {
  return (LADDER.findLast(({ heightLines }) => heightLines >= lines) ?? LADDER[0]).leastKbps;
}

/** The wanted height if the bit rate is enough for it, else the tallest rung below for which it is. */
function heightFor(availableKbps: number, wantedLines: number): number {
  if (leastKbpsFor(wantedLines) <= availableKbps) return wantedLines;
  const rung = LADDER.find(({ heightLines, leastKbps }) => heightLines < wantedLines && leastKbps <= availableKbps);
  return Math.min(wantedLines, rung?.heightLines ?? 240);
}

/** What the tier's size allows for a video of this length. */
interface Budget {
  readonly durationSeconds: number;
  readonly kbps: number;
  readonly audioKbps: number;
  /** The sources are small enough to be copied. */
  readonly fitsUnchanged: boolean;
}

/** What decides whether a track is copied or encoded. */
interface TrackBudget extends Budget {
  /** The result begins after the beginning of the sources, between two frames of sound and picture. */
  readonly cutsStart: boolean;
  /** It ends before their end. */
  readonly cutsEnd: boolean;
  /** Something in its middle is left out. */
  readonly hasCuts: boolean;
  /** Length of all parts that are made one after the other. */
  readonly allSeconds: number;
}

function budgetFor(sources: readonly MediaFile[], durationSeconds: number, { maxFileBytes }: TierLimits): Budget {
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const kbps = (maxFileBytes * BUDGET_SHARE * 8) / 1_000 / durationSeconds;
  const audioKbps = kbps < LOWEST_VIDEO_KBPS + AUDIO_KBPS ? LOWEST_AUDIO_KBPS : AUDIO_KBPS;
  return { durationSeconds, kbps, audioKbps, fitsUnchanged: sourceBytes <= maxFileBytes };
}

function planSoundTrack(
  audio: StreamOf<AudioStream>,
  { audioKbps, fitsUnchanged, cutsStart, hasCuts }: TrackBudget,
): SoundTrackPlan {
  const fits = fitsUnchanged || (audio.stream.bitrateKbps ?? Infinity) <= audioKbps * COPIED_SOUND_TOLERANCE;
  return {
    ...audio,
    method: isSoundCopyable(audio.stream) && fits && !cutsStart && !hasCuts ? "copy" : "encode",
    bitrateKbps: audioKbps,
    channelCount: channelsFor(audio.stream),
  };
}

/**
 * Encoding for longer than this is worse than copying. Of a part an edit list then hides the frames from the key frame to
 * the beginning, and some frames after the end may stay. Of an interlaced picture players show both fields at once.
 */
const MAX_ENCODE_SECONDS = 10 * 60;

function isTooLongToEncode(video: VideoStream, durationSeconds: number): boolean {
  return encodeSeconds(durationSeconds, shorterSide(video)) > MAX_ENCODE_SECONDS;
}

/** Whether a long part is copied. Without an index the key frame before it cannot be found. */
function isTooLongToCut(source: MediaFile | undefined, video: VideoStream, durationSeconds: number): boolean {
  const hasIndex = source?.container.startsWith("mov,") === true;
  return hasIndex && isTooLongToEncode(video, durationSeconds);
}

/**
 * Whether a copied picture can begin and end where it should. A frame may need later ones only if it is reordered, and one
 * that is shown for long may be shown beyond the part.
 */
function canCut(
  { partKeyFrameSeconds, isReordered, hasPauses }: VideoStream,
  { cutsStart, cutsEnd }: Pick<TrackBudget, "cutsStart" | "cutsEnd">,
): boolean {
  return (!cutsStart || partKeyFrameSeconds !== undefined) && !(cutsEnd && (isReordered || hasPauses));
}

/** @throws ConversionError "too_large" when even the lowest quality does not fit */
function planVideoTrack(
  sources: readonly MediaFile[],
  video: StreamOf<VideoStream>,
  hasSound: boolean,
  { durationSeconds, allSeconds, kbps, audioKbps, fitsUnchanged, hasCuts, ...borders }: TrackBudget,
  limits: TierLimits,
): Pick<Mp4Plan, "video" | "shortfall"> {
  const { stream } = video;
  const mayStayInterlaced = stream.firstField === undefined || isTooLongToEncode(stream, allSeconds);
  const mayBeCopied = fitsUnchanged && isCopyable(stream, limits) && !hasCuts && mayStayInterlaced;
  const join = mayBeCopied && !canCut(stream, borders) ? stream.partJoin : undefined;
  const canBeCopied = canCut(stream, borders) || isTooLongToCut(sources[video.source], stream, allSeconds);
  if (mayBeCopied && canBeCopied && !join) return { video: { ...video, method: "copy" } };
  const availableKbps = kbps - (hasSound ? audioKbps : 0);
  if (availableKbps < LOWEST_VIDEO_KBPS) {
    const leastKbps = LOWEST_VIDEO_KBPS + (hasSound ? LOWEST_AUDIO_KBPS : 0);
    const leastBytes = (durationSeconds * leastKbps * 1_000) / 8 / BUDGET_SHARE;
    throw new ConversionError("too_large", resultTooLarge(leastBytes, limits));
  }
  const wantedLines = Math.min(shorterSide(stream), limits.mp4MaxHeight);
  // The encoder needs an even height.
  const heightLines = Math.max(2, 2 * Math.floor(heightFor(availableKbps, wantedLines) / 2));
  const maxBitrateKbps = Math.floor(availableKbps);
  if (join) return { video: { ...video, method: "join", heightLines, maxBitrateKbps, join } };
  const isReduced = heightLines < 2 * Math.floor(wantedLines / 2);
  return {
    video: { ...video, method: "encode", heightLines, maxBitrateKbps },
    shortfall: isReduced ? { reason: "file_size", heightLines, maxBytes: limits.maxFileBytes } : undefined,
  };
}

/** The sources as far as the part reaches, to compare their size with that of the result. */
function cutToPart(sources: readonly MediaFile[], part: Part, sourceSeconds: number): readonly MediaFile[] {
  return sources.map((source) =>
    isSpan(source) ? source : { ...source, sizeBytes: source.sizeBytes * shareOf(part, sourceSeconds) },
  );
}

function planMp4(
  sources: readonly MediaFile[],
  limits: TierLimits,
  wantedPart: Part | undefined,
  { allSeconds, spans }: PlanOptions,
): Mp4Plan {
  const video = findStream(sources, (file) => file.video);
  const audio = findStream(sources, (file) => file.audio);
  checkNoPicture(sources);
  if (!video && !audio) throw new ConversionError("unavailable", NOT_READABLE);
  const sourceSeconds = Math.max(...[video, audio].map((found) => (found && endOf(found, sources)) ?? 0));
  if (sourceSeconds === 0) throw new ConversionError("unavailable", { detail: "no stream has a duration" });
  const sourcePart = partInSources(wantedPart, sources, sourceSeconds);
  checkDuration(sourcePart ? partSeconds(sourcePart) : sourceSeconds, limits);
  const extent = extentOf(sourcePart, sourceSeconds, spans);
  const { part, durationSeconds } = extent;
  const budget = {
    ...budgetFor(part ? cutToPart(sources, part, sourceSeconds) : sources, durationSeconds, limits),
    cutsStart: part !== undefined && part.startSeconds > 0,
    allSeconds: allSeconds ?? durationSeconds,
    hasCuts: extent.cuts !== undefined,
    cutsEnd: part !== undefined && (sources.some(isSpan) || part.endSeconds < sourceSeconds),
  };
  const sound = audio && planSoundTrack(audio, budget);
  if (!video) return { format: "mp4", ...extent, video: { method: "still" }, audio: sound };
  const picture = planVideoTrack(sources, video, sound !== undefined, budget, limits);
  return { format: "mp4", ...extent, audio: sound, ...picture };
}

export interface PlanOptions {
  /** Length of all parts that are made one after the other; absent: there is only this one. */
  readonly allSeconds?: number;
  /** To leave out of the result, on the time line of the whole video: sorted, apart from each other. */
  readonly spans?: readonly Part[] | undefined;
}

/**
 * Plans how the result is made.
 * @param sources the fetched files: one file, or picture and sound in two
 * @param part the limit of length holds for it; absent: the whole video
 * @throws ConversionError "too_long", "too_large" with both sizes, "unavailable" when they hold nothing usable,
 * "part_outside"
 */
export function planEncode(
  format: "mp3",
  sources: readonly MediaFile[],
  limits: TierLimits,
  part?: Part,
  options?: PlanOptions,
): Mp3Plan;
export function planEncode(
  format: "mp4",
  sources: readonly MediaFile[],
  limits: TierLimits,
  part?: Part,
  options?: PlanOptions,
): Mp4Plan;
export function planEncode(
  format: "mp3" | "mp4",
  sources: readonly MediaFile[],
  limits: TierLimits,
  part?: Part,
  options?: PlanOptions,
): Mp3Plan | Mp4Plan;
export function planEncode(
  format: SoundFormat,
  sources: readonly MediaFile[],
  limits: TierLimits,
  part?: Part,
  options?: PlanOptions,
): SoundPlan;
export function planEncode(
  format: MediaFormat,
  sources: readonly MediaFile[],
  limits: TierLimits,
  part?: Part,
  options?: PlanOptions,
): EncodePlan;
export function planEncode(
  format: MediaFormat,
  sources: readonly MediaFile[],
  limits: TierLimits,
  part?: Part,
  options: PlanOptions = {},
): EncodePlan {
  if (format === "mp3") return planMp3(sources, limits, part, options.spans);
  if (format === "mp4") return planMp4(sources, limits, part, options);
  return planSound(format, sources, limits, part, options.spans);
}
