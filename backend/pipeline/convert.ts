/** Converts a link to a verified file: extract, plan, fetch, encode, verify. It knows nothing of jobs and visitors. */
import { join } from "node:path";
import { ConversionError } from "../../common/errors.ts";
import { findingsOf, type Findings } from "../../common/findings.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import type { Part } from "../../common/choices.ts";
import { isYouTubeLink } from "../../common/hosts.ts";
import { flushFile } from "../tool-files/tool-files.ts";
import type { ConversionWork, ConvertedFile, ConvertListener, EarlyCopy, MediaRequest } from "./conversion.ts";
import { cutStored } from "./cut-stored.ts";
import type { Encode } from "./encode/encode.ts";
import { PictureTask } from "./encode/picture-task.ts";
import { makeChapterFiles } from "./encode/chapter-files.ts";
import { makeFromFiles } from "./encode/make-result.ts";
import { makeMp3WhileFetching } from "./encode/stream-mp3.ts";
import { makeMp4WhileFetching } from "./encode/stream-mp4.ts";
import { fetchSources, type EncodeWhileFetching } from "./fetch-sources.ts";
import { withMediaRefusals, MediaRefused, untilAvailable } from "./media-refusal.ts";
import { findInPart, findWhatIsThere, mayHaveHoles, type Material } from "./verify/what-is-there.ts";
import type { Pipeline } from "./pipeline.ts";
import { planEncode, type EncodePlan } from "./plan/encode-plan.ts";
import { findShortfall } from "./plan/shortfall.ts";
import { planChoices, type FetchPlan } from "./plan/fetch-plan.ts";
import { plannedWork } from "./plan/planned-times.ts";
import { checkFreeSpace } from "./process/free-space.ts";
import { withinBounds } from "./process/within-bounds.ts";
import { aboutVideo, pageOf, readVideo } from "./read-video.ts";
import { makeTranscript } from "./transcript.ts";
import { afterRefusedMedia } from "./probe/youtube.ts";
import { chaptersOfResult, withSponsored } from "./probe/chapters.ts";
import type { VideoInfo } from "./probe/info.ts";
import { fetchSubtitles } from "./subtitles/fetch-subtitles.ts";
import { chosenSubtitles, type SubtitleSource } from "./probe/subtitle-list.ts";
import { withAlbum, withChosenTags, withPart } from "./probe/tags.ts";
import type { MediaFile } from "./probe/media-file.ts";
import { ProgressReporter } from "./progress/progress-reporter.ts";
import { sponsoredSpans } from "./sponsors/segments.ts";
import { findWanted } from "./sponsors/sponsor-block.ts";
import { verifyMade } from "./verify/verify-made.ts";

export type { ConvertedFile, ConvertListener, ConvertRequest, EarlyCopy } from "./conversion.ts";
export type { ConvertProgress } from "./progress/progress-reporter.ts";

interface PlannedConversion {
  /** Absent: none are wanted. */
  readonly subtitleSource: SubtitleSource | undefined;
  readonly info: VideoInfo;
  readonly plan: FetchPlan;
  readonly maxSourceBytes: number;
}

/** What the steps after planning have in common. */
interface ConversionContext extends PlannedConversion, ConversionWork<MediaRequest> {
  readonly reporter: ProgressReporter;
  readonly tags: Encode["tags"];
  readonly subtitles: Encode["subtitles"];
  /** Resolves with undefined when the video has no picture. */
  readonly coverPath: Promise<string | undefined>;
  readonly outputPath: string;
  readonly onWritten: (final: FinalBytes | null) => void;
}

function encoderFor(context: ConversionContext): EncodeWhileFetching {
  const { format, choices, limits } = context.request;
  const onEarlyCopy = (copy: EarlyCopy): void => context.listener.earlyCopy?.(copy);
  // The files of chapters are found by seeking, and what is cut out is known only of a complete source.
  if (choices?.chapterFiles || context.plan.cuts) return () => Promise.resolve(undefined);
  switch (format) {
    case "mp3":
      return (source, signal) => makeMp3WhileFetching({ ...context, ...source, limits, signal });
    case "mp4":
      return (source, signal) => makeMp4WhileFetching({ ...context, ...source, limits, onEarlyCopy, signal });
    // Writing them takes hardly any time once the source is there.
    case "original":
    case "flac":
    case "wav":
      return () => Promise.resolve(undefined);
  }
}

