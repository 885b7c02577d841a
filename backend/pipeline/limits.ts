/**
 * Every bound of the pipeline that is not a tier's: times, sizes, counts. They exist because what a
 * link leads to is written by strangers, and each ends a job cleanly that would otherwise not end.
 */
export interface PipelineLimits {
  /** Reading a video's metadata, all requests together. */
  readonly probeTimeoutMs: number;
  /** No byte arriving for this long ends a download. */
  readonly stallTimeoutMs: number;
  /** A whole conversion, wall clock. */
  readonly jobTimeoutMs: number;
  /** Reading a fetched or finished file's streams. */
  readonly inspectTimeoutMs: number;
  /** Between asking a tool to end (SIGTERM) and ending it (SIGKILL). */
  readonly killGraceMs: number;
  /** Metadata as printed by the extractor; a long DASH video is about 5 MB. */
  readonly maxInfoBytes: number;
  /** Fetched while reading metadata: pages, scripts and manifests. */
  readonly maxProbeBytes: number;
  /** An HLS media playlist; 10,000 segments with signed addresses are about 5 MB. */
  readonly maxPlaylistBytes: number;
  /** Resident memory of a tool and its children; 1080p encoding takes about 400 MB. */
  readonly maxToolMemoryBytes: number;
  /** Segments of a rendition; two hours in 2-second segments are 3,600. */
  readonly maxFragments: number;
  /** Pixels of one picture of the source; 8K is 33 million. */
  readonly maxPixels: number;
  /** A source may be this many times the tier's file size: the result is smaller than what it is made from. */
  readonly maxSourceFactor: number;
  /** Left free on the disk of the job folders, beyond what the job itself needs. */
  readonly minFreeDiskBytes: number;
  readonly thumbnailTimeoutMs: number;
  readonly maxThumbnailBytes: number;
}

const MB = 1_000_000;
const GIB = 1_073_741_824;

export const DEFAULT_PIPELINE_LIMITS: PipelineLimits = {
  probeTimeoutMs: 60_000,
  stallTimeoutMs: 30_000,
  jobTimeoutMs: 3_600_000,
  inspectTimeoutMs: 30_000,
  killGraceMs: 1_500,
  maxInfoBytes: 32 * MB,
  maxProbeBytes: 64 * MB,
  maxPlaylistBytes: 8 * MB,
  maxToolMemoryBytes: GIB,
  maxFragments: 10_000,
  maxPixels: 40_000_000,
  maxSourceFactor: 4,
  minFreeDiskBytes: 500 * MB,
  thumbnailTimeoutMs: 10_000,
  maxThumbnailBytes: 5 * MB,
};
