/** Which subtitles a site offers, from yt-dlp's metadata. Pure. */
import { z } from "zod";
import type { ConversionChoices } from "../../../common/choices.ts";
import { ConversionError } from "../../../common/errors.ts";
import { SubtitleLanguage } from "../../../common/choices.ts";
import { MAX_SUBTITLES } from "../../../common/preview-details.ts";

/** One file with the subtitles of a language. */
export const SubtitleSource = z.strictObject({
  /** Such as "en" or "pt-BR" (BCP 47), as the site has it. */
  language: z.string(),
  /** Written by a machine that has listened to the sound. */
  isAutomatic: z.boolean(),
  url: z.string(),
});
export type SubtitleSource = Readonly<z.infer<typeof SubtitleSource>>;

/** Forms that subtitles.ts reads, best first. */
const KINDS = ["vtt", "srt"];
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
});

/** Subtitles that the site would translate when they are asked for, which it often refuses. */
function isTranslated(url: string): boolean {
  return URL.parse(url)?.searchParams.has("tlang") ?? false;
}

/** @returns the address of the best form; undefined when there is none that is a single file */
function bestAddress(files: unknown): string | undefined {
  const known = (Array.isArray(files) ? files.slice(0, MAX_READ) : [])
    .flatMap((file: unknown) => RawFile.safeParse(file).data ?? [])
    .filter(({ url, protocol = "" }) => !protocol.startsWith("m3u8") && !isTranslated(url));
  return KINDS.map((kind) => known.find(({ ext }) => ext === kind)?.url).find((url) => url !== undefined);
}

function sourcesIn(byLanguage: unknown, isAutomatic: boolean): readonly SubtitleSource[] {
  if (typeof byLanguage !== "object" || byLanguage === null) return [];
  const languages = Object.entries(byLanguage as Readonly<Record<string, unknown>>).slice(0, MAX_READ);
  return languages.flatMap(([language, files]) => {
    // YouTube lists its automatic subtitles of the spoken language twice, as "en" and as "en-orig".
    if (language.endsWith("-orig") || !SubtitleLanguage.safeParse(language).success) return [];
    const url = bestAddress(files);
    return url === undefined ? [] : [{ language, isAutomatic, url }];
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

/**
 * @returns the subtitles in the language that a visitor has chosen; undefined when they have chosen none
 * @throws ConversionError "no_subtitles" when there are none in that language
 */
export function chosenSubtitles(
  sources: readonly SubtitleSource[] | undefined,
  { subtitles: wanted }: Pick<ConversionChoices, "subtitles">,
): SubtitleSource | undefined {
  if (wanted?.language === undefined) return undefined;
  const source = sources?.find(({ language }) => language === wanted.language);
  if (!source) throw new ConversionError("no_subtitles", { detail: wanted.language });
  return source;
}
