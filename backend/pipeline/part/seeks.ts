/**
 * Plans how ffmpeg finds a part in its sources. Each source is read from a little before the part, and what was decoded
 * too early is cut off: decoders need some frames before the first good one, and not every container can be searched
 * for a key frame. Pure.
 */
import type { Part } from "../../../common/choices.ts";
import type { MediaFile } from "../probe/media-file.ts";

export interface InputSeek {
  /** Where reading starts, in seconds after the beginning of the file. */
  readonly seekSeconds: number;
  /** Added to the times of this input, so that the part begins at the same time in all inputs. */
  readonly delaySeconds: number;
}

export interface Seeks {
  /** One for each source. */
  readonly inputs: readonly InputSeek[];
  /** What is decoded and left out of the result. */
  readonly leadSeconds: number;
}

/** AAC and other codecs need a frame or two before the first good one; Opus needs 80 ms. */
export const INDEXED_LEAD_SECONDS = 0.25;
/** Without an index ffmpeg may start between two key frames. These are rarely further apart. */
const OTHER_LEAD_SECONDS = 15;

/** @returns seconds from the beginning of a file to that of the part */
function offsetIn({ timelineSeconds = 0 }: MediaFile, { startSeconds }: Part): number {
  return Math.max(0, startSeconds - timelineSeconds);
}

function leadFor(source: MediaFile, part: Part): number {
  const wantedSeconds = source.container.startsWith("mov,") ? INDEXED_LEAD_SECONDS : OTHER_LEAD_SECONDS;
  return Math.min(offsetIn(source, part), wantedSeconds);
}

/** For sources that are decoded. */
export function planSeeks(part: Part, sources: readonly MediaFile[]): Seeks {
  const leads = sources.map((source) => leadFor(source, part));
  const leadSeconds = Math.max(0, ...leads);
  const inputs = sources.map((source, index) => {
    const lead = leads[index] ?? 0;
    return { seekSeconds: offsetIn(source, part) - lead, delaySeconds: leadSeconds - lead };
  });
  return { inputs, leadSeconds };
}

/** For packets that are copied: reading starts exactly at the part, or at the key frame before it. */
export function planSeeksToPacket(part: Part, sources: readonly MediaFile[]): Seeks {
  const inputs = sources.map((source) => ({ seekSeconds: offsetIn(source, part), delaySeconds: 0 }));
  return { inputs, leadSeconds: 0 };
}

/**
 * For a picture that is copied: nothing can be left out after decoding, so all sources are read from its key frame on.
 * @param source index of the picture's file
 * @param keyFrameSeconds after the beginning of that file
 */
export function planSeeksToKeyFrame(
  part: Part,
  sources: readonly MediaFile[],
  source: number,
  keyFrameSeconds: number,
): Seeks {
  const picture = sources[source];
  const shiftSeconds = keyFrameSeconds - (picture ? offsetIn(picture, part) : 0);
  const inputs = sources.map((one) => ({
    seekSeconds: Math.max(0, offsetIn(one, part) + shiftSeconds),
    delaySeconds: 0,
  }));
  return { inputs, leadSeconds: 0 };
}

/** @returns options before the input */
export function seekArgs({ seekSeconds, delaySeconds }: InputSeek): readonly string[] {
  const fixed = (seconds: number): string => seconds.toFixed(6);
  return [
    ...(seekSeconds > 0 ? ["-ss", fixed(seekSeconds)] : []),
    ...(delaySeconds > 0 ? ["-itsoffset", fixed(delaySeconds)] : []),
  ];
}

/** @returns options before the output: what is left out of it, and its length */
export function cutArgs({ leadSeconds }: Seeks, durationSeconds: number): readonly string[] {
  return [...(leadSeconds > 0 ? ["-ss", leadSeconds.toFixed(6)] : []), "-t", durationSeconds.toFixed(6)];
}
