/** Reads addresses of YouTube in all their forms, also damaged ones. */
import { MAX_LINK_LENGTH } from "../api.ts";
import { startOfLink } from "../times.ts";
import { isRefusal, refusal, type Found, type Link, type LinkRefusal } from "./link.ts";
import { isWholeId, listOfId } from "./list-ids.ts";
import { withoutTracking } from "./page-address.ts";
import { ID_PATHS, partsOf, type Parts } from "./youtube-parts.ts";

/** Pages with the eleven letters of an id that are no video. */
const NO_IDS = new Set(["live_stream", "videoseries"]);
const SEARCHES = new Set(["results", "search"]);
/** Pages that neither are a video nor list the videos of somebody. */
const OTHER_PAGES = new Set(
  (
    "feed feeds post source podcasts premium account gaming movies upload about t s kids trending attribution redirect " +
    "activate pair tv"
  ).split(" "),
);
/** Pages that are nothing without an id. */
const CUT_OFF = new Set(["watch", "watch_videos", "live_chat", "clip"]);
/** Lists of YouTube and of YouTube Music under other names. */
const LIST_PATHS = new Set(["hashtag", "browse", "show"]);

/** @returns what stands where the id of a video is expected; undefined where none is */
function idPlaceOf({ segments: [first = "", second], parameters }: Parts, isShort: boolean): string | undefined {
  if (isShort && /^[^@]/.test(first) && !ID_PATHS.has(first) && first !== "playlist") return first;
  const named = ["v", "vi", "video_id", "videoid"]
    .map((name) => parameters.get(name))
    .find((value) => value !== undefined);
  const inPath = ID_PATHS.has(first) ? second : undefined;
  const isNamed = named !== undefined && (first === "watch" || idIn(inPath ?? "") === undefined);
  return isNamed ? named : inPath;
}

/** @returns the eleven characters of an id; marks before it, and what follows, are stuck to it */
function idIn(place: string): string | undefined {
  const id = /^[^\w-]*([\w-]{11})/.exec(place)?.[1];
  return id === undefined || NO_IDS.has(id) ? undefined : id;
}

function startOf({ parameters }: Parts): number | undefined {
  const query = new URLSearchParams([...parameters].map(([name, value]) => [name, /^[\w:.,]*/.exec(value)?.[0] ?? ""]));
  return startOfLink(`https://www.youtube.com/?${query}`);
}

/** Pages with a list under a parameter of another name: old ones, and what programs for news read. */
const OTHER_LIST_NAMES = new Map([
  ["view_play_list", "p"],
  ["playlist", "p"],
  ["feeds", "playlist_id"],
]);

/** What is shown of a long link ends so. */
const CUT_OFF_END = /^(?:…|\.{3})/;
const LIST_ID = /^(?:VL(?=PL|OL|UU|RD))?([\w-]*)/;
const CLIP_ID = /^([\w-]{5,100})/;

/** @returns undefined for an id that is cut off: without its end it may be another one */
function wholeId(pattern: RegExp, text: string): string | undefined {
  const [named = "", id = ""] = pattern.exec(text) ?? [];
  const isCutOff = CUT_OFF_END.test(text.slice(named.length)) && !isWholeId(id);
  return id.length < 2 || isCutOff ? undefined : id;
}

/** Pages inside YouTube put `VL` before the ids of lists. @returns empty for one that is cut off */
function listIdIn({ segments: [first = ""], parameters }: Parts): string | undefined {
  const otherName = OTHER_LIST_NAMES.get(first);
  const named = parameters.get("list") ?? (otherName && parameters.get(otherName));
  return named === undefined ? undefined : (wholeId(LIST_ID, named) ?? "");
}

function videoOf(id: string, parts: Parts): Link {
  const url = `https://www.youtube.com/watch?v=${id}`;
  const listId = listIdIn(parts) ?? "";
  const list = listId === "" ? undefined : listOfId(listId);
  const startSeconds = startOf(parts);
  const named = typeof list === "string" ? `&list=${listId}` : "";
  const moment = startSeconds === undefined ? "" : `&t=${startSeconds}`;
  return { url, kind: "video", text: url + named + moment, startSeconds, list };
}

/** @param name as old embedded players and feeds give it */
function channelOf(name: string): Link {
  const url = `https://www.youtube.com/${name.startsWith("UC") ? "channel" : "user"}/${name}`;
  return { url, kind: "channel", text: url, startSeconds: undefined, list: undefined };
}

