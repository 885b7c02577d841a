/** Playlists and a channel of the YouTube-shaped site, in pages of 100 entries. */

interface Listed {
  readonly videoId: string;
  readonly title: string;
  /** Left out for a video that nobody can play. */
  readonly seconds?: number;
  readonly channel?: string;
  readonly badge?: { readonly style?: string; readonly icon?: string };
  /** In seconds since 1970. */
  readonly startsAt?: number;
}

export interface VideoList {
  readonly title: string;
  readonly videos: readonly Listed[];
}

export const PLAYLIST_ID = "PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
/** A release of YouTube Music. */
export const ALBUM_ID = "OLAK5uy_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
export const LONG_PLAYLIST_ID = "PLbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";
export const PRIVATE_PLAYLIST_ID = "PLcccccccccccccccccccccccccccccccccc";
/** Given to nobody who is not signed in. */
export const GUARDED_PLAYLIST_ID = "PLdddddddddddddddddddddddddddddddddd";
/** Path of the videos of a channel that has nothing else. */
export const CHANNEL_PATH = "/@tapedeck/videos";
/** Path of a channel that has videos, live streams and shorts, each in its own tab. */
export const CHANNEL_OF_TABS = "/@tabs";

const numbered = (count: number): Listed[] =>
  Array.from({ length: count }, (_, index) => ({
    videoId: `video-${String(index + 1).padStart(5, "0")}`,
    title: `Video ${index + 1}`,
    seconds: 12,
  }));

/** One of each kind that cannot be converted, in the second page. */
const UNAVAILABLE: readonly Listed[] = [
  { videoId: "gone-000001", title: "[Private video]" },
  { videoId: "gone-000002", title: "[Deleted video]" },
  { videoId: "gone-000003", title: "For members", seconds: 12, badge: { style: "BADGE_STYLE_TYPE_MEMBERS_ONLY" } },
  { videoId: "gone-000004", title: "On air", badge: { style: "BADGE_STYLE_TYPE_LIVE_NOW" } },
  { videoId: "gone-000005", title: "Tomorrow", startsAt: 4_000_000_000 },
  { videoId: "gone-000006", title: "For its owner", seconds: 12, badge: { icon: "PRIVACY_PRIVATE" } },
];

const LISTS: Readonly<Record<string, VideoList>> = {
  [PLAYLIST_ID]: {
    title: "A playlist",
    videos: ["plain-00001", "plain-00002", "plain-00003"].map((videoId, index) => ({
      videoId,
      title: `Video ${index + 1}`,
      seconds: 12,
    })),
  },
  [ALBUM_ID]: {
    title: "Album - Weather",
    videos: numbered(3).map((song) => ({ ...song, channel: "Rain - Topic" })),
  },
  [LONG_PLAYLIST_ID]: {
    title: "A long playlist",
    videos: [...numbered(100), ...UNAVAILABLE, ...numbered(250).slice(100)],
  },
};

export function findList(id: string): VideoList | undefined {
  return Object.hasOwn(LISTS, id) ? LISTS[id] : undefined;
}

const PAGE_SIZE = 100;

function renderer({ videoId, title, seconds, channel, badge, startsAt }: Listed): Record<string, unknown> {
  return {
    videoId,
    title: { runs: [{ text: title }] },
    ...(seconds === undefined ? {} : { lengthSeconds: String(seconds) }),
    ...(channel === undefined ? {} : { shortBylineText: { runs: [{ text: channel }] } }),
    isPlayable: seconds !== undefined,
    ...(badge && { badges: [{ metadataBadgeRenderer: { style: badge.style, icon: { iconType: badge.icon } } }] }),
    ...(startsAt === undefined ? {} : { upcomingEventData: { startTime: String(startsAt) } }),
  };
}

/** @returns the entries of a page, and the way to the next one */
function itemsOf(id: string, { videos }: VideoList, offset: number): Record<string, unknown>[] {
  const items = videos
    .slice(offset, offset + PAGE_SIZE)
    .map((video): Record<string, unknown> => ({ playlistVideoRenderer: renderer(video) }));
  const next = offset + PAGE_SIZE;
  if (next < videos.length) {
    const continuationEndpoint = { continuationCommand: { token: `${id}:${next}` } };
    items.push({ continuationItemRenderer: { continuationEndpoint } });
  }
  return items;
}

