/** The part of a preview that only the choices of a conversion need. */
import { z } from "zod";
import { Part, SoundLanguage, SubtitleLanguage } from "./choices.ts";

/** Most chapters: an MP4's list and an MP3's table of contents count them in one byte. */
export const MAX_CHAPTERS = 255;

/** Where a chapter begins, on the time line of the whole video. */
export const ChapterMark = z.object({ title: z.string(), startSeconds: z.number().min(0) });
export type ChapterMark = z.infer<typeof ChapterMark>;

/** Most languages of sound: sites with dubs have about fifty. */
export const MAX_LANGUAGES = 100;

/** Most languages of a list of subtitles. */
export const MAX_SUBTITLES = 200;

/** Longest name of one, in UTF-16 code units. */
export const MAX_TRACK_NAME_LENGTH = 100;

/** Subtitles that a site offers. */
export const SubtitleOffer = z.object({
  /** As a conversion names it among its choices. */
  language: SubtitleLanguage,
  /** Written by a machine that has listened to the sound. */
  isAutomatic: z.boolean(),
  /** What tells it from others in its language, as its site names it: "Default", "CC". Absent for most. */
  trackName: z.string().max(MAX_TRACK_NAME_LENGTH).optional().catch(undefined),
});
export type SubtitleOffer = z.infer<typeof SubtitleOffer>;

/** The sponsored segments of a YouTube video. */
export const SponsoredFound = z.object({
  count: z.number().int().positive(),
  /** Of all together. */
  seconds: z.number().positive(),
});
export type SponsoredFound = z.infer<typeof SponsoredFound>;

/** A part of a video that has a link of its own. */
export const Clip = z.object({
  /** Is converted unless a part is chosen. */
  part: Part,
  /** Of the whole video, as far as it is known: at least up to the end of the clip. */
  videoSeconds: z.number().positive(),
});
export type Clip = z.infer<typeof Clip>;

export const PreviewDetails = z.object({
  /** Left out for a link that is no clip. The preview then has the length of the clip. */
  clip: Clip.optional().catch(undefined),
  /** Of the sound, as IETF BCP 47 has them, the original one first. Empty when there is no choice. */
  soundLanguages: z.array(SoundLanguage).max(MAX_LANGUAGES).catch([]),
  /** Sorted by time; the first begins with the video. Empty when the site states none. */
  chapters: z.array(ChapterMark).max(MAX_CHAPTERS).catch([]),
  /** One for each language. Empty when there are none. */
  subtitles: z.array(SubtitleOffer).max(MAX_SUBTITLES).catch([]),
  /** The site has others, and did not give them; left out where it has none. */
  withholdsSubtitles: z.literal(true).optional().catch(undefined),
  /** Left out when there are none, or the operator has not switched this on. */
  sponsored: SponsoredFound.optional().catch(undefined),
});
export type PreviewDetails = z.infer<typeof PreviewDetails>;

/** @returns the details of a preview, with empty lists for what a server of another build does not send */
export function detailsOf({ details }: { readonly details?: unknown }): PreviewDetails {
  return PreviewDetails.parse(typeof details === "object" && details !== null ? details : {});
}

const OptionalText = z.string().optional();

/** What the finished file says about itself, unless the visitor changes it. */
export const FoundTags = z.object({
  title: z.string(),
  artist: OptionalText,
  album: OptionalText,
  date: OptionalText,
  description: OptionalText,
});
export type FoundTags = z.infer<typeof FoundTags>;

/** @returns undefined where a server of another build sends none */
export function tagsOf({ tags }: { readonly tags?: unknown }): FoundTags | undefined {
  return FoundTags.safeParse(tags).data;
}
