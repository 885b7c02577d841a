/** Playlists, channels, albums and podcasts: what is shown of them, and how what is chosen of one is asked for. */
import { z } from "zod";
import { Album, ConversionChoices, TrackNumber } from "./choices.ts";
import { Format, Quality } from "./tiers.ts";

/** Of longer lists the first entries are shown. The same number of links may be chosen at once. */
export const MAX_LIST_ENTRIES = 5_000;

/** Entries in one answer. */
export const LIST_PAGE_SIZE = 200;

/** Longest shown title of an entry, in UTF-16 code units. */
export const MAX_ENTRY_TITLE_LENGTH = 300;

/** Longer lists are shown without pictures: a post rarely has more videos, and each picture takes time to make. */
export const MAX_PICTURED_ENTRIES = 20;

/** POST /api/lists. */
export const ListRequest = z.object({
  youtubeUrl: z.string(),
  /** Number of entries before the first one of the answer. */
  offset: z.number().int().min(0).max(MAX_LIST_ENTRIES).default(0),
  /** True adds the pictures of a list of at most {@link MAX_PICTURED_ENTRIES} entries, which takes some seconds. */
  thumbnails: z.boolean().default(false),
});
export type ListRequest = z.input<typeof ListRequest>;

/** Whether files of the format can be joined to a tape: MP3s to an MP3, original sounds of all kinds to an M4A. */
export const isOnTape = (format: Format): format is "mp3" | "original" => format === "mp3" || format === "original";

/** Why an entry cannot be converted. `list`: it is a list of its own. `not_accepted`: this site takes no links to it. */
export const EntryProblem = z.enum([
  "private",
  "deleted",
  "members_only",
  "upcoming",
  "live",
  "list",
  "not_accepted",
  "unavailable",
]);
export type EntryProblem = z.infer<typeof EntryProblem>;

export const ListEntry = z.object({
  /** Canonical. */
  link: z.string(),
  /** The link when the list names no title. */
  title: z.string(),
  durationSeconds: z.number().positive().nullable(),
  /** Absent when there is none, or when it was not asked for. */
  thumbnail: z.string().startsWith("data:image/jpeg;base64,").optional(),
  /** Absent when nothing is known against it. One that a newer build knows is "unavailable". */
  problem: EntryProblem.optional().catch("unavailable"),
});
export type ListEntry = z.infer<typeof ListEntry>;

/** Response of POST /api/lists. No job is created. */
export const ListPage = z.object({
  /** The list's own link, canonical. */
  link: z.string(),
  title: z.string(),
  /** Present when the list is an album, whose songs are its entries in their order. */
  album: Album.omit({ track: true }).strip().optional(),
  /** Entries that can be shown, at most {@link MAX_LIST_ENTRIES}. Null until the end of the list has been read. */
  total: z.number().int().min(0).nullable(),
  /** The list has more than {@link MAX_LIST_ENTRIES} entries. */
  isCut: z.boolean(),
  offset: z.number().int().min(0),
  entries: z.array(ListEntry),
  /** Offset of the next page; null at the end. */
  next: z.number().int().positive().nullable(),
});
export type ListPage = z.infer<typeof ListPage>;

/**
 * POST /api/selections: links that were chosen from a list. They are queued as batches of the plan's size, one after the
 * other, and shown as one batch.
 */
export const CreateSelection = z
  .object({
    /** Of the list. */
    title: z.string().trim().min(1).max(MAX_ENTRY_TITLE_LENGTH),
    urls: z.array(z.string()).max(MAX_LIST_ENTRIES),
    format: Format.default("mp3"),
    quality: Quality.optional(),
    /** For each of the links. */
    choices: ConversionChoices.optional(),
    /** The number of each of the links in the whole album that the choices name. */
    tracks: z.array(TrackNumber).optional(),
    /** A tape besides: one more job, which joins the files of the others when all of them have ended. */
    asOneFile: z.boolean().optional(),
  })
  .refine(({ urls, tracks }) => tracks === undefined || tracks.length === urls.length, {
    error: "Give one track for each of the links.",
  })
  .refine(({ asOneFile, format, choices }) => !asOneFile || (isOnTape(format) && !choices?.chapterFiles), {
    error: "One tape is made of MP3s or of original sounds, each of them one file.",
  });
export type CreateSelection = z.infer<typeof CreateSelection>;
