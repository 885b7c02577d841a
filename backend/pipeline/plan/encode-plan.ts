/** Plans how fetched files become the result, from what a probe found in them. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { Format, TierLimits } from "../../../common/tiers.ts";
import { checkDuration, LOWEST_AUDIO_KBPS, LOWEST_VIDEO_KBPS } from "./plan-bounds.ts";
import type { AudioStream, MediaFile, VideoStream } from "../probe/media-file.ts";
import { SAMPLE_RATES_HZ, type SampleRateHz } from "../aac/sample-rates.ts";
import { describeSize, NO_SOUND, tooLargeMessage } from "../errors/wording.ts";

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

export interface StreamOf<S> {
  /** Index of its file among the sources. */
  readonly source: number;
  readonly stream: S;
}

export interface Mp3Plan {
  readonly format: "mp3";
  readonly durationSeconds: number;
  readonly audio: StreamOf<AudioStream>;
  readonly bitrateKbps: number;
  /** Mono stays mono; more than two channels are mixed down. */
  readonly channelCount: 1 | 2;
  /** The source's own rate where MP3 has it, so that nothing is resampled without need. */
  readonly sampleRateHz: SampleRateHz;
}

export type VideoTrackPlan =
  | (StreamOf<VideoStream> & { readonly method: "copy" })
  | (StreamOf<VideoStream> & {
      readonly method: "encode";
      readonly heightLines: number;
      readonly maxBitrateKbps: number | undefined;
    })
  /** The cover picture, or black, shown for the length of the sound. */
  | { readonly method: "still" };

type SoundTrackPlan = StreamOf<AudioStream> & {
  readonly method: "copy" | "encode";
  readonly bitrateKbps: number;
  /** Mono stays mono; more than two channels are mixed down. */
  readonly channelCount: 1 | 2;
};

export interface Mp4Plan {
  readonly format: "mp4";
  readonly durationSeconds: number;
  readonly video: VideoTrackPlan;
  readonly audio?: SoundTrackPlan;
  readonly note?: string;
}

export type EncodePlan = Mp3Plan | Mp4Plan;

function findStream<S>(
  sources: readonly MediaFile[],
  pick: (file: MediaFile) => S | undefined,
): StreamOf<S> | undefined {
  for (const [source, file] of sources.entries()) {
    const stream = pick(file);
    if (stream !== undefined) return { source, stream };
  }
  return undefined;
}

/** Profiles that old phones decode. Lossless H.264 may use their pixel format, but not their profile. */
const PLAIN_PROFILES = /^(?:(?:Constrained )?Baseline|Main|High)$/;
const PLAIN_AAC_PROFILES = /^(?:LC|HE-AAC|HE-AACv2)$/;

function isCopyable(video: VideoStream, limits: TierLimits): boolean {
  const isPlain =
    video.codec === "h264" &&
    !video.isHdr &&
    /^yuvj?420p$/.test(video.pixelFormat) &&
    PLAIN_PROFILES.test(video.profile ?? "High");
  return isPlain && video.heightLines <= limits.mp4MaxHeight;
}

function isSoundCopyable({ codec, profile = "LC", channelCount }: AudioStream): boolean {
  return codec === "aac" && PLAIN_AAC_PROFILES.test(profile) && channelCount <= 2;
}

