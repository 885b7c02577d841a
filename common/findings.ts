/**
 * What a conversion finds out about its result. Each finding is stored with the job, sent to its pages, given to the jobs
 * that take the file over, and reset by the next attempt under its name here. Beside this file it is named where it is
 * found, by its words (finding-words.ts and the other catalogues; without words it is not said), and where more follows
 * from it than being said: a shortfall is counted, and the name of a file has its kind and language.
 */
import { z } from "zod";
import { SubtitleLanguage } from "./choices.ts";
import { Shortfall } from "./shortfall.ts";

/** Ending of the name of a finished file; files of one format may have different ones. */
export const FileKind = z.enum([
  "mp3",
  "mp4",
  "m4a",
  "opus",
  "ogg",
  "flac",
  "wav",
  "aiff",
  "amr",
  "wv",
  "mka",
  "srt",
  "vtt",
  "txt",
]);
export type FileKind = z.infer<typeof FileKind>;

/** A value that only a newer build knows is left out. */
export const unlessNewer = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

export const FINDINGS = {
  /** What the original sound is stored as; left out for other formats. */
  fileKind: unlessNewer(FileKind),
  /** Of a transcript. */
  subtitleLanguage: unlessNewer(SubtitleLanguage),
  /** Why the picture has fewer lines than the plan allows. The page words it in its language. */
  shortfall: unlessNewer(Shortfall),
  /** The picture is interlaced: it was copied, because removing that would take too long. */
  interlaced: unlessNewer(z.literal(true)),
  /** The sponsored segments could not be looked up, so nothing was done with them. */
  sponsorsUnknown: unlessNewer(z.literal(true)),
  /** Titles of the songs that are not on a tape, because they failed or are gone. */
  songsMissing: unlessNewer(z.string()),
};

export type Findings = { [Name in keyof typeof FINDINGS]?: Exclude<z.infer<(typeof FINDINGS)[Name]>, undefined> };

export const FINDING_NAMES = Object.keys(FINDINGS) as readonly (keyof Findings)[];

/** @returns the findings among the fields of a job or file, without those that are not known */
export function findingsOf(from: Findings): Findings {
  return Object.fromEntries(FINDING_NAMES.flatMap((name) => (from[name] == null ? [] : [[name, from[name]]])));
}

/** With one of these no other job takes the file over: its own conversion may do better. */
export const NOT_SHARED: readonly (keyof Findings)[] = ["sponsorsUnknown"];
