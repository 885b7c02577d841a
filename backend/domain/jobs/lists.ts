/**
 * The videos of a playlist, channel, album or podcast, before some of them are converted. Lists are read with the tools
 * of a worker, so they come from a port that takes and returns plain data.
 */
import type { z } from "zod";
import type { Album } from "../../../common/choices.ts";
import { ConversionError, UserError } from "../../../common/errors.ts";
import { isYouTubeLink, type HostEntry } from "../../../common/hosts.ts";
import {
  LIST_PAGE_SIZE,
  MAX_LIST_ENTRIES,
  MAX_PICTURED_ENTRIES,
  type EntryProblem,
  type ListEntry,
  type ListPage,
  type ListRequest,
} from "../../../common/lists.ts";
import type { Domain } from "../domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { canonicalEntry, canonicalList } from "./link-policy.ts";

/** A list as its site has it; its links have not been checked. */
export interface FoundList {
  readonly title: string;
  /** Present when the list is an album. */
  readonly album?: Album | undefined;
  readonly entries: readonly {
    readonly link: string;
    readonly title: string;
    readonly durationSeconds?: number;
    readonly thumbnailUrl?: string;
    readonly problem?: EntryProblem;
  }[];
  /** As the site states it; absent when it does not. */
  readonly statedCount?: number;
  /** Of the list's owner, as an origin has them. */
  readonly channelIds?: readonly string[];
}

export interface Lists {
  /**
   * Reads the first entries of a list.
   * @param link canonical, accepted by the link policy
   * @param most entries after this number are not needed
   * @throws ConversionError when the list cannot be read
   * @throws UserError unavailable_now when too many links are being looked at
   * @throws signal.reason when aborted; nothing is left running then
   */
  read(link: string, most: number, signal: AbortSignal): Promise<FoundList>;
  /**
   * Makes a small picture of one that a list names.
   * @returns a data URL; null when there is none
   * @throws signal.reason when aborted
   */
  picture(url: string, signal: AbortSignal): Promise<string | null>;
}

/** Entries in a later page: few calls get a long list. The answer has at most about 500 kB. */
const LATER_PAGE_SIZE = 1_200;
/** One entry more shows that the list goes on. */
export const FIRST_READ = LIST_PAGE_SIZE + 1;
const WHOLE_READ = MAX_LIST_ENTRIES + 1;

/**
 * Reads a page of a list. The first page needs little of a long list; for the others the whole is read once.
 * @throws UserError access_blocked; bad_request for an offset behind the end; also what {@link Lists.read} throws
 * @throws ConversionError when the link policy refuses the link, or the list's link is blocked
 */
export async function readListPage(
  domain: Domain,
  lists: Lists,
  viewer: Viewer,
  { youtubeUrl, offset, thumbnails }: z.infer<typeof ListRequest>,
  signal: AbortSignal,
): Promise<ListPage> {
  domain.blocks.requireViewer(viewer);
  const link = canonicalList(youtubeUrl, domain.videoHosts);
  domain.blocks.requireLink(link);
  const isFirst = offset === 0;
  const most = isFirst ? FIRST_READ : WHOLE_READ;
  const found = await lists.read(link, most, signal);
  const isWhole = found.entries.length < most;
  const shown = found.entries.slice(0, MAX_LIST_ENTRIES);
  if (offset > 0 && offset >= shown.length) throw new UserError("bad_request", "The list ends before that entry.");
  const end = Math.min(offset + (isFirst ? LIST_PAGE_SIZE : LATER_PAGE_SIZE), shown.length);
  const known = isWhole || !isFirst ? shown.length : found.statedCount;
  const isPictured = thumbnails && isWhole && shown.length <= MAX_PICTURED_ENTRIES;
  const pictures = isPictured ? await picturesOf(lists, shown, signal) : [];
  const total = known === undefined ? null : Math.min(known, MAX_LIST_ENTRIES);
  return {
    link,
    title: found.title,
    album: found.album && { ...found.album, of: total || undefined },
    total,
    isCut: found.entries.length > MAX_LIST_ENTRIES || (found.statedCount ?? 0) > MAX_LIST_ENTRIES,
    offset,
    entries: shown.slice(offset, end).map((entry, index) => ({
      ...checkedEntry(domain.videoHosts, entry),
      ...(pictures[offset + index] && { thumbnail: pictures[offset + index] }),
    })),
    next: end < shown.length || (!isWhole && isFirst) ? end : null,
  };
}

function picturesOf(
  lists: Lists,
  entries: FoundList["entries"],
  signal: AbortSignal,
): Promise<readonly (string | undefined)[]> {
  const pictureOf = async (url: string | undefined): Promise<string | undefined> =>
    (url === undefined ? null : await lists.picture(url, signal)) ?? undefined;
  return Promise.all(entries.map(({ thumbnailUrl }) => pictureOf(thumbnailUrl)));
}

function checkedEntry(
  hosts: readonly HostEntry[],
  { link, title, durationSeconds, problem }: FoundList["entries"][number],
): ListEntry {
  const entry = { link, title, durationSeconds: durationSeconds ?? null };
  if (problem) return { ...entry, problem };
  try {
    return { ...entry, link: canonicalEntry(link, hosts) };
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    return { ...entry, problem: problemOf(link, error) };
  }
}

/** A channel's tab and a list of lists have entries that are lists. */
function problemOf(link: string, { code }: ConversionError): EntryProblem {
  if (code === "playlist") return "list";
  return isYouTubeLink(link) ? "unavailable" : "not_accepted";
}
