/**
 * Parses what yt-dlp prints about the page of a video: one that is there, one whose page is another, or one that its site
 * gives in parts, which are shown one after the other.
 */
import { z } from "zod";
import { ConversionError } from "../../../common/errors.ts";
import { TOO_MANY_PIECES } from "../errors/wording.ts";
import { infoFrom, parsePrinted, type Rendition, type VideoInfo } from "./info.ts";

/** A show of some hours with advertisements has about twenty. */
export const MAX_PARTS = 50;

/** What a first reading leaves: the parts of a video, or the page of the only video that a page names. */
export interface Unread {
  readonly unread: "parts" | "page";
}

const InParts = z.looseObject({
  // oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
  _type: z.literal("multi_video"),
  entries: z.array(z.unknown()).min(1),
});
/** A page that names one video alone. */
const onePage = <T extends z.ZodType>(video: T) =>
  z
    .object({
      // oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
      _type: z.literal("playlist"),
      entries: z.tuple([video]),
    })
    .transform(({ entries: [only] }) => only);
// oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
const OtherPage = onePage(z.object({ _type: z.enum(["url", "url_transparent"]) }));
const PageInParts = z.union([InParts, onePage(InParts)]);

/**
 * Parses the output of `yt-dlp -J --flat-playlist`.
 * @throws what {@link infoFrom} throws
 */
export function parsePage(json: string): VideoInfo | Unread {
  const page = parsePrinted(json);
  if (OtherPage.safeParse(page).success) return { unread: "page" };
  return InParts.safeParse(page).success ? { unread: "parts" } : infoFrom(page);
}

/** @returns undefined where one of them is */
function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? undefined : known.reduce((sum, value) => sum + value, 0);
}

/** @returns the form of another part that is most like a form of the first */
function counterpartOf(first: Rendition, offered: readonly Rendition[]): Rendition | undefined {
  const alike = offered.filter(({ hasVideo, hasAudio }) => hasVideo === first.hasVideo && hasAudio === first.hasAudio);
  const distance = ({ heightLines = 0 }: Rendition): number => Math.abs(heightLines - (first.heightLines ?? 0));
  return alike.find(({ id }) => id === first.id) ?? alike.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** @returns none where a part has no form that is like it */
function inAllParts(first: Rendition, others: readonly (readonly Rendition[])[]): Rendition[] {
  const found = others.map((offered) => counterpartOf(first, offered)).filter((part) => part !== undefined);
  if (found.length < others.length) return [];
  const parts = [first, ...found];
  const codecOfAll = (codec: "videoCodec" | "audioCodec"): string | undefined =>
    parts.every((part) => part[codec] === first[codec]) ? first[codec] : undefined;
  return [
    {
      ...first,
      parts,
      videoCodec: codecOfAll("videoCodec"),
      audioCodec: codecOfAll("audioCodec"),
      sizeBytes: sumOf(parts.map(({ sizeBytes }) => sizeBytes)),
      durationSeconds: sumOf(parts.map(({ durationSeconds }) => durationSeconds)),
      fragmentCount: sumOf(parts.map(({ fragmentCount }) => fragmentCount)),
      rawJson: new Uint8Array(),
    },
  ];
}

/**
 * Parses the output of `yt-dlp -J`, which has read what a first reading left.
 * @throws what {@link infoFrom} throws for one of its parts, "too_large" for more than {@link MAX_PARTS}
 */
export function parseAll(json: string): VideoInfo {
  const value = parsePrinted(json);
  const page = PageInParts.safeParse(value);
  if (!page.success) return infoFrom(value);
  const { entries, ...about } = page.data;
  if (entries.length > MAX_PARTS)
    throw new ConversionError("too_large", { ...TOO_MANY_PIECES, detail: "a video in many parts" });
  const parts = entries.map(infoFrom);
  const [first, ...others] = parts;
  const ofFirst = z.looseObject({}).parse(entries[0]);
  const stated = Object.entries(about).filter(([, value]) => value !== undefined && value !== null);
  const whole = infoFrom({ ...ofFirst, ...Object.fromEntries(stated), _type: "video", duration: undefined });
  if (!first || others.length === 0) return whole;
  const renditions = first.renditions.flatMap((rendition) =>
    inAllParts(
      rendition,
      others.map((part) => part.renditions),
    ),
  );
  if (renditions.length === 0)
    throw new ConversionError("unavailable", { detail: "the parts of the video have no form in common" });
  return {
    ...whole,
    durationSeconds: sumOf(parts.map(({ durationSeconds }) => durationSeconds)),
    renditions,
    // Their times are those of a part.
    subtitles: undefined,
    chapters: undefined,
  };
}
