/** Converts a link to a verified file: extract, plan, fetch, encode, verify. It knows nothing of jobs and visitors. */
import { open, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ConversionError } from "../../common/errors.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import { isYouTubeHost } from "../../common/hosts.ts";
import type { Format, TierLimits } from "../../common/tiers.ts";
import type { Encode } from "./encode/encode.ts";
import { PictureTask } from "./encode/picture-task.ts";
import { makeMp3, makeMp3WhileFetching } from "./encode/stream-mp3.ts";
import { makeMp4, makeMp4WhileFetching } from "./encode/stream-mp4.ts";
import { fetchSources, type EncodeWhileFetching } from "./fetch-sources.ts";
import type { Pipeline } from "./pipeline.ts";
import { planEncode, type EncodePlan } from "./plan/encode-plan.ts";
import { planFetch, type FetchPlan } from "./plan/fetch-plan.ts";
import { plannedWork } from "./plan/planned-times.ts";
import { extract } from "./probe/extraction.ts";
import { withOtherClients } from "./probe/youtube.ts";
import type { VideoInfo } from "./probe/info.ts";
import type { MediaFile } from "./probe/media-file.ts";
import { ProgressReporter, type ConvertProgress } from "./progress/progress-reporter.ts";
import { verifyResult } from "./verify/verify.ts";

export type { ConvertProgress } from "./progress/progress-reporter.ts";

export interface ConvertRequest {
  /** Accepted by the link policy. */
  readonly url: string;
  readonly format: Format;
  readonly limits: TierLimits;
  /** An empty folder that only this conversion uses; the caller creates and removes it. */
  readonly folder: string;
}

/** Receives what becomes known during a conversion, in this order; progress many times. */
export interface ConvertListener {
  metadata(about: { title: string; durationSeconds?: number }): void;
  /** @param path a JPEG of 320 pixels' width in the folder; not every video has one */
  thumbnail(path: string): void;
  /** @param text a remark on the result, such as "360p to fit 50 MB" */
  note(text: string): void;
  progress(progress: ConvertProgress): void;
  /**
   * Called while the result is written, by those ways of encoding that know which bytes are final.
   * @param final byte range that will not change any more; null when the file is written again from its beginning
   */
  written?(path: string, final: FinalBytes | null): void;
}

export interface ConvertedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly durationSeconds: number;
  readonly note?: string;
  readonly coverPath?: string;
}

/** Advertisements that cannot be skipped are shorter. A site that names a later moment is not believed. */
const LONGEST_ADVERTISEMENT_MS = 120_000;
/** Progress is sent at least this often, even when a tool prints nothing. */
const TICK_MS = 250;

async function flushFile(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

async function checkFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  if (freeBytes < neededBytes)
    throw new ConversionError("storage", { detail: `${freeBytes} bytes free of ${neededBytes} needed` });
}

interface PlannedConversion {
  readonly info: VideoInfo;
  readonly plan: FetchPlan;
  readonly maxSourceBytes: number;
}

/** What the steps after planning have in common. */
interface ConversionContext extends PlannedConversion {
  readonly pipeline: Pipeline;
  readonly request: ConvertRequest;
  readonly listener: ConvertListener;
  readonly reporter: ProgressReporter;
  readonly tags: Encode["tags"];
  /** Resolves with undefined when the video has no picture. Awaited only where the picture goes into the file. */
  readonly coverPath: Promise<string | undefined>;
  readonly outputPath: string;
  readonly onWritten: (final: FinalBytes | null) => void;
}

function encoderFor(context: ConversionContext): EncodeWhileFetching {
  const { pipeline, request, tags, coverPath, outputPath, onWritten } = context;
  const { format, limits } = request;
  return (source, signal) =>
    format === "mp3"
      ? makeMp3WhileFetching(pipeline, { ...source, limits, tags, coverPath, outputPath, onWritten }, signal)
      : makeMp4WhileFetching(pipeline, { ...source, limits, tags, outputPath }, signal);
}