/** Encodes the result from sources that are fetched as a whole. */
async function encodeFetched(
  context: ConversionContext,
  plan: EncodePlan,
  sources: readonly MediaFile[],
): Promise<void> {
  const { request, reporter } = context;
  // Not every way of encoding says that it writes the file anew.
  context.onWritten(null);
  const sourceBytes = sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  reporter.expect(plannedWork(plan, sourceBytes));
  reporter.report("convert", 0);
  const onFraction = (fraction: number): void => reporter.report("convert", fraction);
  await makeFromFiles({ ...context, plan, sources, limits: request.limits, onFraction });
}

type Result = Omit<ConvertedFile, "coverPath">;

/** Makes an archive with one file for each chapter. */
async function makeChapters(context: ConversionContext, sources: readonly MediaFile[]): Promise<Result> {
  const { request, listener, reporter, info, outputPath: path } = context;
  const { format, limits, folder, choices } = request;
  let isShort = context.plan.shortfall !== undefined;
  const { sizeBytes, durationSeconds, plan } = await makeChapterFiles({
    ...context,
    format,
    sources,
    limits,
    chosenTags: choices?.tags,
    folder,
    onPlanned: (planned) => reporter.expect(planned),
    onFraction: (fraction) => reporter.report("convert", fraction),
    onShortfall: (shortfall) => {
      isShort = true;
      listener.found({ shortfall });
    },
  });
  reporter.report("store", 0);
  await flushFile(path);
  tell(context, plan, { shortfall: isShort ? undefined : findShortfall(plan, info, limits) });
  return { path, sizeBytes, durationSeconds };
}

/** Tells what is found out by the plan of the result. */
function tell({ listener }: ConversionWork, plan: EncodePlan, found: Findings): void {
  const fileKind = plan.format === "original" ? plan.fileKind : undefined;
  const known = findingsOf({ ...found, fileKind });
  if (Object.keys(known).length > 0) listener.found(known);
}

/** @returns whether the picture is copied as it is, and that is interlaced */
function staysInterlaced(plan: EncodePlan): boolean {
  return plan.format === "mp4" && plan.video.method === "copy" && plan.video.stream.firstField !== undefined;
}

/** Verifies a result that is there. */
async function verifyFile(
  context: ConversionContext,
  plan: EncodePlan,
  sources: readonly MediaFile[],
): Promise<Result> {
  const { request, reporter, outputPath: path } = context;
  reporter.report("store", 0);
  // Flushed to the disk while it is verified, so that storing it finds little left to write.
  const verifying = verifyMade(context, path, plan, sources, request.limits);
  const [{ sizeBytes, durationSeconds }] = await Promise.all([verifying, flushFile(path)]);
  return { path, sizeBytes, durationSeconds };
}

/** Tells what the plan of the result leaves out. */
function tellPlan(context: ConversionContext, plan: EncodePlan): void {
  const { info, request, plan: fetchPlan } = context;
  const reduced = plan.format === "mp4" ? plan.shortfall : undefined;
  const shortfall = reduced ?? (fetchPlan.shortfall ? undefined : findShortfall(plan, info, request.limits));
  tell(context, plan, { shortfall, interlaced: staysInterlaced(plan) || undefined });
}

/** Makes the result of sources that are there as a whole, and verifies it. */
async function makeFrom(context: ConversionContext, { sources, part }: Material): Promise<Result> {
  const { request, plan } = context;
  if (request.choices?.chapterFiles) return makeChapters(context, sources);
  const encodePlan = planEncode(request.format, sources, request.limits, part, { spans: plan.cuts });
  tellPlan(context, encodePlan);
  await encodeFetched(context, encodePlan, sources);
  return verifyFile(context, encodePlan, sources);
}

/** Fetches the sources and makes the result, at the same time where possible, and verifies it. */
async function makeResult(context: ConversionContext): Promise<Result> {
  const { request, plan } = context;
  const { format } = request;
  const { sources, finishedPlan } = await fetchSources(context, encoderFor(context));
  if (finishedPlan) {
    tellPlan(context, finishedPlan);
    return verifyFile(context, finishedPlan, sources);
  }
  const { part } = plan;
  const hasHoles = part !== undefined && sources.some(mayHaveHoles);
  const material = hasHoles ? await findInPart(context, format, { sources, part }) : { sources, part };
  try {
    return await makeFrom(context, material);
  } catch (error) {
    return await makeFrom(context, await findWhatIsThere(context, format, material, error));
  }
}

