/** Parses the JSON that yt-dlp prints about a list of videos. Titles and addresses come from foreign sites. */
import { z } from "zod";
import { MAX_LINK_LENGTH } from "../../../common/api.ts";
import { ConversionError, exactly } from "../../../common/errors.ts";
import { MAX_ENTRY_TITLE_LENGTH, type EntryProblem } from "../../../common/lists.ts";
import type { Album } from "../../../common/choices.ts";
import { albumOf } from "./album.ts";
import { channelIdsOf, isHeld, parsePrinted, pictureUrlOf } from "./info.ts";
import { siteTitle } from "./title.ts";
import { positive, text } from "./lenient.ts";

export interface ListedVideo {
  /** As the site has it; not checked. Of a video without an address of its own, its number in the post. */
  readonly link: string | number;
  /** Empty when the site names no title. */
  readonly title: string;
  readonly durationSeconds?: number;
  readonly thumbnailUrl?: string;
  readonly problem?: EntryProblem;
}

export interface VideoList {
  readonly title: string;
  /** Present when the list is an album. */
  readonly album?: Album;
  readonly entries: readonly ListedVideo[];
  /** As the site states it; it may count entries that it does not list. */
  readonly statedCount?: number;
  /** Of the list's owner, such as `youtube:UC…` and `youtube:@name`. */
  readonly channelIds?: readonly string[];
}

const RawEntry = z.looseObject({
  // oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
  _type: z.enum(["url", "url_transparent"]),
  url: z.string(),
  title: text,
  duration: positive,
  availability: text,
  live_status: text,
  ie_key: text,
});

/** A video that its list's page holds, such as one of several in a post. */
const HeldEntry = z.looseObject({ title: text, duration: positive }).refine(isHeld);

const RawList = z.looseObject({
  // oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
  _type: text,
  id: text,
  extractor_key: text,
  channel_id: text,
  uploader_id: text,
  title: text,
  album: text,
  album_type: text,
  album_artist: text,
  playlist_count: z.number().int().min(0).optional().catch(undefined),
  entries: z.array(z.unknown()).optional().catch(undefined),
});

const BY_AVAILABILITY: Readonly<Record<string, EntryProblem>> = {
  private: "private",
  premium_only: "members_only",
  subscriber_only: "members_only",
  needs_auth: "private",
};
const BY_LIVE_STATUS: Readonly<Record<string, EntryProblem>> = { is_live: "live", is_upcoming: "upcoming" };

/** Titles that YouTube shows instead of those of videos that are gone; yt-dlp asks for the English page. */
const BY_TITLE: Readonly<Record<string, EntryProblem>> = {
  "[Private video]": "private",
  "[Deleted video]": "deleted",
};

/** yt-dlp's names of the extractors that read lists of YouTube. */
const LIST_EXTRACTORS = /^Youtube(?:Tab|Playlist)/;

function problemOf(entry: z.infer<typeof RawEntry>): EntryProblem | undefined {
  const { title = "", availability = "", live_status: liveStatus = "", ie_key: extractor = "" } = entry;
  if (LIST_EXTRACTORS.test(extractor)) return "list";
  return BY_TITLE[title] ?? BY_AVAILABILITY[availability] ?? BY_LIVE_STATUS[liveStatus];
}

/** yt-dlp adds what an extractor passes to the next one, behind this mark. */
const SMUGGLED = "#__youtubedl_smuggle";

function listedVideo(
  link: ListedVideo["link"],
  entry: Pick<z.infer<typeof HeldEntry>, "title" | "duration">,
  problem?: EntryProblem,
): ListedVideo {
  const { title = "", duration } = entry;
  const thumbnailUrl = pictureUrlOf(entry);
  return {
    link,
    title: siteTitle(title.slice(0, MAX_ENTRY_TITLE_LENGTH)),
    ...(duration === undefined ? {} : { durationSeconds: duration }),
    ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
    ...(problem && { problem }),
  };
}

/**
 * @param number of the entry in the post that was read; undefined in a list within a list
 * @returns undefined for an entry that cannot be asked for
 */
function toEntry(value: unknown, number: number | undefined): ListedVideo | undefined {
  const held = HeldEntry.safeParse(value);
  if (held.success) return number === undefined ? undefined : listedVideo(number, held.data);
  const parsed = RawEntry.safeParse(value);
  if (!parsed.success) return undefined;
  const [link = ""] = parsed.data.url.split(SMUGGLED, 1);
  if (!/^https?:\/\//i.test(link) || link.length > MAX_LINK_LENGTH) return undefined;
  return listedVideo(link, parsed.data, problemOf(parsed.data));
}

/** Lists within lists are read to this depth: a channel has its tabs, and a tab has videos. */
const MAX_DEPTH = 3;

type RawList = z.infer<typeof RawList>;

// oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
const IsList = z.object({ _type: z.literal("playlist") });

/** @returns a list within a list: yt-dlp gives a channel that also has live streams or shorts as one list for each tab */
function nestedList(value: unknown): RawList | undefined {
  return IsList.safeParse(value).success ? RawList.safeParse(value).data : undefined;
}

interface FoundEntries {
  /** Those of the list and of the lists in it, in their order. */
  readonly entries: readonly ListedVideo[];
  /** Undefined when one of the lists does not state it. */
  readonly statedCount: number | undefined;
  /** Whether neither the list nor the lists in it name anything. */
  readonly isEmpty: boolean;
}

function findEntries({ entries: values = [], playlist_count: count }: RawList, depth = 1): FoundEntries {
  const lists = values.map((value) => (depth < MAX_DEPTH ? nestedList(value) : undefined));
  const found = lists.map((list) => list && findEntries(list, depth + 1));
  const nested = found.filter((one) => one !== undefined);
  const counts = nested.map(({ statedCount }) => statedCount);
  const sum = counts.reduce((all, one) => (all === undefined || one === undefined ? undefined : all + one), 0);
  return {
    entries: values.flatMap(
      (value, index) => found[index]?.entries ?? toEntry(value, depth === 1 ? index + 1 : undefined) ?? [],
    ),
    statedCount: nested.length > 0 ? sum : count,
    isEmpty: found.every((one) => one?.isEmpty === true),
  };
}

/** @returns the site as the origins of its videos name it */
function siteOfList({ extractor_key: extractor = "generic" }: RawList): string {
  return LIST_EXTRACTORS.test(extractor) ? "youtube" : extractor.toLowerCase();
}

/**
 * Parses the output of `yt-dlp -J --flat-playlist`.
 * @throws ConversionError "invalid_link" for a single video, "unavailable" where nothing in it can be asked for
 */
export function parseList(json: string): VideoList {
  const { data } = RawList.safeParse(parsePrinted(json));
  // oxlint-disable-next-line no-underscore-dangle -- the extractor's own name
  if (data?._type !== "playlist" || !data.entries)
    throw new ConversionError("invalid_link", { message: "That link is one video, not a list." });
  const { entries, statedCount, isEmpty } = findEntries(data);
  // Not "playlist", which sends visitors here.
  if (entries.length === 0 && !isEmpty)
    throw new ConversionError("unavailable", { ...exactly("empty_list"), detail: "entries without addresses" });
  const album = albumOf(data);
  const channelIds = channelIdsOf(siteOfList(data), data);
  return {
    title: siteTitle(data.title ?? "") || "Untitled list",
    ...(album && { album }),
    entries,
    ...(statedCount === undefined ? {} : { statedCount }),
    ...(channelIds.length === 0 ? {} : { channelIds }),
  };
}
