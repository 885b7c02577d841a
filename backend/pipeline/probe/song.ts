/**
 * Finds artist and title of a song whose site has only one title, such as "Artist - Title (Official Video)", and whether
 * a video is a song at all. Pure.
 */
import { cleanTitle, siteTitle } from "./title.ts";

/** Fields as yt-dlp names them. */
export interface SiteMetadata {
  /** The song's own title, where the site knows it. */
  readonly track?: string | undefined;
  readonly artist?: string | undefined;
  readonly artists?: readonly string[] | undefined;
  readonly album?: string | undefined;
  readonly album_artist?: string | undefined;
  readonly album_artists?: readonly string[] | undefined;
  /** Of the song in its album. */
  readonly track_number?: number | undefined;
  /** Channels that have made the video together. */
  readonly creators?: readonly string[] | undefined;
  readonly channel?: string | undefined;
  readonly uploader?: string | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly description?: string | undefined;
  /** YYYYMMDD. */
  readonly release_date?: string | undefined;
  readonly release_year?: number | undefined;
  readonly upload_date?: string | undefined;
}

/** Collaborations have five at most. */
const MAX_NAMES = 20;
/** YouTube's own channel of an artist, in which labels publish albums. */
const TOPIC = /\s+-\s+Topic$/u;

/** Words of remarks such as "(Official Music Video)", which say what kind of upload it is, and nothing about the song. */
const KIND_WORDS = new Set(
  [
    "official officially offizielles offizieller offizielle oficial officiel officielle ufficiale",
    "audio video videos videoclip vídeo clip music musik musikvideo musical song lyric lyrics letra paroles text testo",
    "visualizer visualiser visual mv hd hq uhd 4k 8k 480p 720p 1080p 2160p full high quality and und con with the in",
  ].flatMap((line) => line.split(" ")),
);

/** Words that only occur beside others in such remarks: alone, they may be a part of the title. */
const FILL_WORDS = new Set([
  "and",
  "und",
  "con",
  "with",
  "the",
  "in",
  "full",
  "high",
  "text",
  "song",
  "music",
  "video",
]);

