/** What a conversion is asked for, tells meanwhile, and gives. */
import type { FileHandle } from "node:fs/promises";
import type { ConversionChoices, Part } from "../../common/choices.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import type { Findings } from "../../common/findings.ts";
import type { ChapterMark } from "../../common/preview-details.ts";
import type { Format, MediaFormat, TierLimits } from "../../common/tiers.ts";
import type { VideoOrigin } from "../../common/video-origin.ts";
import type { Work } from "./pipeline.ts";
import type { ConvertProgress } from "./progress/progress-reporter.ts";

/** A finished file that a part is cut from, without its site. */
export interface StoredSource {
  readonly sizeBytes: number;
  /** What the file is of its video. Absent: the whole. */
  readonly part?: Part | undefined;
  /** Writes the file to a new path. */
  readonly copyTo: (path: string) => Promise<void>;
}

export interface ConvertRequest {
  /** Accepted by the link policy. */
  readonly url: string;
  /** Present for a cut: nothing is asked of the link then. */
  readonly stored?: StoredSource | undefined;
  readonly format: Format;
  /** What the visitor chose beside the format; nothing by default. */
  readonly choices?: ConversionChoices;
  readonly limits: TierLimits;
  /** An empty folder that only this conversion uses; the caller creates and removes it. */
  readonly folder: string;
}

/** A request for sound or picture. */
export interface MediaRequest extends ConvertRequest {
  readonly format: MediaFormat;
}

/** One conversion, as its steps are given it. */
export interface ConversionWork<R extends ConvertRequest = ConvertRequest> extends Work {
  readonly request: R;
  readonly listener: ConvertListener;
}

/** What becomes known during a conversion, before its end. */
export interface Found extends Findings {
  /** With the origin: what the site says of the video. */
  title?: string;
  durationSeconds?: number;
  origin?: VideoOrigin;
  /** Of the result where it is sound, on its own time line. */
  chapters?: readonly ChapterMark[];
  /** Name of the exit that read the metadata. */
  exit?: string;
  /** A JPEG of 320 pixels' width in the folder; not every video has one. */
  thumbnailPath?: string;
}

/** A video by the id that its site has for it. */
export interface NamedVideo {
  /** Site and id, by which it may be blocked. */
  readonly videoId: string;
  /** The same with the length, so that no mistake of an extractor makes two videos one. */
  readonly name: string;
}

export interface ConvertListener {
  /** Called each time that something becomes known, with that alone. */
  found(found: Found): void;
  /**
   * Called when the video was read, before any of it is fetched, where two addresses of it are surely of the same one.
   * The conversion goes on when the promise resolves.
   */
  named?(video: NamedVideo): Promise<void>;
  progress(progress: ConvertProgress): void;
  /**
   * Called when the conversion waits because the site asked for it, and when it goes on.
   * @param untilMs milliseconds since 1970; null when it goes on
   */
  waiting?(untilMs: number | null): void;
  /**
   * Called while the result is written, by those ways of encoding that know which bytes are final.
   * @param final byte range that will not change any more; null when the file is written again from its beginning
   */
  written?(path: string, final: FinalBytes | null): void;
  /**
   * Called where the result cannot be read while it is made, but a copy of it can. `written` with null, and the end of
   * the conversion, take it back.
   */
  earlyCopy?(copy: EarlyCopy): void;
}

/** The result in another form, which can be read while it is made. */
export interface EarlyCopy {
  /** In the folder of the conversion. */
  readonly path: string;
  /**
   * Makes it. Called at most once, when somebody wants to read it.
   * @param output the empty file at the path
   * @param onBytes called with how many bytes are written; they do not change any more
   * @returns the size of all of it
   * @throws ConversionError; `signal.reason` when aborted
   */
  make(output: FileHandle, onBytes: (count: number) => void, signal: AbortSignal): Promise<number>;
}

/** What else is known of it, the listener was told. */
export interface ConvertedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly durationSeconds: number;
  readonly coverPath?: string;
}
