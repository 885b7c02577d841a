/** Reads an answer of SponsorBlock, and finds the sponsored spans of a video in it. Pure. */
import { z } from "zod";
import { LONGEST_SECONDS, type Part } from "../../../common/choices.ts";
import { toMilliseconds } from "../../../common/times.ts";

/** A segment as users of SponsorBlock have marked it, in seconds from the beginning of their video. */
export interface StatedSegment extends Part {
  /** Length of the video when the segment was marked; absent when that is not known. */
  readonly videoSeconds?: number;
}

/** Videos have fewer than ten; the rest of a longer list is not read. A filter of ffmpeg takes about 90. */
const MAX_SEGMENTS = 50;
/** The length of a video differs by less between what its site says and what was measured. */
const SAME_VIDEO_SECONDS = 2;

const Seconds = z.number().min(0).max(LONGEST_SECONDS);

/** What {@link https://wiki.sponsor.ajay.app/w/API_Docs} says of one segment. */
const RawSegment = z.looseObject({
  segment: z.tuple([Seconds, Seconds]),
  category: z.literal("sponsor"),
  actionType: z.literal("skip"),
  /** 0: not known. */
  videoDuration: Seconds.catch(0),
});

/** One entry for each video whose code begins with the four digits that were asked for. */
const Answer = z.array(z.looseObject({ videoID: z.string(), segments: z.array(z.unknown()).catch([]) }));

/**
 * @param answer parsed JSON
 * @returns the sponsored segments of one video, as they are stated; what is not a segment to skip is left out
 * @throws ZodError for anything but a list of videos
 */
export function segmentsFrom(answer: unknown, videoId: string): readonly StatedSegment[] {
  const entries = Answer.parse(answer).filter(({ videoID }) => videoID === videoId);
  return entries
    .flatMap(({ segments }) => segments)
    .slice(0, MAX_SEGMENTS)
    .flatMap((raw) => RawSegment.safeParse(raw).data ?? [])
    .map(({ segment: [start, end], videoDuration }) => ({
      startSeconds: toMilliseconds(start),
      endSeconds: toMilliseconds(end),
      videoSeconds: videoDuration > 0 ? videoDuration : undefined,
    }));
}

/** Whether the segment was marked in the same cut of the video: an owner may have shortened it since. */
function isOfThisCut({ videoSeconds }: StatedSegment, durationSeconds: number): boolean {
  return videoSeconds === undefined || Math.abs(videoSeconds - durationSeconds) <= SAME_VIDEO_SECONDS;
}

/**
 * @param durationSeconds of the video; undefined when its site does not say
 * @returns the sponsored spans of the video: sorted, apart from each other, and within it
 */
export function sponsoredSpans(stated: readonly StatedSegment[], durationSeconds: number = Infinity): readonly Part[] {
  const inVideo = stated
    .filter((segment) => durationSeconds === Infinity || isOfThisCut(segment, durationSeconds))
    .map(({ startSeconds, endSeconds }) => ({ startSeconds, endSeconds: Math.min(endSeconds, durationSeconds) }))
    .filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds)
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
  const spans: Part[] = [];
  for (const { startSeconds, endSeconds } of inVideo) {
    const last = spans.at(-1);
    if (last && startSeconds <= last.endSeconds)
      spans[spans.length - 1] = { ...last, endSeconds: Math.max(last.endSeconds, endSeconds) };
    else spans.push({ startSeconds, endSeconds });
  }
  return spans;
}