/** The rest of the title, and the remark at its end. */
const REMARKS = [/^(.*?)\s*(?:\(([^()]*)\)|\[([^[\]]*)\]|【([^【】]*)】)$/u, /^(.*\S)\s+(?:\||\/\/|[-–—])\s+(\S.*)$/u];
/** "Artist - Title", with the first dash between spaces. */
const DASH = /^(.+?)\s+[-–—]\s+(.+)$/u;
/** 'Artist "Title"' and its forms in other scripts. */
const QUOTES = /^(.+?)\s*(?:"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』)$/u;

function isKindRemark(remark: string): boolean {
  const words = remark
    .toLowerCase()
    .replaceAll("m/v", "mv")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.length > 0 && words.every((word) => KIND_WORDS.has(word)) && words.some((word) => !FILL_WORDS.has(word));
}

/** @returns the title without remarks about the kind of upload at its end, unless nothing else is left */
function withoutRemarks(title: string): string {
  for (const pattern of REMARKS) {
    const [rest = "", remark = ""] =
      pattern
        .exec(title)
        ?.slice(1)
        .filter((text) => text !== undefined) ?? [];
    if (rest !== "" && isKindRemark(remark)) return withoutRemarks(rest);
  }
  return title;
}

/** @returns letters and digits only, for comparing names */
function comparable(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Channels of artists: YouTube makes "Artist - Topic", labels make "ArtistVEVO". */
export function nameOfChannel(channel: string): string {
  return channel.replace(TOPIC, "").replace(/(?<=\p{L})VEVO$/u, "");
}

function isSameName(channel: string, name: string): boolean {
  const [one, other] = [comparable(nameOfChannel(channel)), comparable(name)];
  return one !== "" && (one === other || one === `${other}official` || one === `${other}music`);
}

/** Between the names of several artists. */
const BETWEEN_NAMES = /\s*[,;&+×]\s*|\s+(?:x|and|und|y|et|e|feat\.?|ft\.?|featuring|with|vs\.?)\s+/iu;

/** @returns whether a part of a title names the owners, or nobody but them */
function namesOwners(owners: readonly string[], part: string): boolean {
  const isOwner = (name: string): boolean => owners.some((owner) => isSameName(owner, name));
  return (
    isOwner(part) || isSameName(owners.join(), part) || (owners.length > 1 && part.split(BETWEEN_NAMES).every(isOwner))
  );
}

/** Before a dash these are no name: an occasion or a kind of upload, alone or with its place or year. */
const OCCASION =
  /^(?:(?:full|complete|official|dj) )*(?:live|concert|concierto|konzert|gig|unplugged|acoustic|tour|festival|set|session|mix|rehearsal|soundcheck|interview|making of|behind the scenes|trailer|teaser|album|medley|highlights)(?:$|\s+(?:at|in|from|on|en|à|au|bei|im|aus)\s|\s*[@:(\d])/iu;
/** "Part 2", "03", "2019". */
const NUMBERED =
  /^(?:(?:part|pt\.?|episode|ep\.?|chapter|track|vol\.?|volume|teil|folge|parte)\s*\d+|\d{1,2}\.?|(?:19|20)\d\d)$/iu;
const YEAR = /\b(?:19|20)\d\d\b/;

/** @param hasRemark whether a remark such as "(Official Video)" was there. Without a year, "Live" is a band then. */
function hasNoArtist({ artist, title }: Song, hasRemark: boolean): boolean {
  if (/^live$/i.test(artist)) return !hasRemark || YEAR.test(title);
  return OCCASION.test(artist) || NUMBERED.test(artist);
}

/** @returns the names without those that are empty or stand there twice */
export function namesIn(names: readonly string[] | undefined): readonly string[] {
  return [...new Set((names ?? []).slice(0, MAX_NAMES).map(siteTitle))].filter((name) => name !== "");
}

interface Song {
  readonly title: string;
  readonly artist: string;
}

function split(title: string): Song | undefined {
  const dash = DASH.exec(title);
  const found = dash ?? QUOTES.exec(title);
  const [artist = "", rest = ""] = found?.slice(1).filter((text) => text !== undefined) ?? [];
  return artist === "" || rest === "" ? undefined : { artist: artist.trim(), title: rest.trim() };
}

/**
 * A title with a dash is taken apart only where something else says that it is a song: the site, a remark such as
 * "(Official Video)", or an artist or a channel of the same name as one of its parts.
 */
export function songOf(title: string, metadata: SiteMetadata): Song {
  const { artist, artists, creators, channel, uploader, categories } = metadata;
  const stated = siteTitle(artist ?? "") || cleanTitle(namesIn(artists).join(", "));
  const together = namesIn(creators);
  const owners = together.length > 1 ? together : [siteTitle(channel ?? uploader ?? "") || (together[0] ?? "")];
  const names = stated === "" ? owners.map(nameOfChannel) : [stated];
  const owner = cleanTitle(names.join(", "));
  const bare = withoutRemarks(title);
  const parts = split(bare);
  if (parts && namesOwners(names, parts.artist)) return { title: parts.title, artist: owner };
  if (parts && namesOwners(names, parts.title)) return { title: parts.artist, artist: owner };
  const isSong = stated !== "" || bare !== title || categories?.includes("Music") === true;
  if (parts && isSong && stated === "" && !(owner !== "" && hasNoArtist(parts, bare !== title))) return parts;
  return { title: isSong ? bare : title, artist: owner };
}

/** @returns whether a video is a song that a label has published without a video of its own */
export function isTopic({ channel }: Pick<SiteMetadata, "channel">): boolean {
  return TOPIC.test(siteTitle(channel ?? ""));
}

export const SQUARE_COVERS = ["certain", "possible"] as const;
export type SquareCover = (typeof SQUARE_COVERS)[number];

/** @returns "possible" for a song that may have a picture of its own, undefined for what is no song */
export function squareCoverOf(metadata: SiteMetadata): SquareCover | undefined {
  if (isTopic(metadata)) return "certain";
  const { track, artist, artists = [] } = metadata;
  return track && (artist || artists.length > 0) ? "possible" : undefined;
}
