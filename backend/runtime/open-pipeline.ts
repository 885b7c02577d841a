/** Opens the parts that all conversions and previews of a process share. */
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Domain } from "../domain/domain.ts";
import type { Previews } from "../domain/jobs/previews.ts";
import type { HostSemaphore } from "../pipeline/fetch/host-semaphore.ts";
import { startEgressGuard } from "../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { YouTubeAccess } from "../pipeline/probe/youtube.ts";
import { ExitPool } from "../pipeline/exits/exit-pool.ts";
import type { VideoInfo } from "../pipeline/probe/info.ts";
import { CoreShare } from "../pipeline/process/core-share.ts";
import { SharedWork } from "../pipeline/process/shared-work.ts";
import { LearnedPaces } from "../pipeline/progress/learned-paces.ts";
import { PreviewMaker } from "../worker/previews.ts";
import type { Metrics } from "./metrics.ts";
import { openPresentExtractor, startRenewal } from "./open-extractor.ts";
import type { Runtime } from "./runtime.ts";

/** A conversion within a minute of its preview reuses the metadata, which is some MB for a long video. */
const PREVIEW_CACHE = { keepMs: 60_000, maxKept: 16 };

export interface PipelineParts {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly videoHosts: Domain["videoHosts"];
  readonly hostSemaphore: HostSemaphore;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Closes the opened parts. */
  readonly started: AsyncDisposableStack;
}

/** Starts the egress guard, a resident yt-dlp and its renewal. */
export async function openPipeline({
  config,
  runtime,
  videoHosts,
  hostSemaphore,
  metrics,
  log,
  started,
}: PipelineParts): Promise<Pipeline> {
  const guard = await startEgressGuard({ allow: videoHosts, log: (line) => log.warn(line) });
  started.defer(() => guard.stop());
  const { ytDlpPath, ffmpegPath, ffprobePath } = runtime;
  const present = started.use(await openPresentExtractor(config, ytDlpPath, log));
  if (!present.isLoaded) log.warn("yt-dlp cannot stay loaded on this machine; every conversion starts it again");
  const pipeline: Pipeline = {
    extractors: present,
    cores: new CoreShare(),
    paces: new LearnedPaces(),
    hostSemaphore,
    tools: { ytDlpPath, ffmpegPath, ffprobePath, nodePath: process.execPath, caFile: config.caFile },
    youtube: openYouTube(config, metrics, log),
    guard,
    videoHosts,
    limits: config.settings.pipeline,
    extractions: new SharedWork<VideoInfo>(PREVIEW_CACHE),
  };
  const renewal = await startRenewal({ config, firstPath: ytDlpPath, present, pipeline, metrics, log });
  if (renewal) started.use(renewal);
  return pipeline;
}

function openYouTube({ env }: Config, metrics: Metrics, log: Logger): YouTubeAccess {
  const exits = new ExitPool({
    exits: env.YOUTUBE_EXITS,
    extractionsPerHour: env.YOUTUBE_EXTRACTIONS_PER_HOUR ?? Infinity,
    log: (line) => log.warn(line),
  });
  return {
    exits,
    clientOrder: env.YOUTUBE_CLIENTS,
    onAttempt: metrics.watchYouTube(() => exits.states),
  };
}

export function openPreviews(
  config: Config,
  pipeline: Pipeline,
  scratchFolder: string,
  started: AsyncDisposableStack,
): Previews {
  const previews = new PreviewMaker(pipeline, { scratchFolder, ...config.settings.previews, kept: PREVIEW_CACHE });
  started.defer(() => previews.stop());
  return previews;
}
