/** Fetches one rendition, directly by HTTP or with yt-dlp, and checks its length and size while it arrives. */
import { join } from "node:path";
import { z } from "zod";
import { ConversionError } from "../../../common/errors.ts";
import type { Part } from "../../../common/choices.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { sizeOrZero, writeFile } from "../../tool-files/tool-files.ts";
import { classifyFetchFailure } from "../errors/classify.ts";
import { NOT_READABLE, sourceTooLarge, TOO_MANY_PIECES } from "../errors/wording.ts";
import type { GuardSession } from "../guard/egress-guard.ts";
import type { Work } from "../pipeline.ts";
import { checkDuration } from "../plan/plan-bounds.ts";
import { rawFormatOf, type Rendition, type VideoInfo } from "../probe/info.ts";
import { piecesOf } from "../probe/pieces.ts";
import { withExtractor } from "../probe/extractor-source.ts";
import { commonArgs, runYtDlp } from "../probe/yt-dlp.ts";
import { clipPart } from "../part/part.ts";
import type { FetchedSpan } from "../part/place-on-timeline.ts";
import { segmentsOfPart, type SegmentsOfPart } from "../part/segments-of-part.ts";
import { watchDisk } from "./disk-watch.ts";
import { downloadDirectly, planDirect, type DirectPlan, type SegmentsPlan } from "./direct-download.ts";
import { beginningBytesOf, fetchBeginning } from "./fetch-beginning.ts";
import { fetchFilePart } from "./fetch-file-part.ts";
import { isFinished } from "./finished-broadcast.ts";
import { rangeBytesFor } from "./fetch-ranges.ts";
import { GrowingFile } from "./growing-file.ts";
import { readMediaPlaylist, resolvePlaylist } from "./hls-playlist.ts";
import { MediaClient } from "./media-client.ts";
import type { RequestPauses } from "./request-pauses.ts";
import { fetchRemoteFile } from "./remote-file.ts";

/** What all renditions of a conversion share. */
export interface DownloadContext {
  readonly info: VideoInfo;
  readonly limits: TierLimits;
  /** Bound for all renditions together. */
  readonly maxSourceBytes: number;
  readonly folder: string;
  readonly session: GuardSession;
  readonly pauses: RequestPauses;
  /** Reads the video anew, once for all renditions. @returns undefined when its addresses cannot have ended yet */
  readonly readAgain?: () => Promise<VideoInfo> | undefined;
  /** What is needed of the video; absent: everything. */
  readonly part?: Part;
  /** Whether fetched MP4s get free space behind their index, see `spare-space.ts`. Default no. */
  readonly wantsSpareSpace?: boolean;
}

/** A rendition that can be read while it is fetched. */
export interface GrowingRendition {
  readonly file: GrowingFile;
  readonly rendition: Rendition;
  /** From its manifest. */
  readonly durationSeconds?: number;
}

export interface FetchedRendition {
  readonly path: string;
  /** From its manifest. */
  readonly durationSeconds?: number;
  /** Present where less than the whole was fetched. */
  readonly span?: FetchedSpan;
  /** Its times may begin anew within it, and the size of its picture may change. */
  readonly hasDiscontinuities?: boolean;
  /** One file, of which all bytes are there that its server stated. */
  readonly isComplete?: boolean;
}

/** Begins the names of fetched files, and of yt-dlp's temporary files beside them. */
const SOURCE_PREFIX = "source-";
const PROGRESS_FIELDS = "downloaded_bytes,total_bytes,fragment_index,fragment_count";
const PROGRESS_SECONDS = 0.2;

const count = z.number().nullish();
const ProgressLine = z.object({
  downloaded_bytes: count,
  total_bytes: count,
  fragment_index: count,
  fragment_count: count,
});