/** Fetches the subtitles before the media, because they are written while it is fetched, and makes the result. */
async function withSubtitles(steps: Omit<ConversionContext, "subtitles">): Promise<Result> {
  const { info, subtitleSource } = steps;
  const subtitles = subtitleSource && (await fetchSubtitles(steps, subtitleSource, info.exit));
  return makeResult({ ...steps, subtitles });
}

interface ReadVideo {
  readonly info: VideoInfo;
  /** Sponsored spans of the video; none where the visitor wants nothing done with them. */
  readonly sponsored: readonly Part[];
}

/**
 * Reads the video and what is sponsored in it at the same time.
 * @returns the video with a chapter for each sponsored span where the visitor wants them marked
 */
async function readWithSponsors(work: ConversionWork): Promise<ReadVideo> {
  const { request, listener, pipeline, signal } = work;
  const [info, segments] = await Promise.all([readVideo(work), findWanted(pipeline.sponsorBlock, request, signal)]);
  if (segments === "unknown") listener.found({ sponsorsUnknown: true });
  const { chapters = [], durationSeconds } = info;
  const sponsored = segments === "unknown" ? [] : sponsoredSpans(segments, durationSeconds);
  if (request.choices?.sponsored !== "mark" || sponsored.length === 0) return { info, sponsored };
  return { info: { ...info, chapters: withSponsored(chapters, sponsored, durationSeconds) }, sponsored };
}

/** Reads the metadata of the link, passes them to the listener, and plans what is fetched. */
async function planConversion(work: ConversionWork<MediaRequest>): Promise<PlannedConversion> {
  const { request, listener, pipeline } = work;
  const { format, choices, limits, folder } = request;
  const { minFreeDiskBytes, maxSourceFactor } = pipeline.limits;
  const { info, sponsored } = await readWithSponsors(work);
  const maxSourceBytes = limits.maxFileBytes * maxSourceFactor;
  const plan = planChoices(info, format, limits, maxSourceBytes, choices, sponsored);
  const findSubtitles = () => chosenSubtitles(info, choices ?? {});
  const subtitleSource = format === "mp4" ? await withMediaRefusals(work, info, findSubtitles) : undefined;
  if (plan.part || plan.cuts) listener.found(aboutVideo(info, plan.durationSeconds));
  const { expectedBytes = limits.maxFileBytes, resultBytes = 0 } = plan;
  // While the archive is written, each chapter is on the disk twice: as a file and in the archive.
  const copies = choices?.chapterFiles ? 2 : 1;
  await checkFreeSpace(folder, minFreeDiskBytes + expectedBytes + copies * (expectedBytes + resultBytes));
  if (plan.shortfall) listener.found({ shortfall: plan.shortfall });
  return { info, plan, subtitleSource, maxSourceBytes };
}

/** Tells the chapters that a file of sound gets; an archive has a file for each. */
function tellChapters({ request, listener }: ConversionWork<MediaRequest>, { info, plan }: PlannedConversion): void {
  if (request.format === "mp4" || request.choices?.chapterFiles === true) return;
  const { part, cuts, durationSeconds = Infinity } = plan;
  const chapters = chaptersOfResult(info.chapters, { part, cuts, durationSeconds });
  if (chapters.length === 0) return;
  listener.found({ chapters: chapters.map(({ title, startSeconds }) => ({ title, startSeconds })) });
}

async function convertMedia(work: ConversionWork<MediaRequest>): Promise<ConvertedFile> {
  const { request, listener, pipeline } = work;
  const { format, folder } = request;
  const planned = await planConversion(work);
  const { info, plan } = planned;
  tellChapters(work, planned);
  // The caller removes the folder next, so the picture must not be written after this function returns.
  await using picture = new PictureTask(work, info);
  await untilAvailable(work, info);
  const reporter = new ProgressReporter({
    planned: plan.stageSeconds,
    listen: (progress) => listener.progress(progress),
    work: plan.convertWork,
    paces: pipeline.paces,
  });
  using stack = new DisposableStack();
  stack.use(reporter.tickRegularly());
  const outputPath = join(folder, `result.${request.choices?.chapterFiles ? "zip" : format}`);
  const onWritten = (final: FinalBytes | null): void => listener.written?.(outputPath, final);
  // A first try may have written a part of the file.
  onWritten(null);
  const { tags: chosenTags, album, chapterFiles } = request.choices ?? {};
  // The files of chapters are an album of their own.
  const found = chapterFiles ? info.tags : withAlbum(info.tags, album);
  const tags = {
    ...withPart(withChosenTags(found, chosenTags), plan.part, chosenTags),
    link: pageOf(info, request.url),
    chapters: info.chapters,
  };
  const { coverPath } = picture;
  const steps = { ...work, ...planned, reporter, tags, coverPath, outputPath, onWritten };
  const result = await withMediaRefusals(work, info, () => withSubtitles(steps));
  return { ...result, coverPath: await coverPath };
}