/** @returns undefined for an address that names no list */
function listOf(parts: Parts): Link | LinkRefusal | undefined {
  const type = parts.parameters.get("listtype");
  if (type === "search") return refusal("invalid_link", "search_page");
  const id = listIdIn(parts);
  if (type === "user_uploads" && id) return channelOf(id);
  const fed = parts.segments[0] === "feeds" ? (parts.parameters.get("channel_id") ?? parts.parameters.get("user")) : "";
  const [channel] = /^[\w-]+/.exec(fed ?? "") ?? [];
  if (channel) return channelOf(channel);
  if (id === undefined) return parts.segments[0] === "playlist" ? refusal("playlist", "link_cut_off") : undefined;
  if (id === "") return refusal("invalid_link", "link_cut_off");
  const list = listOfId(id);
  return typeof list === "string" ? { url: list, kind: "list", text: list, startSeconds: undefined, list } : list;
}

/** @returns why a page is refused; undefined when the extractor finds out what it is */
function refusalOfPage({ segments, parameters }: Parts): LinkRefusal | undefined {
  const [first = "", second] = segments;
  if (second === "live_stream") return refusal("live", "live_embed");
  if (SEARCHES.has(first)) return refusal("invalid_link", "search_page");
  if (CUT_OFF.has(first) || parameters.has("v")) return refusal("invalid_link", "link_cut_off");
  const isOther = first === "" || OTHER_PAGES.has(first) || (ID_PATHS.has(first) && second === undefined);
  return isOther ? refusal("invalid_link", "no_video_page") : undefined;
}

/** Channels and lists of other kinds: the extractor finds out what is behind them. */
function pageOf(url: URL, { segments: [first = ""] }: Parts, isShort: boolean): Link | LinkRefusal {
  const link = withoutTracking(url).replace(/[^\w/=%&+~-]+$/, "");
  // Without its end it may be another page.
  if (link !== url.href) return readOne(new URL(link), link.slice(url.origin.length), isShort);
  // The extractor decodes parts of the address, and prints them in its messages, where they must not begin a line.
  if (link.length > MAX_LINK_LENGTH || /%0[ad]/i.test(link)) return refusal("invalid_link");
  const kind = LIST_PATHS.has(first) ? "list" : "channel";
  return { url: link, kind, text: link, startSeconds: undefined, list: kind === "list" ? link : undefined };
}

function clipIn({ segments: [first, second = ""], parameters }: Parts): Link | undefined {
  const named = /^Ugk[\w-]{5,100}/.exec(parameters.get("clip") ?? "")?.[0];
  const id = named ?? (first === "clip" ? wholeId(CLIP_ID, second) : undefined);
  if (id === undefined) return undefined;
  const url = `https://www.youtube.com/clip/${id}`;
  return { url, kind: "clip", text: url, startSeconds: undefined, list: undefined };
}

/** Of old pages of channels, which show the video. */
const BEHIND_CHANNEL = /#p\/(?:[a-z]\/){1,3}\d{1,4}\/([\w-]{11})/;

function readOne(url: URL, rest: string, isShort: boolean): Link | LinkRefusal {
  const parts = partsOf(rest);
  const place = BEHIND_CHANNEL.exec(rest)?.[1] ?? idPlaceOf(parts, isShort);
  const id = place === undefined ? undefined : idIn(place);
  const clip = clipIn(parts);
  if (clip) return clip;
  if (id !== undefined) return videoOf(id, parts);
  const list = listOf(parts);
  if (list) return list;
  const isCutOff = /(?:…|\.{3})$/.test(rest) || /^[\w-]{1,10}(?![\w-])/.test(place ?? "");
  if (isCutOff) return refusal("invalid_link", "link_cut_off");
  return refusalOfPage(parts) ?? (place === undefined ? pageOf(url, parts, isShort) : refusal("invalid_link"));
}

/** Of pages and players that show several videos one after another. Their lists exist in the address only. */
function videosIn({ parameters }: Parts): Link[] {
  const places = (parameters.get("video_ids") ?? parameters.get("playlist") ?? "").split(",");
  return places.flatMap((place) => idIn(place) ?? []).map((id) => videoOf(id, { segments: [], parameters: new Map() }));
}

/**
 * @param url of an accepted host
 * @param rest what follows the host in the address as it was written, without what cannot be seen
 * @param isShort whether the id is the whole path, as at youtu.be
 */
export function readYouTube(url: URL, rest: string, isShort: boolean): Found {
  const found = readOne(url, rest, isShort);
  if (!isRefusal(found)) return [found];
  const [first, ...others] = videosIn(partsOf(rest));
  return first === undefined ? found : [first, ...others];
}
