/**
 * The bounds of the pipeline that do not depend on the tier: times, sizes, counts. Links lead to foreign servers, and
 * each bound ends a job that could otherwise run forever or fill the machine.
 */
export interface PipelineLimits {
  /** Reading a video's metadata, all requests together. */
  readonly probeTimeoutMs: number;
  /** A download fails when no byte arrives for this long. */
  readonly stallTimeoutMs: number;
  /** A download fails when fewer than `leastBytesPerWindow` arrive within this time. */
  readonly paceWindowMs: number;
  readonly leastBytesPerWindow: number;
  /** A whole conversion, wall clock. */
  readonly jobTimeoutMs: number;
  /** An advertisement before the video; media is refused until its end. Those that cannot be skipped are shorter. */
  readonly maxAdvertisementMs: number;
  /** A wait that a media server asks for. For a longer one the job waits in the queue, and takes no slot. */
  readonly maxSiteWaitMs: number;
  /** Running ffprobe on a fetched or finished file. */
  readonly inspectTimeoutMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly killGraceMs: number;
  /** JSON printed by yt-dlp; a long DASH video has about 5 MB. */
  readonly maxInfoBytes: number;
  /** Pages, scripts and manifests fetched by one extraction. */
  readonly maxProbeBytes: number;
  /** An HLS media playlist; 10,000 segments with signed addresses have about 5 MB. */
  readonly maxPlaylistBytes: number;
  /** Resident memory of a tool and its children; 1080p encoding takes about 400 MB. */
  readonly maxToolMemoryBytes: number;
  /** CPU time of yt-dlp and of each program that it starts; an extraction with a new player script takes about 3. */
  readonly maxExtractorCpuSeconds: number;
  /** Segments of a rendition; two hours in 2-second segments are 3,600. */
  readonly maxFragments: number;
  /** Pixels of one picture of the source; 8K is 33 million. */
  readonly maxPixels: number;
  /** The source may be this many times as large as the tier's largest file, because the result is smaller. */
  readonly maxSourceFactor: number;
  /** Must stay free on the disk of the job folders, in addition to what the job needs. */
  readonly minFreeDiskBytes: number;
  readonly thumbnailTimeoutMs: number;
  /** An MP4 waits this long for its cover before it is written, and is made without it then. */
  readonly coverWaitMs: number;
  readonly maxThumbnailBytes: number;
}

const MB = 1_000_000;
const GIB = 1_073_741_824;

export const DEFAULT_PIPELINE_LIMITS: PipelineLimits = {
  probeTimeoutMs: 60_000,
  stallTimeoutMs: 30_000,
  paceWindowMs: 60_000,
  // 16 kbit/s, less than sound in the poorest quality takes while it is played.
  leastBytesPerWindow: 120_000,
  jobTimeoutMs: 3_600_000,
  maxAdvertisementMs: 120_000,
  maxSiteWaitMs: 60_000,
  inspectTimeoutMs: 30_000,
  killGraceMs: 1_500,
  maxInfoBytes: 32 * MB,
  maxProbeBytes: 64 * MB,
  maxPlaylistBytes: 8 * MB,
  maxToolMemoryBytes: GIB,
  maxExtractorCpuSeconds: 30,
  maxFragments: 10_000,
  maxPixels: 40_000_000,
  maxSourceFactor: 4,
  minFreeDiskBytes: 500 * MB,
  thumbnailTimeoutMs: 10_000,
  coverWaitMs: 3_000,
  maxThumbnailBytes: 5 * MB,
};
