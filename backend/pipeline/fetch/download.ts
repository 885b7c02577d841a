/** Fetches the chosen renditions, side by side, from what the one extraction found. */
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ConversionError } from "../../../common/errors.ts";
import type { TierLimits } from "../../../common/tiers.ts";
import { classifyFetchFailure } from "../errors/classify.ts";
import type { GuardSession } from "../guard/egress-guard.ts";
import { estimateBytes } from "../plan/fetch-plan.ts";
import { checkDuration } from "../plan/plan-bounds.ts";
import { downloadDirectly, planDirect, type DirectPlan } from "./direct-download.ts";
import { GrowingFile } from "./growing-file.ts";
import { MediaClient } from "./media-client.ts";
import { readMediaPlaylist } from "./hls-playlist.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import type { Pipeline } from "../pipeline.ts";
import { fetchRemoteFile } from "./remote-file.ts";
import { sourceTooLargeMessage } from "../errors/wording.ts";
import { commonArgs, runYtDlp } from "../probe/yt-dlp.ts";

export interface Download {
  readonly info: VideoInfo;
  readonly renditions: readonly Rendition[];
  readonly limits: TierLimits;
  /** What all of them together may take. */
  readonly maxSourceBytes: number;
  readonly folder: string;
  readonly session: GuardSession;
  /** Fraction of all bytes, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  /**
   * Called once, when fetching has begun: with all of them if each can be read while it grows, else with nothing.
   * They count as fetched when what this returns has settled too.
   */
  readonly onGrowing?: (growing: readonly GrowingRendition[] | undefined) => Promise<void>;
}

export interface GrowingRendition {
  readonly file: GrowingFile;
  readonly rendition: Rendition;
  /** What its manifest promises. */
  readonly durationSeconds?: number;
}

/** How one of several is fetched, and what is done meanwhile with all of them. */
interface Meanwhile {
  /** Hears how this one is fetched; called once. */
  readonly begun: (growing: GrowingRendition | undefined) => void;
  readonly done: Promise<void>;
}

export interface FetchedRendition {
  readonly path: string;
  /** What its manifest promises. */
  readonly durationSeconds?: number;
}

/** Assumed of a rendition whose size nobody states: sound is about a fifth of a video. */
const UNKNOWN_WEIGHT = { video: 4, audio: 1 } as const;

const PROGRESS_FIELDS = "downloaded_bytes,total_bytes,fragment_index,fragment_count";
const PROGRESS_SECONDS = 0.2;

const figure = z.number().nullish();
const ProgressLine = z.object({ downloaded_bytes: figure, total_bytes: figure, fragment_index: figure, fragment_count: figure });

function checkFragments(count: number, pipeline: Pipeline): void {
  if (count > pipeline.limits.maxFragments)
    throw new ConversionError("too_large", { message: "This video comes in more pieces than can be fetched.", detail: `${count} segments` });
}

interface Prepared {
  readonly format: object;
  /** Absent: the extractor has to fetch it. */
  readonly direct: DirectPlan | undefined;
  readonly durationSeconds?: number;
}

/**
 * A rendition as yt-dlp takes it back. Of HLS the playlist is read here and handed over, so that its
 * length is known first and what was judged is what is fetched.
 */
async function prepare(pipeline: Pipeline, { session, limits }: Download, rendition: Rendition, signal: AbortSignal): Promise<Prepared> {
  checkFragments(rendition.fragmentCount ?? 0, pipeline);
  if (rendition.delivery !== "hls") {
    const { durationSeconds } = rendition;
    return { format: rendition.raw, direct: planDirect(rendition), ...(durationSeconds === undefined ? {} : { durationSeconds }) };
  }
  const { maxPlaylistBytes, stallTimeoutMs } = pipeline.limits;
  const request = { url: rendition.url, headers: rendition.httpHeaders, maxBytes: maxPlaylistBytes, timeoutMs: stallTimeoutMs, hostSemaphore: pipeline.hostSemaphore };
  const { body, url } = await fetchRemoteFile(session, request, signal);
  const text = body.toString("utf8");
  const playlist = readMediaPlaylist(text);
  if (!playlist || playlist.segmentCount === 0)
    throw new ConversionError("unavailable", { message: "What this link leads to is not a video that can be read.", detail: `no playlist at ${url}` });
  if (playlist.isOpen) throw new ConversionError("live");
  checkDuration(playlist.durationSeconds, limits);
  checkFragments(playlist.segmentCount, pipeline);
  return {
    direct: planDirect(rendition, { url, addresses: playlist.plainAddresses }),
    format: { ...rendition.raw, url, protocol: "m3u8_native", hls_media_playlist_data: text },
    durationSeconds: playlist.durationSeconds,
  };
}