function convertOnce(work: ConversionWork): Promise<ConvertedFile> {
  const { format, stored } = work.request;
  if (format === "transcript") return makeTranscript(work);
  const request = { ...work.request, format };
  return stored ? cutStored({ ...work, request }, stored) : convertMedia({ ...work, request });
}

/** Passes a second try on as one with the first: its percentage does not go back, and what was written is void. */
function withoutStepsBack(listener: ConvertListener): ConvertListener {
  let highest = 0;
  let isWritten = false;
  return {
    found: (found) => listener.found(found),
    named: async (video) => listener.named?.(video),
    progress: (progress) => {
      highest = Math.max(highest, progress.percent);
      listener.progress({ ...progress, percent: highest });
    },
    waiting: (untilMs) => listener.waiting?.(untilMs),
    written: (path, final) => {
      if (final === null && !isWritten) return;
      isWritten = final !== null;
      listener.written?.(path, final);
    },
    earlyCopy: (copy) => {
      isWritten = true;
      listener.earlyCopy?.(copy);
    },
  };
}

/** @returns undefined when nothing can be changed for a second try */
async function pipelineForSecondTry(
  pipeline: Pipeline,
  url: string,
  refused: MediaRefused,
): Promise<Pipeline | undefined> {
  const { youtube, extractions } = pipeline;
  const isFromOther = (await extractions?.forgetRefused(pipeline, url, refused.info)) ?? false;
  // The site may give media to the process that extracted it and not to this one.
  if (isFromOther) return pipeline;
  if (!youtube || !isYouTubeLink(url)) return refused.mayHaveEnded ? pipeline : undefined;
  return { ...pipeline, youtube: afterRefusedMedia(youtube, refused.info.exit) };
}

/**
 * @param first why there was a second try
 * @returns what the job ends with: a client that knows of no subtitles does not refute one that was refused them
 */
function finalError({ cause }: MediaRefused, second: unknown): unknown {
  const wereWithheld = cause instanceof ConversionError && cause.reason?.name === "subtitles_not_given";
  if (wereWithheld && second instanceof ConversionError && second.code === "no_subtitles") return cause;
  return second instanceof MediaRefused ? second.cause : second;
}

/** Runs a conversion; when the site does not give the media, runs it again with a new extraction. */
async function convertWithSecondTry(work: ConversionWork): Promise<ConvertedFile> {
  const { request, pipeline, signal } = work;
  const listener = withoutStepsBack(work.listener);
  try {
    return await convertOnce({ ...work, listener });
  } catch (error) {
    if (!(error instanceof MediaRefused)) throw error;
    signal.throwIfAborted();
    const again = await pipelineForSecondTry(pipeline, request.url, error);
    if (!again) throw error.cause;
    // The first try may have ended in a pause that the site asked for.
    listener.waiting?.(null);
    return await convertOnce({ ...work, listener, pipeline: again }).catch(async (second: unknown) => {
      await again.extractions?.forget(again, request.url);
      throw finalError(error, second);
    });
  }
}

/**
 * Runs one conversion. When it settles, none of its processes is left.
 * @returns the verified file in the request's folder
 * @throws ConversionError when the conversion itself fails, with the tools' output in its `detail`
 * @throws `signal.reason` when aborted
 */
export async function convert(work: ConversionWork): Promise<ConvertedFile> {
  const { request, pipeline } = work;
  return withinBounds(
    work,
    (signal) => convertWithSecondTry({ ...work, signal }),
    // Addresses of renditions expire, so another attempt has to ask for them again.
    async () => pipeline.extractions?.forget(pipeline, request.url),
  );
}
