/**
 * From a link to a verified file: extract, plan, fetch, encode, verify. It knows processes and files;
 * who asked, and what becomes of the file, is the caller's.
 */
import { open, statfs } from "node:fs/promises";
import { join } from "node:path";
import { ConversionError } from "../../common/errors.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import type { Format, TierLimits } from "../../common/tiers.ts";
import { fetchRenditions, type GrowingRendition } from "./fetch/download.ts";
import { planEncode, type EncodePlan } from "./plan/encode-plan.ts";
import { extract } from "./probe/extraction.ts";
import { planFetch, type FetchPlan } from "./plan/fetch-plan.ts";
import type { VideoInfo } from "./probe/info.ts";
import { inspectMedia, type MediaFile } from "./probe/media-file.ts";
import { makePicture } from "./encode/picture.ts";
import type { Pipeline } from "./pipeline.ts";
import { plannedWork } from "./plan/planned-times.ts";
import { ProgressReporter, type ConvertProgress } from "./progress/progress-reporter.ts";
import { SpeedMeter } from "./progress/speed-meter.ts";
import { watchStall } from "./guard/stall-watch.ts";
import { makeMp3, makeMp3Early } from "./encode/stream-mp3.ts";
import { makeMp4, makeMp4Early } from "./encode/stream-mp4.ts";
import { checkWhole, verifyResult } from "./verify/verify.ts";

export type { ConvertProgress } from "./progress/progress-reporter.ts";

export interface ConvertRequest {
  /** Accepted by the link policy. */
  readonly url: string;
  readonly format: Format;
  readonly limits: TierLimits;
  /** The conversion's own, empty; given and removed by the caller. */
  readonly folder: string;
}

/** Hears of what becomes known on the way; called in this order, progress many times. */
export interface ConvertListener {
  metadata(about: { title: string; durationSeconds?: number }): void;
  /** A JPEG of 320 pixels' width in the folder; not every video has one. */
  thumbnail(path: string): void;
  /** A remark on the result, such as "360p to fit 50 MB". */
  note(text: string): void;
  progress(progress: ConvertProgress): void;
  /**
   * How much of the result will not change any more, while it is being written, for whoever wants to take
   * it ahead; only of ways that know. Null: it is written anew from its beginning.
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

/** Somebody who watches hears from us as often, whatever the tools are about. */
const TICK_MS = 250;

async function flushFile(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}

async function checkFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < neededBytes) throw new ConversionError("storage", { detail: `${bavail * bsize} bytes free of ${neededBytes} needed` });
}

/** What was fetched and, where both could be done at once, by which plan the result is made of it already. */
interface Fetched {
  readonly sources: readonly MediaFile[];
  readonly madePlan?: EncodePlan;
}

interface Fetching {
  readonly request: ConvertRequest;
  readonly info: VideoInfo;
  readonly plan: FetchPlan;
  readonly maxSourceBytes: number;
  readonly reporter: ProgressReporter;
  readonly makeEarly: MakeEarly;
}

/** Makes the result of what is still coming. Returns the plan it was made by; undefined where it has to be waited for. */
type MakeEarly = (early: Early, signal: AbortSignal) => Promise<EncodePlan | undefined>;

interface Early {
  readonly growing: readonly GrowingRendition[];
  /** What the site says of the length. */
  readonly siteSeconds: number | undefined;
  /** Called when it is known what is to be done with so many bytes, whether that is begun at once or not. */
  readonly foreseen: (plan: EncodePlan, sizeBytes: number) => void;
  /** Called once it is known that it can be. */
  readonly begun: () => void;
  /** 0 to 1. */
  readonly onFraction: (fraction: number) => void;
}

/** Of a sum of fractions. */
const ALL = 1 - 1e-9;

