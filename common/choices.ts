/**
 * What a visitor may choose beside the format. Each choice is optional: without any, the whole video is converted as the
 * plan has it. Equal choices make equal files, so they are part of what a conversion is known by.
 */
import { z } from "zod";

/** Longest time that a link or a field can name, in seconds: videos are far shorter. */
export const LONGEST_SECONDS = 1_000 * 60 * 60;

/** Shortest part, in seconds. */
export const SHORTEST_PART_SECONDS = 1;

/** Times are kept to the millisecond, so that two spellings of a moment make one conversion. */
const Seconds = z
  .number()
  .min(0)
  .max(LONGEST_SECONDS)
  .transform((seconds) => Math.round(seconds * 1_000) / 1_000);

/** A part of the video, in seconds from its beginning. */
export const Part = z
  .object({ startSeconds: Seconds, endSeconds: Seconds })
  .refine(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= SHORTEST_PART_SECONDS, {
    error: "The end must be at least one second after the start.",
  });
export type Part = z.infer<typeof Part>;

/** Longest title, artist or album, in UTF-16 code units. */
export const MAX_TAG_LENGTH = 300;

/** Longest description, in UTF-16 code units. */
export const MAX_DESCRIPTION_LENGTH = 500;

const TagText = z.string().trim().max(MAX_TAG_LENGTH);

/** Tags as the visitor wants them. One that is absent is as the site has it; an empty one is left out of the file. */
export const ChosenTags = z.strictObject({
  title: TagText.min(1).optional(),
  artist: TagText.optional(),
  album: TagText.optional(),
  /** YYYY-MM-DD or YYYY. */
  date: TagText.regex(/^(\d{4}(-[01]\d-[0-3]\d)?)?$/).optional(),
  description: z.string().trim().max(MAX_DESCRIPTION_LENGTH).optional(),
});
export type ChosenTags = z.infer<typeof ChosenTags>;

/** The number of a song in its album, or how many there are. No album has more. */
export const TrackNumber = z.number().int().min(1).max(9_999);

/** The album of a video, as the list says it that the video was chosen from. */
export const Album = z.strictObject({
  title: TagText.min(1),
  /** Of the album as a whole. Absent when the list does not say. */
  artist: TagText.min(1).optional(),
  /** How many songs the whole album has. */
  of: TrackNumber.optional(),
  /** Of the video among all of them, from 1. */
  track: TrackNumber.optional(),
});
export type Album = z.infer<typeof Album>;

/** YouTube's id of a caption track that has a name, behind the language: "en-ehkg1hFWq8A", "de.CcQ45jRV4-E". */
const TRACK_ID = /[-.][A-Za-z0-9_-]{11}$/;

/**
 * Subtitles as sites name them: by a language (BCP 47) such as "en" or "pt-BR", which may have a track's id behind it.
 * {@link languageOfSubtitles} finds the language.
 */
export const SubtitleLanguage = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*(?:[-.][A-Za-z0-9_-]{11})?$/);

/** Without a track's id: no part of a language has eleven letters. */
const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/;

/** @returns the language of subtitles, such as "en-US" for "en-US-UHrYkJt0gGM" */
export function languageOfSubtitles(name: string): string {
  return LANGUAGE_TAG.test(name) ? name : name.replace(TRACK_ID, "");
}

/** What a transcript is stored as. SubRip first: it has the times, which plain text lacks, and every player reads it. */
export const TranscriptKind = z.enum(["srt", "vtt", "txt"]);
export type TranscriptKind = z.infer<typeof TranscriptKind>;

/** A language of the sound as its site names it: mostly BCP 47, but some sites have codes of their own. */
export const SoundLanguage = z.string().regex(/^[A-Za-z0-9-]{2,35}$/);

/** What is done with the segments of a YouTube video that are marked as sponsored. */
export const SponsoredChoice = z.enum(["mark", "cut"]);
export type SponsoredChoice = z.infer<typeof SponsoredChoice>;

const Choices = z.strictObject({
  /** Only this part is converted. Absent: the whole video. */
  part: Part.optional(),
  /** One of those that the preview names, as IETF BCP 47 has it. Absent: the original language. */
  soundLanguage: SoundLanguage.optional(),
  tags: ChosenTags.optional(),
  /** {@link ChosenTags} win over it. */
  album: Album.optional(),
  /** Added to an MP4 as a track that viewers can switch on; a transcript has nothing else. Other formats have none. */
  subtitles: z
    .strictObject({
      /** Absent: none for an MP4; for a transcript those in the video's own language, if there are any. */
      language: SubtitleLanguage.optional(),
      /** Of a transcript only. Absent: "srt". */
      as: TranscriptKind.optional(),
    })
    .optional(),
  /** One file for each chapter of the video, together in an archive. Only Pro has it. */
  chapterFiles: z.literal(true).optional(),
  /** "mark" adds a chapter for each sponsored segment, "cut" leaves the segments out. Absent: they are like the rest of the video. */
  sponsored: SponsoredChoice.optional(),
});

export const ConversionChoices = Choices.refine(
  ({ part, sponsored, chapterFiles }) => !chapterFiles || (part === undefined && sponsored !== "cut"),
  { error: "Files of chapters are made of the whole video: choose no part, and cut nothing out." },
);
export type ConversionChoices = z.infer<typeof ConversionChoices>;

/** @returns what a transcript is stored as */
export function transcriptKindOf(choices: ConversionChoices | undefined): TranscriptKind {
  return choices?.subtitles?.as ?? "srt";
}

/** @returns the choices without those that say nothing, so that equal wishes are alike; undefined when none is left */
export function chosen({ tags, ...others }: ConversionChoices): ConversionChoices | undefined {
  const hasTags = tags && Object.values(tags).some((tag) => tag !== undefined);
  const choices = hasTags ? { ...others, tags } : others;
  return Object.values(choices).some((choice) => choice !== undefined) ? choices : undefined;
}
