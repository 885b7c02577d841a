/** What a conversion is asked for, tells meanwhile, and gives. */
import type { FileHandle } from "node:fs/promises";
import type { ConversionChoices } from "../../common/choices.ts";
import type { FinalBytes } from "../../common/final-bytes.ts";
import type { FileKind } from "../../common/job.ts";
import type { Shortfall } from "../../common/shortfall.ts";
import type { Format, TierLimits } from "../../common/tiers.ts";
import type { VideoOrigin } from "../../common/video-origin.ts";
import type { ConvertProgress } from "./progress/progress-reporter.ts";

export interface ConvertRequest {
  /** Accepted by the link policy. */
  readonly url: string;
  readonly format: Format;
  /** What the visitor chose beside the format; nothing by default. */
  readonly choices?: ConversionChoices;
  readonly limits: TierLimits;
  /** An empty folder that only this conversion uses; the caller creates and removes it. */
  readonly folder: string;
}

/** Receives what becomes known during a conversion, in this order; progress many times. */
export interface ConvertListener {
  /** @param about.exit name of the exit that read the metadata */
  metadata(about: { title: string; durationSeconds?: number; origin?: VideoOrigin; exit?: string }): void;
  /** @param path a JPEG of 320 pixels' width in the folder; not every video has one */
  thumbnail(path: string): void;
  /** Called when it is known beforehand that the picture will have fewer lines than the plan allows. */
  shortfall(shortfall: Shortfall): void;
  /** Called when it is known what the original sound is stored as. */
  fileKind?(kind: FileKind): void;
  /** Called when it is known which subtitles a transcript has. @param language as the site names it (BCP 47) */
  subtitleLanguage?(language: string): void;
  /** Called when the sponsored segments that the visitor wants marked could not be looked up. */
  sponsorsUnknown?(): void;
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

export interface ConvertedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly durationSeconds: number;
  readonly shortfall?: Shortfall;
  /** Only of an original sound. */
  readonly fileKind?: FileKind;
  /** Only of a transcript. */
  readonly subtitleLanguage?: string;
  readonly coverPath?: string;
}
