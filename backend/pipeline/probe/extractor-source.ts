/** Which yt-dlp an extraction uses. The version may change while the server runs, but not during an extraction. */
import { ConversionError } from "../../../common/errors.ts";
import type { Pipeline } from "../pipeline.ts";
import type { ExtractorHost } from "../extractor-host/extractor-host.ts";

/** One version of yt-dlp, and what belongs to it. */
export interface InstalledExtractor {
  readonly ytDlpPath: string;
  /** Absent: each call starts a process of its own. */
  readonly host?: ExtractorHost;
  /** See `YouTubeAccess`. */
  readonly playerFolder?: string;
}

/** The use of a version by one extraction or download. */
export interface ExtractorLease extends Disposable {
  readonly extractor: InstalledExtractor;
  /** Reports whether yt-dlp read a link as it should. A video that cannot be had is no failure of yt-dlp. */
  report(link: string, outcome: "worked" | "failed"): void;
}

export interface ExtractorSource {
  /** The version that the next extraction uses; undefined when it is unknown. */
  readonly version: string | undefined;
  /** Looks for a newer version, not too often. Absent: this one stays, as the operator wants it. */
  readonly lookForNewer?: (() => void) | undefined;
  /** The version stays installed and loaded until the lease is disposed of. */
  acquire(): Promise<ExtractorLease>;
}

/** @returns the pipeline with this version of yt-dlp only; as it is where there is none */
export function withExtractor(pipeline: Pipeline, extractor: InstalledExtractor | undefined): Pipeline {
  if (!extractor) return pipeline;
  const { ytDlpPath, host, playerFolder } = extractor;
  return {
    ...pipeline,
    extractors: undefined,
    tools: { ...pipeline.tools, ytDlpPath },
    extractorHost: host,
    youtube: pipeline.youtube && { ...pipeline.youtube, playerFolder },
  };
}

/** Errors that a newer or older yt-dlp may not have. */
export function isFailureOfTool(error: unknown): boolean {
  return error instanceof ConversionError && (error.code === "site_changed" || error.code === "internal");
}