export interface RenditionDownloadOptions extends Work {
  readonly download: DownloadContext;
  readonly rendition: Rendition;
  /** Of its file. */
  readonly name: string;
  /** Which part of the video it is, counted from 0, and how long those before it are. Absent: the video is in one piece. */
  readonly piece?: { readonly number: number; readonly secondsBefore: number };
  /** The first call holds: undefined when the file cannot be read while it grows. */
  readonly onGrowing: (growing: GrowingRendition | undefined) => void;
  /** Settles when nothing reads the growing files any more. */
  readonly readersDone: Promise<void>;
  readonly onFraction: (fraction: number) => void;
}

interface PreparedRendition {
  /** The format as yt-dlp reads it from a JSON file. */
  readonly format: object;
  /** Absent: only yt-dlp can fetch it. */
  readonly direct: DirectPlan | undefined;
  /** Of the whole. */
  readonly segmentCount: number;
  readonly durationSeconds?: number;
  readonly hasDiscontinuities?: boolean;
}

/** Fetches one rendition: directly if possible, else with yt-dlp. */
export class RenditionDownload {
  readonly #options: RenditionDownloadOptions;
  readonly #path: string;
  /** Of the whole rendition. */
  #plan: DirectPlan | undefined;
  /** The same with the addresses of today, once they were asked for. */
  #planAgain: Promise<DirectPlan | undefined> | undefined;

  constructor(options: RenditionDownloadOptions) {
    this.#options = options;
    this.#path = join(options.download.folder, `${SOURCE_PREFIX}${options.name}`);
  }

  /**
   * @throws ConversionError
   * @throws `signal.reason` when aborted
   */
  async run(): Promise<FetchedRendition> {
    const { rendition, onGrowing } = this.#options;
    const { format, direct, durationSeconds, segmentCount, hasDiscontinuities } = await this.#prepare(rendition);
    this.#plan = direct;
    // Where times begin anew, they do not tell where a part is, so everything is fetched.
    const segments =
      direct?.kind === "segments" && !hasDiscontinuities ? this.#segmentsOfPart(direct, durationSeconds) : undefined;
    this.#checkFragments(segments?.urls.length ?? segmentCount);
    if (segments) return await this.#fetchSegmentsOfPart(segments, durationSeconds);
    const fetchedPart = direct?.kind === "file" ? await this.#fetchPartOfFile(direct.url) : undefined;
    if (fetchedPart) return fetchedPart;
    if (!direct || hasDiscontinuities) onGrowing(undefined);
    const isComplete = direct ? await this.#fetchDirectly(direct, durationSeconds) : false;
    if (!direct) await this.#fetchWithYtDlp(format);
    return { path: this.#path, durationSeconds, hasDiscontinuities, isComplete };
  }

  /** What is wanted alone. Of a video in parts, all of each is fetched. */
  get #wanted(): Part | undefined {
    return this.#options.piece ? undefined : this.#options.download.part;
  }