function inTab(content: Record<string, unknown>): Record<string, unknown> {
  return { twoColumnBrowseResultsRenderer: { tabs: [{ tabRenderer: { selected: true, content } }] } };
}

/** @returns the first page of a playlist */
export function playlistData(id: string, list: VideoList): Record<string, unknown> {
  const contents = [{ playlistVideoListRenderer: { contents: itemsOf(id, list, 0) } }];
  return {
    metadata: { playlistMetadataRenderer: { title: list.title } },
    contents: inTab({ sectionListRenderer: { contents: [{ itemSectionRenderer: { contents } }] } }),
  };
}

const REFUSALS: Readonly<Record<string, string>> = {
  [PRIVATE_PLAYLIST_ID]: "This playlist is private.",
  [GUARDED_PLAYLIST_ID]: "Sign in to confirm you’re not a bot",
};

/** @returns what the page of a list says that it does not show */
export function refusalData(id: string): Record<string, unknown> {
  const text = { simpleText: REFUSALS[id] ?? "The playlist does not exist." };
  return { alerts: [{ alertRenderer: { type: "ERROR", text } }] };
}

/** @returns the answer to a token, undefined for one that the site has not issued */
export function continuationData(token: string): Record<string, unknown> | undefined {
  const [id = "", offset = ""] = token.split(":");
  const list = findList(id);
  if (!list) return undefined;
  const continuationItems = itemsOf(id, list, Number(offset));
  return { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }] };
}

/** What the page of a channel shows: its videos, or nothing for a tab that is not there. */
interface Channel {
  readonly title: string;
  readonly tabs: Readonly<Record<string, readonly Listed[]>>;
}

const listedAs = (name: string, count: number): Listed[] =>
  numbered(count).map((video, index) => ({
    ...video,
    videoId: `${name}-00000`.slice(0, 10) + String(index + 1),
    title: `${name} ${index + 1}`,
  }));

const CHANNELS: Readonly<Record<string, Channel>> = {
  "/@tapedeck": { title: "Tapedeck", tabs: { videos: numbered(3) } },
  [CHANNEL_OF_TABS]: {
    title: "Channel of tabs",
    tabs: { videos: listedAs("Upload", 3), streams: listedAs("Stream", 2), shorts: listedAs("Short", 2) },
  },
};

/** A short has no length in its list. */
function shortView({ videoId, title }: Listed): Record<string, unknown> {
  const onTap = { innertubeCommand: { reelWatchEndpoint: { videoId } } };
  return { shortsLockupViewModel: { entityId: videoId, onTap, overlayMetadata: { primaryText: { content: title } } } };
}

/**
 * @param path such as "/@tapedeck/videos"
 * @returns the page of a channel's tab; undefined for a channel that does not exist
 */
export function channelData(path: string): Record<string, unknown> | undefined {
  const [, handle = "", wanted = ""] = /^(\/@\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  const channel = Object.hasOwn(CHANNELS, handle) ? CHANNELS[handle] : undefined;
  if (!channel) return undefined;
  const tabs = Object.entries(channel.tabs).map(([name, videos]) => {
    const contents = videos.map((video) => ({
      richItemRenderer: { content: name === "shorts" ? shortView(video) : { videoRenderer: renderer(video) } },
    }));
    const endpoint = { commandMetadata: { webCommandMetadata: { url: `${handle}/${name}` } } };
    const content = name === wanted ? { richGridRenderer: { contents } } : undefined;
    return { tabRenderer: { endpoint, title: name, selected: name === wanted, content } };
  });
  return {
    metadata: { channelMetadataRenderer: { title: channel.title, externalId: "UCaaaaaaaaaaaaaaaaaaaaaa" } },
    contents: { twoColumnBrowseResultsRenderer: { tabs } },
  };
}
