/**
 * The bounds of the pipeline that do not depend on the tier: times, sizes, counts. Links lead to foreign servers, and
 * each bound ends a job that could otherwise run forever or fill the machine. Each has its default and what it may be set
 * to.
 */
import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../common/durations.ts";
import { bounded } from "../../common/bounded.ts";

const MB = 1_000_000;
const GIB = 1_073_741_824;

export const PipelineLimits = z.strictObject({
  /** Reading a video's metadata, all requests together. */
  probeTimeoutMs: bounded(MINUTE_MS, SECOND_MS, HOUR_MS),
  /** A download fails when no byte arrives for this long. */
  stallTimeoutMs: bounded(30 * SECOND_MS, 500, HOUR_MS),
  /** A download fails when fewer than `leastBytesPerWindow` arrive within this time. */
  paceWindowMs: bounded(MINUTE_MS, 100, HOUR_MS),
  /** 16 kbit/s, less than sound in the poorest quality takes while it is played. */
  leastBytesPerWindow: bounded(120_000, 0, 1_000 * MB),
  /** A whole conversion, wall clock. */
  jobTimeoutMs: bounded(HOUR_MS, SECOND_MS, DAY_MS),
  /** An advertisement before the video; media is refused until its end. Those that cannot be skipped are shorter. */
  maxAdvertisementMs: bounded(2 * MINUTE_MS, 0, HOUR_MS),
  /** A wait that a media server asks for. For a longer one the job waits in the queue, and takes no slot. */
  maxSiteWaitMs: bounded(MINUTE_MS, 0, HOUR_MS),
  /** Running ffprobe on a fetched or finished file. */
  inspectTimeoutMs: bounded(30 * SECOND_MS, SECOND_MS, HOUR_MS),
  /** Between SIGTERM and SIGKILL. */
  killGraceMs: bounded(1_500, 0, MINUTE_MS),
  /** JSON printed by yt-dlp; a long DASH video has about 5 MB. */
  maxInfoBytes: bounded(32 * MB, MB, 1_000 * MB),
  /** Pages, scripts and manifests fetched by one extraction. */
  maxProbeBytes: bounded(64 * MB, MB, 10_000 * MB),
  /** An HLS media playlist; 10,000 segments with signed addresses have about 5 MB. */
  maxPlaylistBytes: bounded(8 * MB, MB, 1_000 * MB),
  /** Resident memory of a tool and its children; 1080p encoding takes about 400 MB. */
  maxToolMemoryBytes: bounded(GIB, 100 * MB, 1_000_000 * MB),
  /** CPU time of yt-dlp and of each program that it starts; an extraction with a new player script takes about 3. */
  maxExtractorCpuSeconds: bounded(30, 1, 3_600),
  /** Segments of a rendition; two hours in 2-second segments are 3,600. */
  maxFragments: bounded(10_000, 1, 1_000_000),
  /** Pixels of one picture of the source; 8K is 33 million. */
  maxPixels: bounded(40_000_000, MB, 1_000 * MB),
  /** The source may be this many times as large as the tier's largest file, because the result is smaller. */
  maxSourceFactor: bounded(4, 1, 100),
  /** Must stay free on the disk of the job folders, in addition to what the job needs. */
  minFreeDiskBytes: bounded(500 * MB, 0, 1_000_000 * MB),
  thumbnailTimeoutMs: bounded(10 * SECOND_MS, 100, MINUTE_MS),
  /** An MP4 waits this long for its cover before it is written, and is made without it then. */
  coverWaitMs: bounded(3 * SECOND_MS, 0, MINUTE_MS),
  maxThumbnailBytes: bounded(5 * MB, MB, 100 * MB),
});
export type PipelineLimits = Readonly<z.infer<typeof PipelineLimits>>;

export const DEFAULT_PIPELINE_LIMITS: PipelineLimits = PipelineLimits.parse({});