/** Encodes the result from sources that are fetched as a whole. */
async function encodeFetched(
  context: ConversionContext,
  plan: EncodePlan,
  sources: readonly MediaFile[],
  signal: AbortSignal,
): Promise<void> {
  const { pipeline, request, reporter, tags, coverPath, outputPath, onWritten } = context;
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  reporter.expect(plannedWork(plan, sourceBytes));
  reporter.report("convert", 0);
  const onFraction = (fraction: number): void => reporter.report("convert", fraction);
  const work = { limits: request.limits, tags, outputPath, onFraction };
  if (plan.format === "mp3") {
    const source = sources[plan.audio.source];
    if (!source) throw new RangeError("the plan names a source that is not there");
    await makeMp3(pipeline, { ...work, plan, source, coverPath, onWritten }, signal);
    return;
  }
  const stillPath = plan.video.method === "still" ? await coverPath : undefined;
  await makeMp4(pipeline, { ...work, plan, sources, coverPath: stillPath }, signal);
}

type Result = Omit<ConvertedFile, "coverPath">;

/** Fetches the sources and makes the result, at the same time where possible, and verifies it. */
async function makeResult(context: ConversionContext, signal: AbortSignal): Promise<Result> {
  const { pipeline, request, listener, info, plan, maxSourceBytes, reporter, outputPath } = context;
  const { format, limits, folder } = request;
  const encodeWhileFetching = encoderFor(context);
  const fetch = { info, plan, format, limits, folder, maxSourceBytes, reporter, encodeWhileFetching };
  const { sources, finishedPlan } = await fetchSources(pipeline, fetch, signal);
  const encodePlan = finishedPlan ?? planEncode(format, sources, limits);
  const note = (encodePlan.format === "mp4" ? encodePlan.note : undefined) ?? plan.note;
  if (note !== undefined && note !== plan.note) listener.note(note);

  if (!finishedPlan) await encodeFetched(context, encodePlan, sources, signal);
  reporter.report("store", 0);
  // Flushed to the disk while it is verified, so that storing it finds little left to write.
  const verifying = verifyResult(pipeline, outputPath, encodePlan, limits, signal);
  const [verified] = await Promise.all([verifying, flushFile(outputPath)]);
  return { path: outputPath, sizeBytes: verified.sizeBytes, durationSeconds: verified.durationSeconds, note };
}

/** Media that the site listed a moment ago is refused; other clients or exits may be given theirs. */
class MediaRefused extends Error {
  constructor(cause: ConversionError) {
    super("media was refused", { cause });
  }
}

/** @throws MediaRefused instead of "site_blocked" */
async function makeResultOfLink(context: ConversionContext, signal: AbortSignal): Promise<Result> {
  try {
    return await makeResult(context, signal);
  } catch (error) {
    if (error instanceof ConversionError && error.code === "site_blocked" && !error.isTransient)
      throw new MediaRefused(error);
    throw error;
  }
}

