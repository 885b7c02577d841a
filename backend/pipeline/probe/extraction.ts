/**
 * Reads a link with yt-dlp. Five steps, each in a place of its own:
 * 1. `extractShared` lets all who ask for a video at the same time wait for one extraction, here and in other processes.
 * 2. `readLink` holds one version of yt-dlp while it reads, and reports whether that version can read links.
 * 3. `askYouTube`, for YouTube alone, tries exits and clients until one gets the video, and keeps to the exits' budgets.
 * 4. `readPage` makes one attempt behind the egress guard, and turns what yt-dlp says into an error of ours.
 * 5. `runYtDlp` builds the command with its sandbox, and runs it in the extractor host or in a process of its own.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";
import { isYouTubeLink } from "../../../common/hosts.ts";
import { postOf } from "../../../common/links/video-of-post.ts";
import { type Exit, exitForMedia } from "../exits/exit.ts";
import type { Work } from "../pipeline.ts";
import { openJobFolder } from "../process/job-folder.ts";
import { knownClients } from "./client-order.ts";
import { isFailureOfTool, withExtractor } from "./extractor-source.ts";
import type { VideoInfo } from "./info.ts";
import { publicAddressOf } from "./kept-info.ts";
import { type PageFile, type PageRequest, readPage } from "./page-reader.ts";
import { parseAllFile, parsePageFile } from "./parse-aside.ts";
import type { SiteCookies } from "./site-cookies.ts";
import { MAX_PARTS } from "./video-in-parts.ts";
import { originOf } from "./video-origin.ts";
import { askYouTube, type Attempt, type Given } from "./youtube.ts";

/** A link that is a list is refused, and two entries are enough to recognise one. */
const SEVERAL = "1:2";

/**
 * Reads the metadata and renditions of a link. Shares the extraction with other callers where the pipeline allows: the
 * estimate for the page has often just read it, and so has the conversion to another format.
 * @param folder of the caller; a shared extraction gets one beside it
 * @throws what {@link extract} throws
 */
export async function extractShared(work: Work, link: string, folder: string): Promise<VideoInfo> {
  const { extractions } = work.pipeline;
  if (!extractions) return extract(work, link, folder);
  const inOwnFolder = async (shared: AbortSignal): Promise<VideoInfo> => {
    // The work goes on for others when this caller and its folder are gone.
    await using own = await openJobFolder(path.dirname(folder), `extraction-${randomUUID()}`);
    return await extract({ ...work, signal: shared }, link, own.path);
  };
  return extractions.share(work.pipeline, link, inOwnFolder, work.signal);
}

type Page = Awaited<ReturnType<typeof parsePageFile>>;

/**
 * @param number of the video in its post; absent: the page must have a single one
 * @param isList a page that names one other page is a list with a single entry
 */
async function parsePage(file: PageFile, number: number | undefined, isList: boolean): Promise<Page> {
  try {
    const page = await parsePageFile(file);
    const isPage = "unread" in page && page.unread === "page";
    if (isPage && (isList || number !== undefined)) throw new ConversionError("playlist");
    // Of a page with a single video, yt-dlp gives that one for any number.
    if (number !== undefined && number > 1 && !("isOfPost" in page && page.isOfPost))
      throw new ConversionError("unavailable", { detail: `a single video, and not ${number}` });
    return file.withholdsSubtitles ? { ...page, withholdsSubtitles: true } : page;
  } catch (error) {
    const isGone = number !== undefined && error instanceof ConversionError && error.code === "playlist";
    throw isGone ? new ConversionError("unavailable", { detail: `no video ${number}`, cause: error }) : error;
  }
}

function given(page: Page): Given {
  if ("unread" in page) return { formats: 0, captions: "none" };
  const { renditions, subtitles = [], withholdsSubtitles = false } = page;
  if (subtitles.length > 0) return { formats: renditions.length, captions: "given" };
  return { formats: renditions.length, captions: withholdsSubtitles ? "withheld" : "none" };
}

async function readVideo(work: Work, link: string, folder: string): Promise<LinkResult<VideoInfo>> {
  const { post, number } = postOf(link);
  const asked = { link: post, folder, countsForHealth: true };
  const { result, exit } = await readLink<Page>(work, {
    ...asked,
    listArgs: ["--no-playlist", "--flat-playlist", `--playlist-items=${number ?? SEVERAL}`],
    parse: (file) => parsePage(file, number, isYouTubeLink(post)),
    given,
  });
  if (!("unread" in result)) return { result, exit };
  const listArgs = ["--no-playlist", `--playlist-items=1:${MAX_PARTS + 1}`];
  return readLink(work, { ...asked, listArgs, parse: parseAllFile });
}