function planMp3(sources: readonly MediaFile[], limits: TierLimits): Mp3Plan {
  const audio = findStream(sources, (file) => file.audio);
  if (!audio) throw new ConversionError("unavailable", { message: NO_SOUND });
  const durationSeconds = audio.stream.durationSeconds ?? sources[audio.source]?.durationSeconds;
  if (durationSeconds === undefined) throw new ConversionError("unavailable", { detail: "the sound has no duration" });
  checkDuration(durationSeconds, limits);
  const neededBytes = (durationSeconds * limits.mp3BitrateKbps * 1_000) / 8;
  if (neededBytes > limits.maxFileBytes)
    throw new ConversionError("too_large", { message: tooLargeMessage(neededBytes, limits) });
  return {
    format: "mp3",
    durationSeconds,
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

function budgetFor(sources: readonly MediaFile[], durationSeconds: number, { maxFileBytes }: TierLimits): Budget {
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const kbps = (maxFileBytes * BUDGET_SHARE * 8) / 1_000 / durationSeconds;
  const audioKbps = kbps < LOWEST_VIDEO_KBPS + AUDIO_KBPS ? LOWEST_AUDIO_KBPS : AUDIO_KBPS;
  return { durationSeconds, kbps, audioKbps, fitsUnchanged: sourceBytes <= maxFileBytes };
}

function planSoundTrack(audio: StreamOf<AudioStream>, { audioKbps, fitsUnchanged }: Budget): SoundTrackPlan {
  const fits = fitsUnchanged || (audio.stream.bitrateKbps ?? Infinity) <= audioKbps * COPIED_SOUND_TOLERANCE;
  return {
    ...audio,
    method: isSoundCopyable(audio.stream) && fits ? "copy" : "encode",
    bitrateKbps: audioKbps,
    channelCount: channelsFor(audio.stream),
  };
}

/** @throws ConversionError "too_large" when even the lowest quality does not fit */
function planVideoTrack(
  video: StreamOf<VideoStream>,
  hasSound: boolean,
  { durationSeconds, kbps, audioKbps, fitsUnchanged }: Budget,
  limits: TierLimits,
): Pick<Mp4Plan, "video" | "note"> {
  const { stream } = video;
  if (fitsUnchanged && isCopyable(stream, limits)) return { video: { ...video, method: "copy" } };
  const availableKbps = kbps - (hasSound ? audioKbps : 0);
  if (availableKbps < LOWEST_VIDEO_KBPS) {
    const leastKbps = LOWEST_VIDEO_KBPS + (hasSound ? LOWEST_AUDIO_KBPS : 0);
    const leastBytes = (durationSeconds * leastKbps * 1_000) / 8 / BUDGET_SHARE;
    throw new ConversionError("too_large", { message: tooLargeMessage(leastBytes, limits) });
  }
  const wantedLines = Math.min(stream.isRotated ? stream.widthPixels : stream.heightLines, limits.mp4MaxHeight);
  // The encoder needs an even height.
  const heightLines = Math.max(2, 2 * Math.floor(heightFor(availableKbps, wantedLines) / 2));
  const isReduced = heightLines < 2 * Math.floor(wantedLines / 2);
  return {
    video: { ...video, method: "encode", heightLines, maxBitrateKbps: Math.floor(availableKbps) },
    note: isReduced ? `${heightLines}p to fit ${describeSize(limits.maxFileBytes)}` : undefined,
  };
}

function planMp4(sources: readonly MediaFile[], limits: TierLimits): Mp4Plan {
  const video = findStream(sources, (file) => file.video);
  const audio = findStream(sources, (file) => file.audio);
  if (!video && !audio)
    throw new ConversionError("unavailable", { message: "What this link leads to is not a video that can be read." });
  const durationSeconds = Math.max(
    ...[video, audio].map(
      (found) => found?.stream.durationSeconds ?? (found && sources[found.source]?.durationSeconds) ?? 0,
    ),
  );
  if (durationSeconds === 0) throw new ConversionError("unavailable", { detail: "no stream has a duration" });
  checkDuration(durationSeconds, limits);
  const budget = budgetFor(sources, durationSeconds, limits);
  const sound = audio && planSoundTrack(audio, budget);
  if (!video) return { format: "mp4", durationSeconds, video: { method: "still" }, audio: sound };
  const picture = planVideoTrack(video, sound !== undefined, budget, limits);
  return { format: "mp4", durationSeconds, audio: sound, ...picture };
}

/**
 * Plans how the result is made.
 * @param sources the fetched files: one file, or picture and sound in two
 * @throws ConversionError "too_long", "too_large" with both sizes, "unavailable" when they hold nothing usable
 */
export function planEncode(format: Format, sources: readonly MediaFile[], limits: TierLimits): EncodePlan {
  return format === "mp3" ? planMp3(sources, limits) : planMp4(sources, limits);
}
