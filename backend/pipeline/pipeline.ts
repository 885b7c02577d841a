/** The runtime dependencies of a conversion. Created once and shared by all jobs. */
import type { HostEntry } from "../../common/hosts.ts";
import type { CoreShare } from "./process/core-share.ts";
import type { EgressGuard } from "./guard/egress-guard.ts";
import type { ExtractorHost } from "./probe/extractor-host.ts";
import type { ExtractorSource } from "./probe/extractor-source.ts";
import type { VideoInfo } from "./probe/info.ts";
import type { YouTubeAccess } from "./probe/youtube.ts";
import type { LearnedPaces } from "./progress/learned-paces.ts";
import type { HostSemaphore } from "./fetch/host-semaphore.ts";
import type { PipelineLimits } from "./limits.ts";
import type { SharedWork } from "./process/shared-work.ts";

export { DEFAULT_PIPELINE_LIMITS, type PipelineLimits } from "./limits.ts";

/** Absolute paths. */
export interface ToolPaths {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** yt-dlp runs YouTube's signature scripts with it. */
  readonly nodePath: string;
  /** PEM file of a further certificate authority that yt-dlp trusts. */
  readonly caFile?: string;
}

export interface Pipeline {
  readonly tools: ToolPaths;
  /** Every connection of a job goes through it. */
  readonly guard: EgressGuard;
  readonly videoHosts: readonly HostEntry[];
  /** The yt-dlp of the moment. Absent: always that of `tools`, `extractorHost` and `youtube`. */
  readonly extractors?: ExtractorSource;
  /** Absent: each call starts a yt-dlp process of its own. */
  readonly extractorHost?: ExtractorHost;
  /** Absent: every conversion uses one core. */
  readonly cores?: CoreShare;
  /** Absent: requests to a host are not bounded over all conversions. */
  readonly hostSemaphore?: HostSemaphore;
  /** Absent: time estimates use fixed speeds instead of those measured on this machine. */
  readonly paces?: LearnedPaces;
  readonly limits: PipelineLimits;
  /** Absent: yt-dlp's own clients, through the machine's default route. */
  readonly youtube?: YouTubeAccess;
  /** Extractions by link, kept for a short time, so that a preview and its conversion share one. */
  readonly extractions?: SharedWork<VideoInfo>;
}