/** Waits for the end of an advertisement before the video. @throws `signal.reason` when aborted */
async function untilAvailable({ availableAtMs = 0 }: VideoInfo, signal: AbortSignal): Promise<void> {
  const waitMs = Math.min(LONGEST_ADVERTISEMENT_MS, availableAtMs - Date.now());
  if (waitMs <= 0) return;
  await delay(waitMs, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

/** Extracts the metadata of the link, passes them to the listener, and plans what is fetched. */
async function planConversion(
  { url, format, limits, folder }: ConvertRequest,
  listener: ConvertListener,
  pipeline: Pipeline,
  signal: AbortSignal,
): Promise<PlannedConversion> {
  const { minFreeDiskBytes, maxSourceFactor } = pipeline.limits;
  await checkFreeSpace(folder, minFreeDiskBytes);
  // The estimate for the page has often just read the metadata of this link.
  const info = (await pipeline.extractions?.find(url, signal)) ?? (await extract(pipeline, url, folder, signal));
  const { title, durationSeconds } = info;
  listener.metadata(durationSeconds === undefined ? { title } : { title, durationSeconds });
  const maxSourceBytes = limits.maxFileBytes * maxSourceFactor;
  const plan = planFetch(info, format, limits, maxSourceBytes);
  await checkFreeSpace(folder, minFreeDiskBytes + 2 * (plan.expectedBytes ?? limits.maxFileBytes));
  if (plan.note !== undefined) listener.note(plan.note);
  await untilAvailable(info, signal);
  return { info, plan, maxSourceBytes };
}

async function run(
  request: ConvertRequest,
  listener: ConvertListener,
  pipeline: Pipeline,
  signal: AbortSignal,
): Promise<ConvertedFile> {
  const { format, folder } = request;
  const planned = await planConversion(request, listener, pipeline, signal);
  const { info, plan } = planned;
  // The caller removes the folder next, so the picture must not be written after this function returns.
  await using picture = new PictureTask(pipeline, info, folder, (path) => listener.thumbnail(path), signal);
  const reporter = new ProgressReporter({
    planned: plan.stageSeconds,
    listen: (progress) => listener.progress(progress),
    work: plan.convertWork,
    paces: pipeline.paces,
  });
  using stack = new DisposableStack();
  stack.adopt(
    setInterval(() => reporter.tick(), TICK_MS),
    clearInterval,
  );
  const outputPath = join(folder, `result.${format}`);
  const onWritten = (final: FinalBytes | null): void => listener.written?.(outputPath, final);
  const tags = { title: info.title, artist: info.artist };
  const { coverPath } = picture;
  const result = await makeResultOfLink(
    { pipeline, request, listener, ...planned, reporter, tags, coverPath, outputPath, onWritten },
    signal,
  );
  return { ...result, coverPath: await coverPath };
}

/** Passes a second try on as one with the first: its percentage does not go back. */
function withoutStepsBack(listener: ConvertListener): ConvertListener {
  let highest = 0;
  return {
    metadata: (about) => listener.metadata(about),
    thumbnail: (path) => listener.thumbnail(path),
    note: (text) => listener.note(text),
    progress: (progress) => {
      highest = Math.max(highest, progress.percent);
      listener.progress({ ...progress, percent: highest });
    },
    written: (path, final) => listener.written?.(path, final),
  };
}

/** Runs a conversion; when the site refuses the media, runs it again with a new extraction by other clients. */
async function runWithSecondTry(
  request: ConvertRequest,
  listener: ConvertListener,
  pipeline: Pipeline,
  signal: AbortSignal,
): Promise<ConvertedFile> {
  const steady = withoutStepsBack(listener);
  try {
    return await run(request, steady, pipeline, signal);
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error;
    signal.throwIfAborted();
    const { youtube } = pipeline;
    if (!youtube || !isYouTubeHost(new URL(request.url).hostname)) throw error.cause;
    pipeline.extractions?.forget(request.url);
    const others = { ...pipeline, youtube: withOtherClients(youtube) };
    return await run(request, steady, others, signal).catch((second: unknown) => {
      throw second instanceof MediaRefused ? second.cause : second;
    });
  }
}

/**
 * Runs one conversion. When it settles, none of its processes is left.
 * @returns the verified file in the request's folder
 * @throws ConversionError when the conversion itself fails, with the tools' output in its `detail`
 * @throws `signal.reason` when aborted
 */
export async function convert(
  request: ConvertRequest,
  listener: ConvertListener,
  pipeline: Pipeline,
  signal: AbortSignal,
): Promise<ConvertedFile> {
  const timeLimit = AbortSignal.timeout(pipeline.limits.jobTimeoutMs);
  const share = pipeline.cores?.enter();
  try {
    return await runWithSecondTry(request, listener, pipeline, AbortSignal.any([signal, timeLimit]));
  } catch (error) {
    signal.throwIfAborted();
    // Addresses of renditions expire, so another attempt has to ask for them again.
    pipeline.extractions?.forget(request.url);
    if (timeLimit.aborted)
      throw new ConversionError("timeout", { message: "Converting this video took too long.", isTransient: false });
    if (error instanceof ConversionError) throw error;
    const isDiskFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
    throw new ConversionError(isDiskFull ? "storage" : "internal", { detail: String(error), cause: error });
  } finally {
    share?.[Symbol.dispose]();
  }
}
