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

/**
 * @param wantedSeconds how much earlier reading starts
 * @returns how much earlier it does: ffmpeg goes to a picture, also where only the sound is wanted, and would leave out
 *   all sound before the first one
 */
function leadFor(source: MediaFile, part: Part, wantedSeconds: number): number {
  const offset = offsetIn(source, part);
  const isBeforePicture = offset - wantedSeconds < (source.video?.firstSeconds ?? 0);
  return isBeforePicture ? offset : Math.min(offset, wantedSeconds);
}

function planWithLeads(part: Part, sources: readonly MediaFile[], leads: readonly number[]): Seeks {
  const leadSeconds = Math.max(0, ...leads);
  const inputs = sources.map((source, index) => {
    const lead = leads[index] ?? 0;
    return { seekSeconds: offsetIn(source, part) - lead, delaySeconds: leadSeconds - lead };
  });
  return { inputs, leadSeconds };
}

/** For sources that are decoded. */
export function planSeeks(part: Part, sources: readonly MediaFile[]): Seeks {
  const leads = sources.map((source) =>
    leadFor(source, part, source.container.startsWith("mov,") ? INDEXED_LEAD_SECONDS : OTHER_LEAD_SECONDS),
  );
  return planWithLeads(part, sources, leads);
}

/** For packets that are copied: reading starts exactly at the part, or at the key frame before it. */
export function planSeeksToPacket(part: Part, sources: readonly MediaFile[]): Seeks {
  return planWithLeads(
    part,
    sources,
    sources.map((source) => leadFor(source, part, 0)),
  );
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

/** @returns options before the output: what is left out of it, and its length, which may be infinite */
export function cutArgs({ leadSeconds }: Seeks, durationSeconds: number): readonly string[] {
  return [
    ...(leadSeconds > 0 ? ["-ss", leadSeconds.toFixed(6)] : []),
    ...(Number.isFinite(durationSeconds) ? ["-t", durationSeconds.toFixed(6)] : []),
  ];
}