/** Fetches what the plan names and looks into it; what comes is made into the result at once where its container allows. */
async function fetchSources(pipeline: Pipeline, fetching: Fetching, signal: AbortSignal): Promise<Fetched> {
  const { request, info, plan, maxSourceBytes, reporter, makeEarly } = fetching;
  const { limits, folder } = request;
  using session = pipeline.guard.open(maxSourceBytes);
  using watch = watchStall(session, pipeline.limits.stallTimeoutMs);
  const speed = new SpeedMeter();
  const bounded = AbortSignal.any([signal, session.exceeded, watch.stalled]);
  const siteSeconds = info.isGeneric ? undefined : info.durationSeconds;
  let early: "open" | "begun" | "no" = "open";
  let [madePlan, made, fetchedFraction]: [EncodePlan | undefined, number, number] = [undefined, 0, 0];
  const report = (): void => {
    const bytesPerSecond = fetchedFraction < 1 ? speed.measure(session.bytesFetched) : undefined;
    // Sound is nearly always made as it comes; of a video its beginning tells first.
    if (early === "begun" || (early === "open" && request.format === "mp3")) reporter.reportOverlapped(fetchedFraction, made, bytesPerSecond);
    else reporter.report("download", fetchedFraction, bytesPerSecond);
  };
  report();
  const onProgress = (fraction: number): void => {
    fetchedFraction = fraction >= ALL ? 1 : fraction;
    // What is encoded from here on waits for no bytes.
    if (fetchedFraction === 1) watch[Symbol.dispose]();
    report();
  };
  const onGrowing = async (growing: readonly GrowingRendition[] | undefined): Promise<void> => {
    const foreseen: Early["foreseen"] = (about, sizeBytes) => reporter.expect(plannedWork(about, sizeBytes));
    const begun = (): void => void (early = "begun");
    const onFraction = (fraction: number): void => {
      made = Math.max(made, fraction);
      report();
    };
    madePlan = growing && (await makeEarly({ growing, siteSeconds, foreseen, begun, onFraction }, bounded));
    if (!madePlan) early = "no";
  };
  const { renditions } = plan;
  const fetched = await fetchRenditions(pipeline, { info, renditions, limits, maxSourceBytes, folder, session, onProgress, onGrowing }, bounded);
  if (madePlan) return { sources: [], madePlan };
  const sources = await Promise.all(fetched.map(({ path }) => inspectMedia(pipeline, path, signal)));
  for (const [position, source] of sources.entries()) checkWhole(source, fetched[position]?.durationSeconds ?? siteSeconds);
  return { sources };
}

