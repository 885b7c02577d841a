/**
 * From a link to a verified file: extract, plan, fetch, encode, verify. It knows processes and files;
 * who asked, and what becomes of the file, is the caller's.
 */
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { ConversionError } from "../../common/errors.ts";
import type { Format, TierLimits } from "../../common/tiers.ts";
import { fetchRenditions } from "./download.ts";
import { runEncode } from "./encode.ts";
import { planEncode, type Mp3Plan } from "./encode-plan.ts";
import { extract } from "./extraction.ts";
import { planFetch, type FetchPlan } from "./fetch-plan.ts";
import type { VideoInfo } from "./info.ts";
import type { GrowingFile } from "./fetch/growing-file.ts";
import { inspectMedia, type MediaFile } from "./media-file.ts";
import type { FinalBytes } from "./mp3/parallel-encode.ts";
import { makePicture } from "./picture.ts";
import type { Pipeline } from "./pipeline.ts";
import { ProgressReporter, type ConvertProgress } from "./progress-reporter.ts";
import { SpeedMeter } from "./speed-meter.ts";
import { watchStall } from "./stall-watch.ts";
import { inspectHead, makeMp3, planFromHead, promisedSeconds } from "./stream-mp3.ts";
import { checkWhole, verifyResult } from "./verify.ts";

export type { ConvertProgress } from "./progress-reporter.ts";

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

async function checkFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < neededBytes) throw new ConversionError("storage", { detail: `${bavail * bsize} bytes free of ${neededBytes} needed` });
}

/** What was fetched and, where both could be done at once, that the MP3 is made of it already. */
interface Fetched {
  readonly sources: readonly MediaFile[];
  readonly mp3Plan?: Mp3Plan;
}

interface Fetching {
  readonly request: ConvertRequest;
  readonly info: VideoInfo;
  readonly plan: FetchPlan;
  readonly maxSourceBytes: number;
  readonly reporter: ProgressReporter;
  /** Makes the MP3 of a source that is known by its beginning. Absent: nothing is made before all is fetched. */
  readonly encodeEarly?: (head: MediaFile, plan: Mp3Plan, growing: GrowingFile, onFraction: (fraction: number) => void, signal: AbortSignal) => Promise<void>;
}

/** Fetches what the plan names and looks into it; sound is encoded as it comes where its container allows. */
async function fetchSources(pipeline: Pipeline, fetching: Fetching, signal: AbortSignal): Promise<Fetched> {
  const { request, info, plan, maxSourceBytes, reporter, encodeEarly } = fetching;
  const { limits, folder } = request;
  using session = pipeline.guard.open(maxSourceBytes);
  using watch = watchStall(session, pipeline.limits.stallTimeoutMs);
  const speed = new SpeedMeter();
  const bounded = AbortSignal.any([signal, session.exceeded, watch.stalled]);
  let [mp3Plan, encoded, isFetching]: [Mp3Plan | undefined, number, boolean] = [undefined, 0, true];
  const report = (fraction: number): void => {
    const bytesPerSecond = isFetching ? speed.measure(session.bytesFetched) : undefined;
    if (mp3Plan) reporter.reportOverlapped(encoded, isFetching, bytesPerSecond);
    else reporter.report("download", encodeEarly ? 0 : fraction, bytesPerSecond);
  };
  report(0);
  const onProgress = (fraction: number): void => {
    if (fraction >= 1) {
      isFetching = false;
      // What is encoded from here on waits for no bytes.
      watch[Symbol.dispose]();
    }
    report(fraction);
  };
  const onGrowing = async (growing: GrowingFile, manifestSeconds: number | undefined): Promise<void> => {
    const head = await inspectHead(pipeline, growing, bounded);
    const durationSeconds = head && promisedSeconds(head, manifestSeconds ?? (info.isGeneric ? undefined : info.durationSeconds));
    mp3Plan = head && durationSeconds !== undefined ? planFromHead(head, durationSeconds, limits) : undefined;
    if (!head || !mp3Plan || !encodeEarly) return;
    const onFraction = (fraction: number): void => {
      encoded = Math.max(encoded, fraction);
      report(1);
    };
    await encodeEarly(head, mp3Plan, growing, onFraction, bounded);
  };
  const fetched = await fetchRenditions(
    pipeline,
    {
      info,
      renditions: plan.renditions,
      limits,
      maxSourceBytes,
      folder,
      session,
      onProgress,
      ...(encodeEarly && plan.renditions.length === 1 ? { onGrowing } : {}),
    },
    bounded,
  );
  if (mp3Plan) return { sources: [], mp3Plan };
  const sources = await Promise.all(fetched.map(({ path }) => inspectMedia(pipeline, path, signal)));
  for (const [position, source] of sources.entries())
    checkWhole(source, fetched[position]?.durationSeconds ?? (info.isGeneric ? undefined : info.durationSeconds));
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
    const reporter = new ProgressReporter(plan.stageSeconds, (progress) => listener.progress(progress));
    using stack = new DisposableStack();
    stack.adopt(setInterval(() => reporter.tick(), TICK_MS), clearInterval);
    const outputPath = join(folder, `result.${format}`);
    const onWritten = (final: FinalBytes | null): void => listener.written?.(outputPath, final);
    const tags = { title: info.title, ...(info.artist === undefined ? {} : { artist: info.artist }) };
    // Only what goes into the file is waited for; a slow picture does not hold up a video.
    const coverPath = picture.then((made) => made?.coverPath);
    coverPath.catch(() => undefined);
    const encodeEarly: Fetching["encodeEarly"] = (source, mp3Plan, growing, onFraction, bounded) =>
      makeMp3(pipeline, { plan: mp3Plan, limits, source, growing, tags, coverPath, outputPath, onFraction, onWritten }, bounded);
    const fetching = { request, info, plan, maxSourceBytes, reporter, ...(format === "mp3" ? { encodeEarly } : {}) };
    const { sources, mp3Plan } = await fetchSources(pipeline, fetching, signal);
    const encodePlan = mp3Plan ?? planEncode(format, sources, limits);
    const note = (encodePlan.format === "mp4" ? encodePlan.note : undefined) ?? plan.note;
    if (note !== undefined && note !== plan.note) listener.note(note);

    if (!mp3Plan) {
      reporter.report("convert", 0);
      const onFraction = (fraction: number): void => reporter.report("convert", fraction);
      if (encodePlan.format === "mp3") {
        const source = sources[encodePlan.audio.source];
        if (!source) throw new RangeError("the plan names a source that is not there");
        await makeMp3(pipeline, { plan: encodePlan, limits, source, tags, coverPath, outputPath, onFraction, onWritten }, signal);
      } else {
        const encode = { plan: encodePlan, sources, tags, coverPath: encodePlan.video.method === "still" ? await coverPath : undefined, outputPath };
        await runEncode(pipeline, { ...encode, maxFileBytes: limits.maxFileBytes }, onFraction, signal);
      }
    }
    reporter.report("store", 0);
    const { sizeBytes, durationSeconds } = await verifyResult(pipeline, outputPath, encodePlan, limits, signal);
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
