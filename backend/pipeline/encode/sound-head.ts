/** Inspects the beginning of a source that an MP3 is made from while the source is still being fetched. */
import { ConversionError } from "../../../common/errors.ts";
import { findPlainAac } from "../aac/find-plain-aac.ts";
import type { PlainAac } from "../aac/plain-aac.ts";
import { OPUS_RATE_HZ, type PlainOpus } from "../opus/plain-opus.ts";
import { findWebmOpus } from "../opus/webm-opus.ts";
import { SourceBytes } from "../aac/source-bytes.ts";
import type { GrowingRendition } from "../fetch/rendition-download.ts";
import type { GrowingFile } from "../fetch/growing-file.ts";
import type { Work } from "../pipeline.ts";
import { inspectSound, type MediaFile } from "../probe/media-file.ts";
import { isLonger } from "../verify/verify.ts";
import { awaitHead, isIndexedAsWhole, isIndexInFront, isMp4 } from "./mp4-head.ts";

/** Containers that a decoder can read from a pipe. Of MP4 only those with the index in front. */
const STREAMABLE = /^(?:mov,|mpegts|matroska|mp3|ogg|aac|flac)/;

/** Containers whose beginning states the length of the whole file; of MP4 only those with a single index. */
const HAS_DURATION = /^(?:mov,|matroska|flac)/;

/** What the beginning of a source states. */
export interface SoundHead extends MediaFile {
  /** Present where no tool is needed to take the sound out of its container. */
  readonly plainAac?: PlainAac;
  readonly plainOpus?: PlainOpus;
}

/**
 * Inspects the beginning of a source.
 * @returns undefined when it does not state enough, or the source cannot be read from a pipe
 * @throws ConversionError
 * @throws `signal.reason` when aborted
 */
export async function inspectHead(work: Work, file: GrowingFile): Promise<SoundHead | undefined> {
  const { signal } = work;
  const plain = await findPlainHead(file, signal);
  if (plain) return plain;
  await awaitHead(file);
  try {
    const head = await inspectSound(work, file.path, { isGrowing: true });
    const isReadable = STREAMABLE.test(head.container) && (!isMp4(head) || (await isIndexInFront(file)));
    return head.audio && isReadable ? head : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConversionError && error.code === "unavailable") return undefined;
    throw error;
  }
}

async function findPlainHead(file: GrowingFile, signal: AbortSignal): Promise<SoundHead | undefined> {
  await using bytes = await SourceBytes.open(file.path, signal, file);
  const plainOpus = await findWebmOpus(bytes);
  if (plainOpus) return opusHead(file, plainOpus);
  const plainAac = await findPlainAac(bytes);
  if (!plainAac) return undefined;
  const { container, streamIndex, sampleRateHz, channelCount, sampleCount } = plainAac;
  const durationSeconds = sampleCount === undefined ? undefined : sampleCount / sampleRateHz;
  return {
    path: file.path,
    container,
    sizeBytes: file.wholeBytes,
    durationSeconds,
    audio: { index: streamIndex, codec: "aac", profile: "LC", channelCount, sampleRateHz, durationSeconds },
    hasAttachedPicture: false,
    plainAac,
  };
}

function opusHead(file: GrowingFile, plainOpus: PlainOpus): SoundHead {
  const { container, streamIndex: index, channelCount, durationSeconds } = plainOpus;
  return {
    path: file.path,
    container,
    sizeBytes: file.wholeBytes,
    durationSeconds,
    audio: { index, codec: "opus", channelCount, sampleRateHz: OPUS_RATE_HZ },
    hasAttachedPicture: false,
    plainOpus,
  };
}

/**
 * Expected length of the whole source: by its manifest, else by its index, else by the site.
 * @returns seconds; undefined when they are unknown, or the index is shorter than the site states, because then only
 * the whole file shows which is right
 */
export async function promisedSeconds(
  head: SoundHead,
  { file, durationSeconds: manifestSeconds }: GrowingRendition,
  siteSeconds: number | undefined,
): Promise<number | undefined> {
  if (manifestSeconds !== undefined) return manifestSeconds;
  const seconds = await indexedSeconds(head, file);
  if (seconds === undefined || siteSeconds === undefined) return seconds ?? siteSeconds;
  return isLonger(siteSeconds, seconds) ? undefined : seconds;
}

/** @returns length of the sound by the source's own index; undefined when that does not cover the whole source */
async function indexedSeconds(head: SoundHead, file: GrowingFile): Promise<number | undefined> {
  if (!HAS_DURATION.test(head.container)) return undefined;
  if (isMp4(head) && !head.plainAac && !(await isIndexedAsWhole(file))) return undefined;
  return head.audio?.durationSeconds ?? head.durationSeconds;
}
