/** Fetches the renditions of a plan and, where their container allows, encodes the result while they arrive. */
import type { MediaRequest, ConversionWork } from "./conversion.ts";
import type { StreamedSource } from "./encode/file-work.ts";
import { fetchRenditions } from "./fetch/download.ts";
import type { GrowingFile } from "./fetch/growing-file.ts";
import { RequestPauses } from "./fetch/request-pauses.ts";
import type { FetchedRendition, GrowingRendition } from "./fetch/rendition-download.ts";
import { readAgainOnce } from "./media-refusal.ts";
import { leastPaceOf, watchStall } from "./guard/stall-watch.ts";
import { joinFetched } from "./join-pieces.ts";
import { inspectWhole } from "./joined/inspect-whole.ts";
import { isJoined } from "./joined/join-files.ts";
import { markFirstPicture } from "./part/key-frame.ts";
import { markCut } from "./part/mark-join.ts";
import { placeOnTimeline } from "./part/place-on-timeline.ts";
import type { EncodePlan } from "./plan/encode-plan.ts";
import type { FetchPlan } from "./plan/fetch-plan.ts";
import { plannedWork } from "./plan/planned-times.ts";
import type { VideoInfo } from "./probe/info.ts";
import { inShownRatio, type MediaFile } from "./probe/media-file.ts";
import { markSizeChange } from "./probe/picture-sizes.ts";
import { FetchProgress } from "./progress/fetch-progress.ts";
import type { ProgressReporter } from "./progress/progress-reporter.ts";
import { checkWhole } from "./verify/verify.ts";

/**
 * Encodes the result from renditions that are still being fetched.
 * @returns the plan by which the result was made; undefined when it has to be made from the whole renditions
 */
export type EncodeWhileFetching = (source: StreamedSource, signal: AbortSignal) => Promise<EncodePlan | undefined>;

export interface SourceFetch extends ConversionWork<MediaRequest> {
  readonly info: VideoInfo;
  readonly plan: FetchPlan;
  readonly maxSourceBytes: number;
  readonly reporter: ProgressReporter;
}

export interface FetchedSources {
  /** Empty when the result is made already. */
  readonly sources: readonly MediaFile[];
  /** The plan by which the result was made while its source was fetched; absent when it is still to be made. */
  readonly finishedPlan?: EncodePlan;
}

/**
 * @throws ConversionError "network" for a source that is shorter than was promised, "timeout" when too few bytes
 * arrive, and what fetching, inspecting and encoding throw; `signal.reason` when aborted
 */
export async function fetchSources(
  work: SourceFetch,
  encodeWhileFetching: EncodeWhileFetching,
): Promise<FetchedSources> {
  const { pipeline, request, listener, signal, info, plan, maxSourceBytes, reporter } = work;
  const { format, limits, folder } = request;
  using session = pipeline.guard.open(maxSourceBytes, { exit: info.exit });
  using pauses = new RequestPauses({
    maxMs: pipeline.limits.maxSiteWaitMs,
    onPause: (untilMs) => listener.waiting?.(untilMs),
  });
  const { stallTimeoutMs } = pipeline.limits;
  let files: readonly GrowingFile[] = [];
  // A site is not asked for more bytes while earlier ones wait for a slow disk.
  const isPaused = (): boolean => pauses.isPaused || files.some((file) => file.isBehind);
  using watch = watchStall(session, stallTimeoutMs, leastPaceOf(pipeline.limits), isPaused);
  const bounded = AbortSignal.any([signal, session.exceeded, watch.stalled]);
  const siteSeconds = info.isGeneric ? undefined : info.durationSeconds;
  const progress = new FetchProgress({
    reporter,
    format,
    bytesFetched: () => session.bytesFetched,
    files: () => files,
    // An encode that goes on after the download needs no more bytes.
    onFetched: () => watch[Symbol.dispose](),
  });
  let finishedPlan = undefined as EncodePlan | undefined;
  const onGrowing = async (growing: readonly GrowingRendition[] | undefined): Promise<void> => {
    if (growing) {
      files = growing.map(({ file }) => file);
      const source: StreamedSource = {
        growing,
        siteSeconds,
        onPlanned: (encodePlan, sizeBytes) => reporter.expect(plannedWork(encodePlan, sizeBytes)),
        onStart: () => progress.startOverlap(),
        onFraction: (fraction) => progress.encoded(fraction),
      };
      finishedPlan = await encodeWhileFetching(source, bounded);
    }
    if (!finishedPlan) progress.encodeAfterwards();
  };
  const onProgress = (fraction: number): void => progress.fetched(fraction);
  const { renditions } = plan;
  // The beginning of a part is found by seeking, which a growing file does not allow.
  const encodeGrowing = plan.part ? () => onGrowing(undefined) : onGrowing;
  const download = {
    info,
    renditions,
    limits,
    maxSourceBytes,
    folder,
    session,
    pauses,
    readAgain: readAgainOnce({ ...work, signal: bounded }, info),
    onProgress,
    onGrowing: encodeGrowing,
    part: plan.part,
    // One file that has everything may become the result.
    wantsSpareSpace: format === "mp4" && !plan.part && renditions.length === 1,
  };
  const fetched = await fetchRenditions({ ...work, signal: bounded }, download);
  const areJoined = finishedPlan ? await Promise.all(fetched.flat().map(({ path }) => isJoined(path))) : [];
  if (finishedPlan && !areJoined.includes(true)) return { sources: [], finishedPlan };
  const endSeconds = plan.part?.endSeconds ?? limits.maxDurationSeconds;
  const inspect = async (rendition: FetchedRendition, position: number): Promise<MediaFile> => {
    const { durationSeconds, span, hasDiscontinuities, isComplete } = rendition;
    const found = { ...(await inspectWhole(work, rendition, endSeconds)), isComplete };
    const media = inShownRatio(found, renditions[position] ?? {});
    const mayChangeSize = hasDiscontinuities || found.statesNoLength === true;
    const sized = format === "mp4" && mayChangeSize ? await markSizeChange(work, media) : media;
    const placed = span ? await placeOnTimeline(work, sized, span) : sized;
    if (!span) checkWhole(media, durationSeconds ?? siteSeconds);
    if (!plan.part) return placed;
    const marked = await markFirstPicture(work, placed);
    return format === "mp4" ? await markCut(work, marked, plan.part) : marked;
  };
  const joining = {
    ...work,
    signal: bounded,
    limits,
    part: plan.part,
    siteSeconds,
    wantsPicture: format === "mp4",
    onFraction: (fraction: number) => reporter.report("convert", fraction),
  };
  return { sources: await joinFetched(joining, fetched, inspect) };
}
