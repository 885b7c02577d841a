/**
 * Estimates the size of an MP4's index. That many bytes are reserved in front of the media, so that the file is written
 * in one pass.
 */
import { subtitleIndexBytes, type SubtitleTrack } from "../subtitles/subtitle-track.ts";
import type { Chapter } from "../probe/chapters.ts";
import type { Mp4Plan } from "../plan/encode-plan.ts";
import type { MediaFile } from "../probe/media-file.ts";
import { isMp4 } from "./mp4-head.ts";

/** One packet of AAC-LC holds this many samples; other AAC profiles have fewer packets per second. */
const SAMPLES_PER_PACKET = 1_024;
/** For tags, the headers of the tables, and the descriptions of the tracks. */
const BASE_BYTES = 16_384;
/** Media of one track that is written as one chunk. The index holds a position and a frame count for each chunk. */
export const CHUNK_SECONDS = 1;
const CHUNK_ENTRY_BYTES = 16;
/** Chunks of one track for each second: a chunk also ends where a chunk of the other track begins. */
const CHUNKS_PER_SECOND = 2;
/** Of a chapter beside its title: an entry in each table of the track of chapters, and one in the list of chapters. */
const CHAPTER_BYTES = 64;
/** The stated frame rate is a mean, so the real number of frames may be a little higher. */
const FRAME_RATE_MARGIN = 1.02;
/** Higher rates do not occur in real videos. Reserving space for such a claim would waste it. */
const MAX_PER_SECOND = { frames: 130, packets: 200 } as const;
/** An index is smaller than its media, except in videos so short that their index is below this size. */
const MIN_PLAUSIBLE_BYTES = 1_048_576;

/**
 * Estimates the size of the index from what the sources state about themselves, a little too high rather than too low.
 * The tables are those of ISO/IEC 14496-12, sections 8.6 and 8.7. Each frame takes 4 bytes for its size, 4 if it is a
 * key frame, 8 if its duration differs from the frame before, and 8 if it is shown in another order than stored.
 * @returns bytes; undefined when the sources state too little or something impossible, or the video is encoded
 */
export function estimateIndexBytes(
  { video, audio, durationSeconds }: Mp4Plan,
  sources: readonly MediaFile[],
  chapters: readonly Chapter[] = [],
  subtitles?: SubtitleTrack,
): number | undefined {
  if (video.method !== "copy") return undefined;
  const { frameCount = 0, framesPerSecond = 0, isReordered, isConstantRate } = video.stream;
  const frames = Math.max(frameCount, framesPerSecond * durationSeconds * FRAME_RATE_MARGIN);
  if (frames === 0 || frames > MAX_PER_SECOND.frames * durationSeconds) return undefined;
  // Containers other than MP4 round times, so the durations of two frames differ.
  const hasExactTimes = (position: number): boolean => {
    const source = sources[position];
    return source !== undefined && isMp4(source);
  };
  const frameBytes = 8 + (isReordered ? 8 : 0) + (isConstantRate && hasExactTimes(video.source) ? 0 : 8);
  const packets = audio ? (durationSeconds * audio.stream.sampleRateHz) / SAMPLES_PER_PACKET : 0;
  if (packets > MAX_PER_SECOND.packets * durationSeconds) return undefined;
  const packetBytes = 4 + (audio && hasExactTimes(audio.source) && audio.method === "copy" ? 0 : 8);
  const trackCount = audio ? 2 : 1;
  const chunks = CHUNKS_PER_SECOND * trackCount * (durationSeconds / CHUNK_SECONDS + 1);
  const titleBytes = chapters.reduce((sum, { title }) => sum + Buffer.byteLength(title), 0);
  const textBytes = chapters.length * CHAPTER_BYTES + titleBytes + subtitleIndexBytes(subtitles);
  const bytes = Math.ceil(
    BASE_BYTES + textBytes + frames * frameBytes + packets * packetBytes + chunks * CHUNK_ENTRY_BYTES,
  );
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return bytes <= Math.max(MIN_PLAUSIBLE_BYTES, sourceBytes) ? bytes : undefined;
}
