/** Finds out whether a list is an album, by what yt-dlp says of it. Pure. */
import { z } from "zod";
import { MAX_TAG_LENGTH, type Album } from "../../../common/choices.ts";
import { nameOfChannel } from "./song.ts";
import { siteTitle } from "./title.ts";

/** Fields as yt-dlp names them. */
interface ListMetadata {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  /** The extractor that has read the list. */
  readonly extractor_key?: string | undefined;
  readonly album?: string | undefined;
  readonly album_type?: string | undefined;
  readonly album_artist?: string | undefined;
  readonly entries?: readonly unknown[] | undefined;
}

const Entry = z.object({ channel: z.string() });

/** YouTube Music makes a list with such an id for each release, and for nothing else. */
const RELEASE_ID = /^OLAK5uy_/;
/** So YouTube titles these lists; visitors who copy one keep the title. yt-dlp asks for the English one. */
const ALBUM_TITLE = /^Album [-–] (?=\S)/;
const RELEASE_TITLE = /^(?:Album|EP|Single) [-–] (?=\S)/;
/** Extractors of albums, such as "BandcampAlbum", apart from those that read pictures, videos, or lists of many artists. */
const ALBUM_EXTRACTOR = /^(?!BilibiliAudio|EroProfile|Imgur|Iq|Vimeo)\w+Album$/;

function isAlbum({
  id = "",
  title = "",
  extractor_key: extractor = "",
  album,
  album_type: type,
}: ListMetadata): boolean {
  if (RELEASE_ID.test(id) || ALBUM_TITLE.test(title) || ALBUM_EXTRACTOR.test(extractor)) return true;
  // SoundCloud names an album for each list, and says of some that they are none.
  return album !== undefined && type !== "playlist";
}

/** @returns the artist whose channel has more than half of the songs; otherwise what labels write for many artists */
function artistOf(entries: readonly unknown[]): string {
  const channels = entries.flatMap((entry) => Entry.safeParse(entry).data?.channel ?? []);
  const counts = new Map<string, number>();
  for (const channel of channels.map(nameOfChannel)) counts.set(channel, (counts.get(channel) ?? 0) + 1);
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (!most) return "";
  return 2 * most[1] > channels.length ? most[0] : "Various Artists";
}

/** @returns a text that the wire accepts */
const named = (text: string): string => siteTitle(text).slice(0, MAX_TAG_LENGTH).toWellFormed().trim();

/** @returns undefined for any other list */
export function albumOf(list: ListMetadata): Album | undefined {
  if (!isAlbum(list)) return undefined;
  const title = named(list.album ?? list.title ?? "").replace(RELEASE_TITLE, "");
  if (title === "") return undefined;
  // Elsewhere the channel may be that of a label, or of whoever has uploaded the songs.
  const ofChannels = RELEASE_ID.test(list.id ?? "") ? artistOf(list.entries ?? []) : "";
  const artist = named(list.album_artist ?? ofChannels);
  return artist === "" ? { title } : { title, artist };
}
