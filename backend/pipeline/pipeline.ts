/** What a conversion needs from its surroundings; made once, shared by all jobs. */
import type { HostEntry } from "../../common/hosts.ts";
import type { CoreShare } from "./process/core-share.ts";
import type { EgressGuard } from "./guard/egress-guard.ts";
import type { ExtractorHost } from "./probe/extractor-host.ts";
import type { VideoInfo } from "./probe/info.ts";
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
  /** yt-dlp solves its main site's script puzzles with it. */
  readonly nodePath: string;
}

export interface Pipeline {
  readonly tools: ToolPaths;
  /** Everything fetched for a job passes through it. */
  readonly guard: EgressGuard;
  readonly videoHosts: readonly HostEntry[];
  /** Absent where yt-dlp cannot be kept loaded; then each call starts it. */
  readonly extractorHost?: ExtractorHost;
  /** Absent: every conversion uses one core. */
  readonly cores?: CoreShare;
  /** Absent: requests to a host are not bounded over all conversions. */
  readonly hostSemaphore?: HostSemaphore;
  /** Absent: nothing is learned of how fast this machine is. */
  readonly paces?: LearnedPaces;
  readonly limits: PipelineLimits;
  /** By link; what was read a moment ago for somebody who looked before converting. */
  readonly extractions?: SharedWork<VideoInfo>;
}