  /** @throws ConversionError "part_outside" */
  #segmentsOfPart(plan: SegmentsPlan, durationSeconds: number | undefined): SegmentsOfPart | undefined {
    const part = this.#wanted;
    return part && segmentsOfPart(plan, clipPart(part, durationSeconds));
  }

  async #fetchSegmentsOfPart(segments: SegmentsOfPart, wholeSeconds: number | undefined): Promise<FetchedRendition> {
    const { rendition, signal } = this.#options;
    const { urls, skippedSeconds, firstUrls } = segments;
    const beginningPath = firstUrls && `${this.#path}.beginning`;
    if (firstUrls && beginningPath !== undefined) {
      await using client = this.#openClient();
      await fetchBeginning(client, firstUrls, rendition, beginningPath, signal);
    }
    await this.#fetchDirectly({ kind: "segments", urls }, undefined);
    return { path: this.#path, span: { skippedSeconds, beginningPath, wholeSeconds } };
  }

  /** @returns undefined when there is no part, or the whole file has to be fetched for it */
  async #fetchPartOfFile(url: string): Promise<FetchedRendition | undefined> {
    const { download, rendition, onGrowing, onFraction, signal } = this.#options;
    const { maxSourceBytes: maxBytes } = download;
    const part = this.#wanted;
    if (!part) return undefined;
    await using client = this.#openClient();
    const request = { client, url, part, maxBytes, signal, headers: rendition.httpHeaders, path: this.#path };
    const tooLarge = (bytes: number): ConversionError => this.#tooLarge(bytes);
    const beginningBytes = beginningBytesOf(rendition);
    const rangeBytes = rangeBytesFor(rendition.rangeBytes);
    const fetched = await fetchFilePart({ ...request, tooLarge, rangeBytes, beginningBytes, onFraction });
    if (!fetched) return undefined;
    onGrowing(undefined);
    onFraction(1);
    return { path: this.#path, ...fetched };
  }

  #openClient(): MediaClient {
    const { pipeline, download } = this.#options;
    return new MediaClient(download.session, download.pauses, pipeline.hostSemaphore, (url) => this.#renewed(url));
  }

  /** @returns where the site has the bytes of an address today; undefined when it does not say */
  async #renewed(url: string): Promise<string | undefined> {
    this.#planAgain ??= this.#findAgain();
    const [before, now] = [this.#plan, await this.#planAgain];
    if (now?.kind === "file") return before?.kind === "file" ? now.url : undefined;
    const isSame = before?.kind === "segments" && before.urls.length === now?.urls.length;
    return isSame ? now?.urls[before.urls.indexOf(url)] : undefined;
  }

  async #findAgain(): Promise<DirectPlan | undefined> {
    const { rendition: before, download, piece } = this.#options;
    const info = await download.readAgain?.();
    const offered = info?.renditions.flatMap((rendition) => piecesOf(rendition)[piece?.number ?? 0] ?? []);
    const now = offered?.find(({ id, delivery }) => id === before.id && delivery === before.delivery);
    return now && (await this.#prepare(now)).direct;
  }

  async #prepare(rendition: Rendition): Promise<PreparedRendition> {
    if (rendition.delivery === "hls") return this.#prepareHls(rendition);
    return {
      format: rawFormatOf(rendition),
      direct: planDirect(rendition),
      segmentCount: rendition.fragmentCount ?? 0,
      durationSeconds: rendition.durationSeconds,
    };
  }

  /**
   * Reads the playlist and hands its text to yt-dlp, so that the duration is known before the download and only the
   * playlist that was checked is fetched.
   */
  async #prepareHls(rendition: Rendition): Promise<PreparedRendition> {
    const { pipeline, download, piece, signal } = this.#options;
    const request = {
      url: rendition.url,
      headers: rendition.httpHeaders,
      maxBytes: pipeline.limits.maxPlaylistBytes,
      timeoutMs: pipeline.limits.stallTimeoutMs,
      hostSemaphore: pipeline.hostSemaphore,
    };
    const read = () => download.pauses.run(() => fetchRemoteFile(download.session, request, signal), signal);
    const { body, url } = await read();
    const readAgain = async (): Promise<string> => resolvePlaylist((await read()).body.toString("utf8"), url);
    const text = resolvePlaylist(body.toString("utf8"), url);
    const playlist = readMediaPlaylist(text);
    if (!playlist || playlist.segmentCount === 0)
      throw new ConversionError("unavailable", {
        ...NOT_READABLE,
        detail: `no playlist at ${url}`,
      });
    if (playlist.isOpen && !(await isFinished(text, playlist, readAgain, signal))) throw new ConversionError("live");
    // The limits hold for the part.
    const { secondsBefore = 0 } = piece ?? {};
    if (!download.part) checkDuration(secondsBefore + playlist.durationSeconds, download.limits);
    const { plainAddresses: addresses, plainSeconds: seconds } = playlist;
    return {
      direct: planDirect(rendition, { url, addresses, seconds }),
      segmentCount: playlist.segmentCount,
      format: { ...rawFormatOf(rendition), url, protocol: "m3u8_native", hls_media_playlist_data: text },
      durationSeconds: playlist.durationSeconds,
      hasDiscontinuities: playlist.hasDiscontinuities,
    };
  }

  /** @returns whether it is one file, and its server stated how many bytes it has */
  async #fetchDirectly(plan: DirectPlan, durationSeconds: number | undefined): Promise<boolean> {
    const { download, rendition, onGrowing, readersDone, onFraction, signal } = this.#options;
    await using file = await GrowingFile.create(this.#path);
    await using client = this.#openClient();
    const failed = new AbortController();
    const bounded = AbortSignal.any([signal, failed.signal]);
    onGrowing({ file, rendition, durationSeconds });
    const direct = {
      plan,
      rendition,
      maxBytes: download.maxSourceBytes,
      wantsSpareSpace: download.wantsSpareSpace,
      tooLarge: (bytes: number) => this.#tooLarge(bytes),
      onFraction,
    };
    const both = [downloadDirectly(client, direct, file, bounded).then(() => onFraction(1)), readersDone];
    try {
      await Promise.all(both);
      return plan.kind === "file" && file.expectedBytes !== undefined;
    } catch (error) {
      failed.abort(error);
      await Promise.allSettled(both);
      throw error;
    }
  }

  async #fetchWithYtDlp(format: object): Promise<void> {
    const { download, onFraction, signal } = this.#options;
    using lease = await this.#options.pipeline.extractors?.acquire();
    const pipeline = withExtractor(this.#options.pipeline, lease?.extractor);
    const { folder, session, info } = download;
    const infoPath = `${this.#path}.json`;
    // Without the page's address yt-dlp cannot start an extraction of its own when a download fails.
    await writeFile(infoPath, JSON.stringify({ ...info.base, formats: [{ ...format, format_id: "chosen" }] }));
    const args = [
      ...commonArgs(pipeline, session.proxyUrl),
      `--load-info-json=${infoPath}`,
      "--format=chosen",
      `--output=${this.#path}`,
      "--downloader=native",
      "--abort-on-unavailable-fragments",
      "--no-part",
      "--no-mtime",
      "--quiet",
      "--progress",
      "--newline",
      `--progress-delta=${PROGRESS_SECONDS}`,
      `--progress-template=download:%(progress.{${PROGRESS_FIELDS}})j`,
    ];
    const onLine = (line: string): void => this.#onYtDlpLine(line);
    using disk = watchDisk({
      folder,
      prefix: SOURCE_PREFIX,
      maxBytes: download.maxSourceBytes,
      tooLarge: (bytes) => this.#tooLarge(bytes),
      bytesFetched: () => session.bytesFetched,
    });
    const outcome = await runYtDlp(
      { pipeline, signal: AbortSignal.any([signal, disk.exceeded]) },
      { args, folder, timeoutMs: pipeline.limits.jobTimeoutMs, onLine, way: session.way },
    );
    disk.check();
    if (outcome.exitCode !== 0 || outcome.ending !== "exit")
      throw classifyFetchFailure({ ...outcome, refusals: session.refusals });
    if ((await sizeOrZero(this.#path)) === 0)
      throw new ConversionError("unavailable", { detail: `an empty file\n${outcome.stderrTail}` });
    onFraction(1);
  }

  #onYtDlpLine(line: string): void {
    const { download, rendition, onFraction } = this.#options;
    if (!line.startsWith("{")) return;
    const { data } = ProgressLine.safeParse(JSON.parse(line));
    if (!data) return;
    if ((data.total_bytes ?? 0) > download.maxSourceBytes) throw this.#tooLarge(data.total_bytes ?? 0);
    this.#checkFragments(data.fragment_count ?? 0);
    if (data.fragment_count) onFraction((data.fragment_index ?? 0) / data.fragment_count);
    else {
      const totalBytes = data.total_bytes ?? rendition.sizeBytes;
      if (totalBytes) onFraction(Math.min(1, (data.downloaded_bytes ?? 0) / totalBytes));
    }
  }

  #tooLarge(bytes: number): ConversionError {
    return new ConversionError("too_large", sourceTooLarge(bytes, this.#options.download.limits));
  }

  #checkFragments(count: number): void {
    if (count > this.#options.pipeline.limits.maxFragments)
      throw new ConversionError("too_large", {
        ...TOO_MANY_PIECES,
        detail: `${count} segments`,
      });
  }
}
