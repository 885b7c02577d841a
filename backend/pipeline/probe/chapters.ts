/** The chapters of a video as its site states them. Pure. */
import { z } from "zod";
import { LONGEST_SECONDS, type Part } from "../../../common/choices.ts";
import { toMilliseconds } from "../../../common/times.ts";
import { MAX_CHAPTERS } from "../../../common/preview-details.ts";
import { timeInResult, type Kept } from "./time-in-result.ts";
import { siteTitle } from "./title.ts";

/** Sorted by time, each ends where the next one begins at the latest, and no title is empty. */
export const Chapter = z.strictObject({ title: z.string(), startSeconds: z.number(), endSeconds: z.number() });
export type Chapter = Readonly<z.infer<typeof Chapter>>;

/** An MP4's list of chapters counts the bytes of a title in one byte. */
const MAX_TITLE_BYTES = 255;
/** Chapters that are looked at; of a longer list the rest is not read. */
const MAX_READ = 2_000;
/** Title of a chapter that has none, and of the time before the first one. It is the same in all languages. */
export const UNTITLED = "…";
/** How yt-dlp names the time before the first chapter. */
const PLACEHOLDER = /^<Untitled Chapter \d+>$/;
/** A first chapter that begins earlier begins with the video: MP4 has no time without a chapter. */
const NEAR_START_SECONDS = 1;

const Seconds = z.number().min(0).max(LONGEST_SECONDS);
const RawChapter = z.looseObject({
  title: z.string().catch(""),
  start_time: Seconds,
  end_time: Seconds.optional().catch(undefined),
});

/** @returns one line of at most 255 bytes, without half a character at its end */
export function chapterTitle(raw: string): string {
  const title = siteTitle(raw);
  if (title === "" || PLACEHOLDER.test(title)) return UNTITLED;
  if (Buffer.byteLength(title) <= MAX_TITLE_BYTES) return title;
  let short = "";
  for (const { segment } of new Intl.Segmenter().segment(title)) {
    if (Buffer.byteLength(`${short}${segment}${UNTITLED}`) > MAX_TITLE_BYTES) break;
    short += segment;
  }
  return `${short.trimEnd()}${UNTITLED}`;
}

/**
 * Reads the chapters of a site. What is wrong is dropped: times that are no times, and chapters without any length.
 * @param raw `chapters` as yt-dlp prints them
 * @param durationSeconds of the video, where it is known; else a chapter without an end is dropped if it is the last one
 * @returns at most 255, without gaps between them, from the beginning of the video on; empty when there are none
 */
export function chaptersFrom(raw: readonly unknown[], durationSeconds: number | undefined): readonly Chapter[] {
  const stated = raw
    .slice(0, MAX_READ)
    .flatMap((value) => RawChapter.safeParse(value).data ?? [])
    .map(({ title, start_time: start, end_time: end }) => ({ title, start: toMilliseconds(start), end }))
    .toSorted((one, other) => one.start - other.start);
  // A chapter lasts until the next one: MP4 has no gaps between them.
  const chapters = stated.flatMap(({ title, start, end }, index) => {
    const endSeconds = toMilliseconds(stated[index + 1]?.start ?? end ?? durationSeconds ?? start);
    return endSeconds > start ? [{ title: chapterTitle(title), startSeconds: start, endSeconds }] : [];
  });
  return fromStart(chapters).slice(0, MAX_CHAPTERS);
}

/** @returns the chapters with one for the time before the first */
function fromStart(chapters: readonly Chapter[]): readonly Chapter[] {
  const [first, ...others] = chapters;
  if (!first || first.startSeconds === 0) return chapters;
  return first.startSeconds < NEAR_START_SECONDS
    ? [{ ...first, startSeconds: 0 }, ...others]
    : [{ title: UNTITLED, startSeconds: 0, endSeconds: first.startSeconds }, ...chapters];
}

/** Title of the chapter of a sponsored segment. Like every written tag it is the same in all languages. */
export const SPONSORED = "Sponsored";

/** What a span leaves of a chapter counts as its own chapter from this length on. */
const SHORTEST_REST_SECONDS = 1;

/** @returns what the span leaves of the chapter: nothing, the whole, or one or two pieces */
function around(chapter: Chapter, { startSeconds, endSeconds }: Part): readonly Chapter[] {
  if (startSeconds >= chapter.endSeconds || endSeconds <= chapter.startSeconds) return [chapter];
  const pieces = [
    { ...chapter, endSeconds: startSeconds },
    { ...chapter, startSeconds: endSeconds },
  ];
  return pieces.filter((piece) => piece.endSeconds - piece.startSeconds >= SHORTEST_REST_SECONDS);
}

/**
 * Adds a chapter for each sponsored span. A chapter around it goes on after it, under the same title; where only a
 * moment of it would be left, the chapter before it takes that moment.
 * @param chapters without gaps; none: the rest of the video gets chapters without a title
 * @param spans sorted, apart from each other
 * @param durationSeconds of the video; undefined: the last chapter ends with the last span
 * @returns at most 255, without gaps between them; `chapters` without spans
 */
export function withSponsored(
  chapters: readonly Chapter[],
  spans: readonly Part[],
  durationSeconds: number | undefined,
): readonly Chapter[] {
  const lastSpan = spans.at(-1);
  if (!lastSpan) return chapters;
  const whole = { title: UNTITLED, startSeconds: 0, endSeconds: durationSeconds ?? lastSpan.endSeconds };
  const others = chapters.length > 0 ? chapters : [whole];
  const rest = spans.reduce((left, span) => left.flatMap((chapter) => around(chapter, span)), others);
  const marked = [...rest, ...spans.map((span) => ({ title: SPONSORED, ...span }))].toSorted(
    (one, other) => one.startSeconds - other.startSeconds,
  );
  const endSeconds = Math.max(lastSpan.endSeconds, ...others.map((chapter) => chapter.endSeconds));
  return marked.slice(0, MAX_CHAPTERS).map((chapter, index) => ({
    ...chapter,
    startSeconds: index === 0 ? 0 : chapter.startSeconds,
    endSeconds: marked[index + 1]?.startSeconds ?? endSeconds,
  }));
}

/** @returns the chapters that a result has, cut to it, on its own time line */
export function chaptersOfPart(chapters: readonly Chapter[], part: Part, cuts?: readonly Part[]): readonly Chapter[] {
  const inResult = (seconds: number): number => toMilliseconds(timeInResult(seconds, { part, cuts }));
  return chapters
    .map(({ title, startSeconds, endSeconds }) => ({
      title,
      startSeconds: inResult(startSeconds),
      endSeconds: inResult(endSeconds),
    }))
    .filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds);
}

/** @returns the chapters of a result, on its own time line */
export function chaptersOfResult(
  chapters: readonly Chapter[] | undefined,
  { part, cuts, durationSeconds }: Partial<Kept> & { readonly durationSeconds: number },
): readonly Chapter[] {
  return chapters ? chaptersOfPart(chapters, part ?? { startSeconds: 0, endSeconds: durationSeconds }, cuts) : [];
}
