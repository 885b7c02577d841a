/** Which subtitles a site offers, from yt-dlp's metadata. Pure. */
import { z } from "zod";
import { ConversionError, exactly } from "../../../common/errors.ts";
import { languageOfSubtitles, SubtitleLanguage, type ConversionChoices } from "../../../common/choices.ts";
import { MAX_SUBTITLES, MAX_TRACK_NAME_LENGTH } from "../../../common/preview-details.ts";
import { siteTitle } from "./title.ts";

/** One file with the subtitles of a language. */
export const SubtitleSource = z.strictObject({
  /** Such as "en", "pt-BR" or "en-ehkg1hFWq8A", as the site has it. */
  language: z.string(),
  /** Written by a machine that has listened to the sound. */
  isAutomatic: z.boolean(),
  /** Of a track that has a name beside its language. */
  trackName: z.string().optional(),
  url: z.string(),
});
export type SubtitleSource = Readonly<z.infer<typeof SubtitleSource>>;

/** How yt-dlp names the ending of an address without one. */
const NO_ENDING = "unknown_video";
/** Forms that subtitles/parse-cues.ts reads, best first. */
const KINDS = [
  "vtt",
  "webvtt",
  "srt",
  "ttml",
  "dfxp",
  "tt",
  "itt",
  "json3",
  "srv3",
  "srv1",
  "ass",
  "ssa",
  "xml",
  "m3u8",
  NO_ENDING,
];
/** Usual are 300 characters; YouTube's automatic ones have 1,000. */
const MAX_ADDRESS_LENGTH = 4_000;
/** Languages that are looked at; YouTube names 160 into which it translates. */
const MAX_READ = 500;

const RawFile = z.looseObject({
  url: z
    .string()
    .max(MAX_ADDRESS_LENGTH)
    .regex(/^https?:\/\//i),
  ext: z.string(),
  protocol: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
});
type RawFile = z.infer<typeof RawFile>;

/** Subtitles that the site would translate when they are asked for, which it often refuses. */
function isTranslated(url: string): boolean {
  return URL.parse(url)?.searchParams.has("tlang") ?? false;
}

const isFile = ({ protocol = "" }: RawFile): boolean => /^(?:https?)?$/i.test(protocol);
/** A playlist of segments. */
const isHls = ({ protocol = "" }: RawFile): boolean => protocol.startsWith("m3u8");

/** @returns the best form, a file before a playlist of segments; undefined when there is none that can be read */
function bestFile(files: unknown): RawFile | undefined {
  const known = (Array.isArray(files) ? files.slice(0, MAX_READ) : [])
    .flatMap((file: unknown) => RawFile.safeParse(file).data ?? [])
    .filter(({ url }) => !isTranslated(url));
  const ordered = [...known.filter(isFile), ...known.filter(isHls)];
  return KINDS.map((kind) => ordered.find(({ ext }) => ext === kind)).find((file) => file !== undefined);
}

/** @param name such as "English (United Kingdom) - Default" @returns what stands behind the language: "Default" */
function trackNameOf(language: string, name = ""): string | undefined {
  if (languageOfSubtitles(language) === language) return undefined;
  const [, trackName = ""] = /^.+?\s+-\s+(.+)$/.exec(siteTitle(name)) ?? [];
  return trackName.slice(0, MAX_TRACK_NAME_LENGTH).toWellFormed() || undefined;
}

function sourcesIn(byLanguage: unknown, isAutomatic: boolean): readonly SubtitleSource[] {
  if (typeof byLanguage !== "object" || byLanguage === null) return [];
  const languages = Object.entries(byLanguage as Readonly<Record<string, unknown>>).slice(0, MAX_READ);
  return languages.flatMap(([language, files]) => {
    // YouTube lists its automatic subtitles of the spoken language twice, as "en" and as "en-orig".
    if (language.endsWith("-orig") || !SubtitleLanguage.safeParse(language).success) return [];
    const file = bestFile(files);
    if (!file) return [];
    return { language, isAutomatic, trackName: trackNameOf(language, file.name), url: file.url };
  });
}

/**
 * @param subtitles as yt-dlp prints them: files by language
 * @param automaticCaptions likewise
 * @returns at most one for each language: where there are both, the one that somebody has written
 */
export function subtitlesFrom(subtitles: unknown, automaticCaptions: unknown): readonly SubtitleSource[] {
  const written = sourcesIn(subtitles, false);
  const known = new Set(written.map(({ language }) => language));
  const automatic = sourcesIn(automaticCaptions, true).filter(({ language }) => !known.has(language));
  return [...written, ...automatic].slice(0, MAX_SUBTITLES);
}

/** @returns the error of subtitles that the site has and does not give; another client may be given them */
export function notGiven(detail: string): ConversionError {
  return new ConversionError("site_blocked", { ...exactly("subtitles_not_given"), detail, isTransient: false });
}

interface Offered {
  readonly subtitles?: readonly SubtitleSource[] | undefined;
  /** There are others, which the site does not give. */
  readonly withholdsSubtitles?: boolean | undefined;
}

/**
 * @returns the subtitles in the language that a visitor has chosen; undefined when they have chosen none
 * @throws ConversionError "no_subtitles" when there are none in that language; "site_blocked" when there may be, and the
 *   site withholds them
 */
export function chosenSubtitles(
  { subtitles: sources = [], withholdsSubtitles = false }: Offered,
  { subtitles: wanted }: Pick<ConversionChoices, "subtitles">,
): SubtitleSource | undefined {
  if (wanted?.language === undefined) return undefined;
  const source = sources.find(({ language }) => language === wanted.language);
  if (source) return source;
  throw withholdsSubtitles
    ? notGiven(wanted.language)
    : new ConversionError("no_subtitles", { detail: wanted.language });
}
