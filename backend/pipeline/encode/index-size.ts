/**
 * How much room an MP4's index will take, so that it can be left free in front of the media and the file is written
 * once.
 */
import type { Mp4Plan } from "../plan/encode-plan.ts";
import type { MediaFile } from "../probe/media-file.ts";

/** Of sound in AAC; other profiles have fewer packets. */
const SAMPLES_PER_PACKET = 1_024;
/** Tags, tables' heads, descriptions of the tracks. */
const BASE_BYTES = 16_384;
/** Each track's media lies together for so long; a stretch takes its position and its number of frames. */
export const STRETCH_SECONDS = 1;
const STRETCH_BYTES = 16;
/** Stretches end early where the other track's begin. */
const MOST_STRETCHES = 2;
/** Of a stated rate, which is a mean. */
const RATE_MARGIN = 1.02;
/** No film has more; a source that says so would have the room left free for frames it has not. */
const MOST_PER_SECOND = { frames: 130, packets: 200 } as const;
/** No index is larger than all the media it is of, but in the shortest of films. */
const LEAST_ROOM_BYTES = 1_048_576;

/**
 * Bytes, more than it needs but hardly, from what the sources say of themselves (tables of ISO/IEC 14496-12, section
 * 8.6 and 8.7: 4 bytes a frame for its size, 4 if it is a key frame, 8 for its duration where that changes, 8 for its
 * place where it is shown in another order). Undefined where they say too little, or more than can be, or the frames
 * are not there yet.
 */
export function roomForIndex(
  { video, audio, durationSeconds }: Mp4Plan,
  sources: readonly MediaFile[],
): number | undefined {
  if (video.method !== "copy") return undefined;
  const { frameCount = 0, framesPerSecond = 0, isReordered, isConstantRate } = video.stream;
  const frames = Math.max(frameCount, framesPerSecond * durationSeconds * RATE_MARGIN);
  if (frames === 0 || frames > MOST_PER_SECOND.frames * durationSeconds) return undefined;
  const isExact = (source: number): boolean => sources[source]?.container.startsWith("mov,") === true;
  // In containers that round times, no two durations are alike.
  const frameBytes = 8 + (isReordered ? 8 : 0) + (isConstantRate && isExact(video.source) ? 0 : 8);
  const packets = audio ? (durationSeconds * audio.stream.sampleRateHz) / SAMPLES_PER_PACKET : 0;
  if (packets > MOST_PER_SECOND.packets * durationSeconds) return undefined;
  const packetBytes = 4 + (audio && isExact(audio.source) && audio.method === "copy" ? 0 : 8);
  const stretches = MOST_STRETCHES * (audio ? 2 : 1) * (durationSeconds / STRETCH_SECONDS + 1);
  const room = Math.ceil(BASE_BYTES + frames * frameBytes + packets * packetBytes + stretches * STRETCH_BYTES);
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return room <= Math.max(LEAST_ROOM_BYTES, sourceBytes) ? room : undefined;
}
