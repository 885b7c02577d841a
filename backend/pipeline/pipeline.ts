/** The runtime dependencies of a conversion. Created once and shared by all jobs. */
import type { HostEntry } from "../../common/hosts.ts";
import type { CoreShare } from "./process/core-share.ts";
import type { EgressGuard } from "./guard/egress-guard.ts";
import type { ExtractorHost } from "./extractor-host/extractor-host.ts";
import type { ExtractorSource } from "./probe/extractor-source.ts";
import type { Extractions } from "./probe/extractions.ts";
import type { SiteCookies } from "./probe/site-cookies.ts";
import type { VideoBlocks } from "./probe/video-origin.ts";
import type { YouTubeAccess } from "./probe/youtube.ts";
import type { LearnedPaces } from "./progress/learned-paces.ts";
import type { HostSemaphore } from "./fetch/host-semaphore.ts";
import type { PipelineLimits } from "./limits.ts";
import type { ToolSandbox } from "./process/tool-sandbox.ts";
import type { SponsorBlock } from "./sponsors/sponsor-block.ts";

/** Absolute paths. */
export interface ToolPaths {
  readonly ytDlpPath: string;
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** yt-dlp runs YouTube's scripts with it. Absent: videos that need a script cannot be read. */
  readonly denoPath?: string;
  /** PEM file of a further certificate authority that yt-dlp trusts. */
  readonly caFile?: string;
  /** Each has folders or archives with plugins of yt-dlp. */
  readonly pluginFolders?: readonly string[];
}

export interface Pipeline {
  readonly tools: ToolPaths;
  /** Absent: tools may do what this process may. */
  readonly sandbox?: ToolSandbox;
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
  /** Absent: nothing is blocked. */
  readonly blocks?: VideoBlocks;
  readonly limits: PipelineLimits;
  /** Absent: yt-dlp's own clients, through the machine's default route. */
  readonly youtube?: YouTubeAccess;
  /** Absent: sites other than YouTube are asked as a guest. */
  readonly siteCookies?: SiteCookies;
  /** Extractions that callers share, here and in other processes. Absent: each conversion extracts for itself. */
  readonly extractions?: Extractions;
  /** Absent: the operator has not switched it on, and nothing is asked. */
  readonly sponsorBlock?: SponsorBlock;
}

/**
 * What each step of a conversion runs with; `Mp3Work` and the like add what their step is about. A function that runs a
 * tool or asks a site takes it first. One that only waits takes a signal, last, and one that only computes neither.
 */
export interface Work {
  readonly pipeline: Pipeline;
  /** Aborted when the conversion is canceled or takes too long, or when its result is not wanted any more. */
  readonly signal: AbortSignal;
}