async function fetchOne(
  pipeline: Pipeline,
  download: Download,
  position: number,
  meanwhile: Meanwhile,
  onFraction: (fraction: number) => void,
  signal: AbortSignal,
): Promise<FetchedRendition> {
  const { folder, session, info, maxSourceBytes, limits } = download;
  const rendition = download.renditions[position];
  if (!rendition) throw new RangeError(`there is no rendition ${position}`);
  const { format, direct, durationSeconds } = await prepare(pipeline, download, rendition, signal);
  const [path, infoPath] = [join(folder, `source-${position}`), join(folder, `source-${position}.json`)];
  if (direct) {
    const tooLarge = (bytes: number): ConversionError => new ConversionError("too_large", { message: sourceTooLargeMessage(bytes, limits) });
    await using file = await GrowingFile.create(path);
    await using client = new MediaClient(session, pipeline.hostSemaphore);
    const failed = new AbortController();
    const bounded = AbortSignal.any([signal, failed.signal]);
    meanwhile.begun({ file, rendition, ...(durationSeconds === undefined ? {} : { durationSeconds }) });
    const both = [
      downloadDirectly(client, { plan: direct, rendition, maxBytes: maxSourceBytes, tooLarge, onFraction }, file, bounded).then(() => onFraction(1)),
      meanwhile.done,
    ];
    try {
      await Promise.all(both);
    } catch (error) {
      failed.abort(error);
      await Promise.allSettled(both);
      throw error;
    }
    return durationSeconds === undefined ? { path } : { path, durationSeconds };
  }
  meanwhile.begun(undefined);
  // Without the page's address yt-dlp cannot start over with an extraction of its own when a download fails.
  await writeFile(infoPath, JSON.stringify({ ...info.base, formats: [{ ...format, format_id: "chosen" }] }));

  const onLine = (line: string): void => {
    if (!line.startsWith("{")) return;
    const { data } = ProgressLine.safeParse(JSON.parse(line));
    if (!data) return;
    if ((data.total_bytes ?? 0) > maxSourceBytes)
      throw new ConversionError("too_large", { message: sourceTooLargeMessage(data.total_bytes ?? 0, limits) });
    checkFragments(data.fragment_count ?? 0, pipeline);
    if (data.fragment_count) onFraction((data.fragment_index ?? 0) / data.fragment_count);
    else {
      const totalBytes = data.total_bytes ?? rendition.sizeBytes;
      if (totalBytes) onFraction(Math.min(1, (data.downloaded_bytes ?? 0) / totalBytes));
    }
  };
  const args = [
    ...commonArgs(pipeline, session.proxyUrl),
    `--load-info-json=${infoPath}`,
    "--format=chosen",
    `--output=${path}`,
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
  const outcome = await runYtDlp(pipeline, { args, folder, timeoutMs: pipeline.limits.jobTimeoutMs, onLine }, signal);
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyFetchFailure({ ...outcome, refusals: session.refusals });
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size === 0) throw new ConversionError("unavailable", { detail: `an empty file\n${outcome.stderrTail}` });
  onFraction(1);
  return durationSeconds === undefined ? { path } : { path, durationSeconds };
}

/**
 * Resolves with the files in the renditions' order once all are there; when one fails, the others are
 * ended before its error is thrown: ConversionError, or `signal.reason`.
 */
export async function fetchRenditions(pipeline: Pipeline, download: Download, signal: AbortSignal): Promise<FetchedRendition[]> {
  const { renditions } = download;
  const sizes = renditions.map((rendition) => estimateBytes(rendition, rendition.durationSeconds ?? download.info.durationSeconds));
  const areSizesKnown = sizes.every((bytes) => bytes !== undefined);
  const weights = renditions.map(({ hasVideo }, index) => (areSizesKnown ? (sizes[index] ?? 0) : UNKNOWN_WEIGHT[hasVideo ? "video" : "audio"]));
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);
  const fractions = renditions.map(() => 0);

  const firstFailure = new AbortController();
  const bounded = AbortSignal.any([signal, firstFailure.signal]);
  const begun = renditions.map(() => Promise.withResolvers<GrowingRendition | undefined>());
  const done = Promise.all(begun.map(({ promise }) => promise)).then(async (growing) => {
    const all = growing.filter((one) => one !== undefined);
    await download.onGrowing?.(all.length === growing.length ? all : undefined);
  });
  // Awaited by each that grows.
  done.catch(() => undefined);
  const running = renditions.map(async (_, position) => {
    const tell = (growing: GrowingRendition | undefined): void => begun[position]?.resolve(growing);
    const onFraction = (fraction: number): void => {
      fractions[position] = Math.max(fractions[position] ?? 0, fraction);
      download.onProgress(fractions.reduce((sum, done, index) => sum + (done * (weights[index] ?? 0)) / totalWeight, 0));
    };
    try {
      return await fetchOne(pipeline, download, position, { begun: tell, done }, onFraction, bounded);
    } catch (error) {
      tell(undefined);
      firstFailure.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(running);
  signal.throwIfAborted();
  firstFailure.signal.throwIfAborted();
  return Promise.all(running);
}
