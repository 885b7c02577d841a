/** Plans how fetched files become the original sound, or FLAC or WAV, from what a probe found in them. Pure. */
import { ConversionError } from "../../../common/errors.ts";
import type { FileKind } from "../../../common/findings.ts";
import type { Part, TranscriptKind } from "../../../common/choices.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { fileTooLarge } from "../errors/wording.ts";
import { partSeconds } from "../part/part.ts";
import type { AudioStream, MediaFile } from "../probe/media-file.ts";
import { findSound, type FoundSound } from "./find-stream.ts";
import { isForSpeakers } from "./mix-down.ts";
import { wavBytes, type SoundFormat } from "./sound-bytes.ts";

/** What a sound is stored as. */
export type SoundKind = Exclude<FileKind, "mp4" | TranscriptKind>;

/** The packets of the source are copied, see {@link isCopied} for exceptions. */
export interface OriginalPlan extends FoundSound {
  readonly format: "original";
  readonly fileKind: SoundKind;
}

/** Packets of PCM and WavPack have up to half a second, and the header of a FLAC states length and checksum of all samples. */
const WRITTEN_ANEW_IN_PART = /^(?:flac$|wavpack$|pcm_)/;

/** Whether the packets of the source are copied. If not, its samples are encoded again, without a change. */
export function isCopied(plan: SoundPlan): boolean {
  if (plan.format !== "original") return false;
  const { part, audio } = plan;
  return codecOf(plan) === audio.stream.codec && !(part && WRITTEN_ANEW_IN_PART.test(audio.stream.codec));
}

/** @returns what the sound is encoded as in the result, by ffmpeg's name */
export function codecOf({ fileKind, audio }: OriginalPlan): string {
  return fileKind === "flac" ? fileKind : audio.stream.codec;
}

/** Sample rate and channels stay those of the source, unless the channels are for no speakers. */
export interface LosslessPlan extends FoundSound {
  readonly format: "flac" | "wav";
  readonly sampleBits: 16 | 24;
  /** That of the source, unless nothing could play its channels. */
  readonly channelCount: number;
}

export type SoundPlan = OriginalPlan | LosslessPlan;

/** The file that players expect for the sound of a codec, by ffmpeg's names. */
const KINDS: readonly (readonly [codec: RegExp, kind: SoundKind])[] = [
  [/^(?:aac|alac|ac3|eac3)$/, "m4a"],
  [/^opus$/, "opus"],
  [/^vorbis$/, "ogg"],
  [/^mp3$/, "mp3"],
  [/^flac$/, "flac"],
  [/^pcm_(?:u8|[sf]\d+le|alaw|mulaw)$/, "wav"],
  // Samples in the byte order of AIFF, also out of CAF and AU.
  [/^pcm_(?:s8|[sf]\d+be)$/, "aiff"],
  [/^amr_[nw]b$/, "amr"],
  [/^wavpack$/, "wv"],
  // What Matroska takes and ffmpeg reads back. Others are encoded again, and their samples are the same.
  [/^(?:mp[12]|dts|truehd|mlp|tta|speex|wmav[12]|wmapro|wmalossless|g723_1|gsm_ms|ra_144|dfpwm)$/, "mka"],
  [/^adpcm_(?:g722|g726|ima_wav|ms|yamaha)$/, "mka"],
];

/** Packets of TTA and ADPCM have up to a second of sound. Those of Speex and GSM need the ones before for their loudness. */
const ENCODED_IN_PART = /^(?:tta|speex|gsm_ms|adpcm_\w+)$/;

/** @returns a container that takes the packets as they are, or "flac" where none of ours does */
function kindOf(codec: string, container: string | undefined, part: Part | undefined): SoundKind {
  if (part && ENCODED_IN_PART.test(codec)) return "flac";
  // Voice messages of phones, of which ffmpeg does not read the header that an Opus file needs.
  if (codec === "opus" && container === "caf") return "flac";
  return KINDS.find(([pattern]) => pattern.test(codec))?.[1] ?? "flac";
}

/** Kinds in which sound can begin later than its file. */
const WITH_TIMES: ReadonlySet<SoundKind> = new Set(["m4a", "opus", "ogg", "mka"]);

/**
 * Plans a copied sound that begins later than the video. A file without times begins with its first sound, so it is the
 * part of the video from there on, and its chapters move with it.
 */
function fromFirstSound(found: FoundSound, kind: SoundKind, sources: readonly MediaFile[]): FoundSound {
  const { audio, durationSeconds, part = { startSeconds: 0, endSeconds: durationSeconds } } = found;
  const { timelineSeconds = 0 } = sources[audio.source] ?? {};
  const firstSeconds = timelineSeconds + (audio.stream.lateSeconds ?? 0);
  if (audio.stream.lateSeconds === undefined || firstSeconds <= part.startSeconds || WITH_TIMES.has(kind)) return found;
  const heard = { ...part, startSeconds: firstSeconds };
  return { ...found, part: heard, durationSeconds: partSeconds(heard) };
}

/** Codecs whose samples may have more than 16 bits. Others are decoded to fractions, of which 16 bits are enough. */
const LOSSLESS = /^(?:flac|alac|wavpack|tta|ape|tak|pcm_)/;

function sampleBitsOf({ codec, bitsPerSample = 16 }: AudioStream): 16 | 24 {
  return LOSSLESS.test(codec) && bitsPerSample > 16 ? 24 : 16;
}

/** @throws ConversionError "too_long", "too_large" with both sizes, "unavailable" when there is no sound, "part_outside" */
export function planSound(
  format: SoundFormat,
  sources: readonly MediaFile[],
  limits: TierLimits,
  part?: Part,
  spans?: readonly Part[],
): SoundPlan {
  const found = findSound(sources, limits, part, spans);
  const { stream } = found.audio;
  if (format === "original") {
    const fileKind = kindOf(stream.codec, sources[found.audio.source]?.container, found.part);
    return { format, ...fromFirstSound(found, fileKind, sources), fileKind };
  }
  const channelCount = isForSpeakers(stream) ? stream.channelCount : 2;
  const plan = { format, ...found, sampleBits: sampleBitsOf(stream), channelCount };
  const neededBytes = format === "wav" ? wavBytes(found.durationSeconds, { ...stream, ...plan }) : 0;
  if (neededBytes > limits.maxFileBytes) throw new ConversionError("too_large", fileTooLarge(neededBytes, limits));
  return plan;
}