async function run(request: ConvertRequest, listener: ConvertListener, pipeline: Pipeline, signal: AbortSignal): Promise<ConvertedFile> {
  const { url, format, limits, folder } = request;
  const { minFreeDiskBytes, maxSourceFactor } = pipeline.limits;
  await checkFreeSpace(folder, minFreeDiskBytes);

  // What somebody has just looked at need not be read again.
  const info = (await pipeline.extractions?.find(url, signal)) ?? (await extract(pipeline, url, folder, signal));
  listener.metadata({ title: info.title, ...(info.durationSeconds === undefined ? {} : { durationSeconds: info.durationSeconds }) });
  const maxSourceBytes = limits.maxFileBytes * maxSourceFactor;
  const plan = planFetch(info, format, limits, maxSourceBytes);
  await checkFreeSpace(folder, minFreeDiskBytes + 2 * (plan.expectedBytes ?? limits.maxFileBytes));
  if (plan.note !== undefined) listener.note(plan.note);

  const pictureAbort = new AbortController();
  const picture = makePicture(pipeline, info, folder, AbortSignal.any([signal, pictureAbort.signal])).then((made) => {
    if (made) listener.thumbnail(made.thumbnailPath);
    return made;
  });
  // Awaited further down; it may fail before.
  picture.catch(() => undefined);
  try {
    const reporter = new ProgressReporter({
      planned: plan.stageSeconds,
      listen: (progress) => listener.progress(progress),
      ...(plan.convertWork === undefined ? {} : { work: plan.convertWork }),
      ...(pipeline.paces ? { paces: pipeline.paces } : {}),
    });
    using stack = new DisposableStack();
    stack.adopt(setInterval(() => reporter.tick(), TICK_MS), clearInterval);
    const outputPath = join(folder, `result.${format}`);
    const onWritten = (final: FinalBytes | null): void => listener.written?.(outputPath, final);
    const tags = { title: info.title, ...(info.artist === undefined ? {} : { artist: info.artist }) };
    // Only what goes into the file is waited for; a slow picture does not hold up a video.
    const coverPath = picture.then((made) => made?.coverPath);
    coverPath.catch(() => undefined);
    const makeEarly: MakeEarly = (early, bounded) =>
      format === "mp3"
        ? makeMp3Early(pipeline, { ...early, limits, tags, coverPath, outputPath, onWritten }, bounded)
        : makeMp4Early(pipeline, { ...early, limits, tags, outputPath }, bounded);
    const { sources, madePlan } = await fetchSources(pipeline, { request, info, plan, maxSourceBytes, reporter, makeEarly }, signal);
    const encodePlan = madePlan ?? planEncode(format, sources, limits);
    const note = (encodePlan.format === "mp4" ? encodePlan.note : undefined) ?? plan.note;
    if (note !== undefined && note !== plan.note) listener.note(note);

    if (!madePlan) {
      reporter.expect(plannedWork(encodePlan, sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)));
      reporter.report("convert", 0);
      const onFraction = (fraction: number): void => reporter.report("convert", fraction);
      const work = { limits, tags, outputPath, onFraction };
      if (encodePlan.format === "mp3") {
        const source = sources[encodePlan.audio.source];
        if (!source) throw new RangeError("the plan names a source that is not there");
        await makeMp3(pipeline, { ...work, plan: encodePlan, source, coverPath, onWritten }, signal);
      } else await makeMp4(pipeline, { ...work, plan: encodePlan, sources, coverPath: encodePlan.video.method === "still" ? await coverPath : undefined }, signal);
    }
    reporter.report("store", 0);
    // To the disk while it is looked at: whoever stores it finds little left to write.
    const [{ sizeBytes, durationSeconds }] = await Promise.all([verifyResult(pipeline, outputPath, encodePlan, limits, signal), flushFile(outputPath)]);
    const made = await picture;
    return {
      path: outputPath,
      sizeBytes,
      durationSeconds,
      ...(note === undefined ? {} : { note }),
      ...(made ? { coverPath: made.coverPath } : {}),
    };
  } finally {
    // Nothing of ours may still write into the folder once the caller has it back.
    pictureAbort.abort();
    await Promise.allSettled([picture]);
  }
}

/**
 * Throws ConversionError for whatever is the conversion's own failure, with what the tools said in its
 * `detail`, and `signal.reason` when aborted. In any case no process of it is left.
 */
export async function convert(request: ConvertRequest, listener: ConvertListener, pipeline: Pipeline, signal: AbortSignal): Promise<ConvertedFile> {
  const timeLimit = AbortSignal.timeout(pipeline.limits.jobTimeoutMs);
  const share = pipeline.cores?.enter();
  try {
    return await run(request, listener, pipeline, AbortSignal.any([signal, timeLimit]));
  } catch (error) {
    signal.throwIfAborted();
    // Addresses of renditions grow old: another attempt asks for them anew.
    pipeline.extractions?.forget(request.url);
    if (timeLimit.aborted) throw new ConversionError("timeout", { message: "Converting this video took too long.", isTransient: false });
    if (error instanceof ConversionError) throw error;
    const isDiskFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
    throw new ConversionError(isDiskFull ? "storage" : "internal", { detail: String(error), cause: error });
  } finally {
    share?.[Symbol.dispose]();
  }
}
