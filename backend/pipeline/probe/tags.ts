/** Finds the tags of a file in a video's metadata. Pure. */
import { z } from "zod";
import { MAX_DESCRIPTION_LENGTH, type Album, type ChosenTags, type Part } from "../../../common/choices.ts";
import { formatTime } from "../../../common/times.ts";
import { isTopic, nameOfChannel, namesIn, songOf, type SiteMetadata } from "./song.ts";
import { cleanTitle, siteTitle } from "./title.ts";

/** What a file says about itself. Single lines, apart from the description. */
export const MediaTags = z.strictObject({
  title: z.string(),
  artist: z.string().optional(),
  album: z.string().optional(),
  /** Players keep songs of an album together by this name, also those with a guest. */
  albumArtist: z.string().optional(),
  /** Of a song in its album: "3", or "3/12" for the third of twelve. */
  track: z.string().optional(),
  /** YYYY-MM-DD or YYYY. */
  date: z.string().optional(),
  /** The first lines of the site's description. */
  description: z.string().optional(),
});
export type MediaTags = Readonly<z.infer<typeof MediaTags>>;

const DESCRIPTION_LINES = 3;

/** @returns undefined for what is no song of an album, and where only the artist of the song is known */
function albumArtistOf({
  album,
  album_artist: one,
  album_artists: several,
  channel,
}: SiteMetadata): string | undefined {
  if (siteTitle(album ?? "") === "") return undefined;
  const stated = siteTitle(one ?? "") || cleanTitle(namesIn(several).join(", "));
  return stated || (isTopic({ channel }) ? nameOfChannel(siteTitle(channel ?? "")) : undefined);
}

/** @returns YYYY-MM-DD, YYYY or nothing */
function dateOf({
  release_date: released,
  release_year: year,
  upload_date: uploaded,
}: SiteMetadata): string | undefined {
  const exact = /^(\d{4})(\d{2})(\d{2})$/.exec(released ?? (year === undefined ? (uploaded ?? "") : ""));
  if (exact) return exact.slice(1).join("-");
  return year !== undefined && Number.isInteger(year) && year > 999 && year < 10_000 ? String(year) : undefined;
}

/** @returns the lines that have a text, without unprintable characters */
function firstLines(description: string, most: number, clean: (line: string) => string): string {
  const lines = description
    .slice(0, 10 * MAX_DESCRIPTION_LENGTH)
    .split("\n")
    .map(clean)
    .filter((line) => line !== "");
  return lines.slice(0, most).join("\n").slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed().trim();
}

/**
 * A list names one album and one artist for all of its songs, so that players keep them together. Their sites may name
 * different ones.
 * @returns the tags with the album that the video was chosen from
 */
export function withAlbum(found: MediaTags, album: Album | undefined): MediaTags {
  if (!album) return found;
  const { title, artist = "", of: count, track } = album;
  return {
    ...found,
    album: cleanTitle(title) || found.album,
    albumArtist: cleanTitle(artist) || (found.albumArtist ?? found.artist),
    track: track === undefined ? undefined : [track, ...(count === undefined ? [] : [count])].join("/"),
  };
}

/** @returns the tags with those that the visitor has changed */
export function withChosenTags(found: MediaTags, chosen: ChosenTags = {}): MediaTags {
  const changed = (tag: keyof ChosenTags, clean = cleanTitle): string | undefined => {
    const wanted = chosen[tag];
    return wanted === undefined ? found[tag] : clean(wanted) || undefined;
  };
  const isSameAlbum = chosen.album === undefined;
  return {
    title: changed("title") ?? found.title,
    artist: changed("artist"),
    album: changed("album"),
    // They belong to the album and the artist that site or list name.
    albumArtist: isSameAlbum && chosen.artist === undefined ? found.albumArtist : undefined,
    track: isSameAlbum ? found.track : undefined,
    date: changed("date"),
    description: changed("description", (text) => firstLines(text, Infinity, cleanTitle)),
  };
}

/** @returns such as "1:02–3:05", in whole seconds */
function describePart({ startSeconds, endSeconds }: Part): string {
  return `${formatTime(Math.round(startSeconds))}–${formatTime(Math.round(endSeconds))}`;
}

/** @returns the title with the part behind it */
export function titleOfPart(title: string, part: Part): string {
  return `${title} (${describePart(part)})`;
}

/** @returns the title of a part without the part behind it; of a whole video, or with another title, as it is */
export function titleOfWhole(title: string, part: Part | undefined): string {
  const suffix = part && ` (${describePart(part)})`;
  return suffix !== undefined && title.endsWith(suffix) ? title.slice(0, -suffix.length) : title;
}

/** @returns the tags with a title that says which part of the video it is, unless the visitor has named the part */
export function withPart(tags: MediaTags, part: Part | undefined, chosen: ChosenTags = {}): MediaTags {
  if (!part || chosen.title !== undefined) return tags;
  return { ...tags, title: titleOfPart(tags.title, part) };
}

/** @param title of the video, where the site does not know that of a song */
export function tagsOf(metadata: SiteMetadata, title: string): MediaTags {
  const { track = "", artist = "", artists = [], album = "", track_number: number, description = "" } = metadata;
  const song = songOf(title, metadata);
  const hasArtist = artist !== "" || artists.length > 0;
  const albumTitle = siteTitle(album);
  return {
    // A track without an artist may be the number of an episode.
    title: (hasArtist && siteTitle(track)) || song.title,
    artist: song.artist || undefined,
    album: albumTitle || undefined,
    albumArtist: albumArtistOf(metadata),
    // Without an album, it may be the number of an episode.
    track: albumTitle === "" || number === undefined ? undefined : String(number),
    date: dateOf(metadata),
    description: firstLines(description, DESCRIPTION_LINES, siteTitle) || undefined,
  };
}
