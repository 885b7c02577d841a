/** Reads which videos a playlist, channel, album or podcast has, without opening them. */
import { ConversionError } from "../../../common/errors.ts";
import { linkOfVideo } from "../../../common/links/video-of-post.ts";
import type { Work } from "../pipeline.ts";
import { type LinkRequest, readLink } from "./extraction.ts";
import { parseListFile } from "./parse-aside.ts";
import { hostOf } from "./video-origin.ts";
import type { ListedVideo, VideoList } from "./video-list.ts";

export interface ListRequest {
  readonly link: string;
  /** Working folder of yt-dlp. */
  readonly folder: string;
  /** Entries after this number are not read. */
  readonly most: number;
}

/** A list whose entries all have a link and a title. */
export interface ReadableList extends VideoList {
  readonly entries: readonly (ListedVideo & { readonly link: string })[];
}

function readable(post: string, { link: own, title, ...entry }: ListedVideo): ReadableList["entries"][number] {
  const link = typeof own === "number" ? linkOfVideo(post, own) : own;
  return { ...entry, link, title: title || link };
}

/**
 * Reads the first entries of a list as a guest: with the operator's account, visitors would see its own lists.
 * @throws ConversionError of errors/classify.ts, and what `parseList` throws; "blocked"; `signal.reason` when aborted
 */
export async function readList(work: Work, { link, folder, most }: ListRequest): Promise<ReadableList> {
  const { pipeline } = work;
  const host = hostOf(link);
  if (host !== undefined && pipeline.blocks?.refusesHost(host)) throw new ConversionError("blocked");
  const request: LinkRequest<VideoList> = {
    link,
    folder,
    listArgs: ["--yes-playlist", "--flat-playlist", `--playlist-items=1:${most}`],
    parse: parseListFile,
    countsForHealth: false,
    isGuest: true,
  };
  try {
    const { result } = await readLink(work, request);
    // Of each list within the list that many were read.
    return { ...result, entries: result.entries.slice(0, most).map((entry) => readable(link, entry)) };
  } catch (error) {
    // A job does so when it fails. A list is no job.
    if (error instanceof ConversionError && error.code === "site_changed") pipeline.extractors?.lookForNewer?.();
    throw error;
  }
}