/**
 * Like {@link extractShared}, for this caller alone.
 * @param folder working folder of yt-dlp
 * @throws ConversionError of errors/classify.ts, or "blocked"; `signal.reason` when aborted
 */
export async function extract(work: Work, link: string, folder: string): Promise<VideoInfo> {
  const { result, exit } = await readVideo(work, link, folder);
  const info: VideoInfo = {
    ...result,
    readAtMs: Date.now(),
    exit: exit && exitForMedia(exit, publicAddressOf(result)),
  };
  // Before the metadata is kept for others.
  work.pipeline.blocks?.requireVideo(link, originOf(info));
  return info;
}

export interface LinkRequest<T> extends Pick<PageRequest, "link" | "folder" | "listArgs"> {
  /** Parses what yt-dlp printed. What it throws is the link's error, after which another exit may be tried. */
  readonly parse: (file: PageFile) => Promise<T>;
  /** Sums up what was parsed. Absent for what is no video. */
  readonly given?: (result: T) => Given;
  /** False: how it ends says nothing about whether videos of the site can be read. */
  readonly countsForHealth: boolean;
  /** Never ask with the operator's account. */
  readonly isGuest?: boolean;
}

/** What was parsed, and the exit that read it, if the link's site is asked through one. */
interface LinkResult<T> {
  readonly result: T;
  readonly exit?: Exit | undefined;
}

/**
 * Reads a link as its site wants it: YouTube by several clients and exits, other sites once.
 * @throws ConversionError of errors/classify.ts, what `parse` throws; `signal.reason` when aborted
 */
export async function readLink<T>(
  { pipeline, signal }: Work,
  { parse, given: sumUp, countsForHealth, isGuest = false, ...page }: LinkRequest<T>,
): Promise<LinkResult<T>> {
  using lease = await pipeline.extractors?.acquire();
  const leased = withExtractor(pipeline, lease?.extractor);
  const youtube = isYouTubeLink(page.link) ? leased.youtube : undefined;
  const report = (outcome: ConversionErrorCode | "ok"): void => {
    if (countsForHealth) youtube?.onLink?.(page.link, outcome);
  };
  const lacksScripts = leased.tools.denoPath === undefined;
  const onGot = (client: string, refused: readonly string[]): void => {
    if (countsForHealth) youtube?.clients?.note(page.link, client, refused);
  };
  const read = async (attempt: Partial<Attempt> = {}): Promise<LinkResult<T>> => {
    const result = await parse(await readPage({ pipeline: leased, signal }, { ...page, ...attempt }));
    if (attempt.client !== undefined && sumUp) youtube?.onGiven?.(attempt.client, sumUp(result));
    return { result, exit: attempt.exit };
  };
  try {
    const asked = youtube && { ...youtube, knownClients: knownClients(leased), lacksScripts, onGot };
    const access = asked && isGuest ? { ...asked, account: undefined } : asked;
    const account = isGuest ? undefined : leased.siteCookies;
    const found = await (access ? askYouTube(access, read, signal) : readSite(page.link, account, read, signal));
    report("ok");
    lease?.report(page.link, "worked");
    return found;
  } catch (error) {
    if (error instanceof ConversionError) report(error.code);
    if (isFailureOfTool(error)) lease?.report(page.link, "failed");
    // A video that cannot be had is no failure of yt-dlp.
    else if (error instanceof ConversionError && !error.isTransient && !signal.aborted)
      lease?.report(page.link, "worked");
    throw error;
  }
}

/** What an account of the operator may help against. */
const ACCOUNT_HELPS: ReadonlySet<ConversionErrorCode> = new Set(["login_required", "private", "members_only"]);

/** Reads a page as a guest, and where that is refused, with the account that the operator has at the site. */
async function readSite<T>(
  link: string,
  accounts: SiteCookies | undefined,
  read: (attempt?: Pick<Attempt, "account">) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConversionError) || !ACCOUNT_HELPS.has(error.code)) throw error;
    const account = await accounts?.of(new URL(link).hostname);
    if (!account) throw error;
    return read({ account });
  }
}
