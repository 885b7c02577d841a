/** Reports progress while the source is fetched and, where its container allows, already encoded. */
import type { MediaFormat } from "../../../common/tiers.ts";
import type { FetchDetails, ProgressReporter } from "./progress-reporter.ts";
import { SpeedMeter } from "./speed-meter.ts";

/**
 * When the encode runs. "undecided" until the beginning of the source has been read, then either "overlapping" with
 * the download or "afterwards".
 */
type EncodeTiming = "undecided" | "overlapping" | "afterwards";

/** Chunks arrive many times as often. Browsers get five pushes a second, and the bar moves in between. */
const REPORT_INTERVAL_MS = 100;
/** Fractions are sums of parts; rounding may keep them just below 1. */
const COMPLETE_FRACTION = 1 - 1e-9;

/** A file that is being fetched. */
interface FetchedFile {
  /** Bytes that follow the beginning without a gap. */
  readonly wholeBytes: number;
  readonly expectedBytes: number | undefined;
  readonly slowestEndMs: () => number;
}

export interface FetchProgressOptions {
  readonly reporter: ProgressReporter;
  readonly format: MediaFormat;
  /** How many bytes have been fetched so far. */
  readonly bytesFetched: () => number;
  /** Files that grow now; none when something else fetches them. */
  readonly files: () => readonly FetchedFile[];
  /** Called when the whole source is fetched. */
  readonly onFetched: () => void;
  readonly nowMs?: () => number;
}

export class FetchProgress {
  readonly #options: FetchProgressOptions;
  readonly #speed = new SpeedMeter();
  #encodeTiming: EncodeTiming = "undecided";
  #fetchedFraction = 0;
  #encodedFraction = 0;
  #reportedAtMs = -Infinity;

  constructor(options: FetchProgressOptions) {
    this.#options = options;
    this.#report();
  }

  /** @param fraction of the source, 0 to 1 */
  fetched(fraction: number): void {
    this.#fetchedFraction = fraction >= COMPLETE_FRACTION ? 1 : fraction;
    if (this.#fetchedFraction === 1) this.#options.onFetched();
    this.#reportSometimes(this.#fetchedFraction);
  }

  /** @param fraction of the result, 0 to 1; a smaller one than before counts as the one before */
  encoded(fraction: number): void {
    this.#encodedFraction = Math.max(this.#encodedFraction, fraction);
    this.#reportSometimes(this.#encodedFraction);
  }

  /** The encode runs while the source is fetched. */
  startOverlap(): void {
    this.#encodeTiming = "overlapping";
  }

  /** The encode starts, or starts again, when the whole source is fetched. */
  encodeAfterwards(): void {
    this.#encodeTiming = "afterwards";
  }

  #nowMs(): number {
    return this.#options.nowMs?.() ?? performance.now();
  }

  /** An MP3 is nearly always encoded while its source is fetched; an MP4 only if its container allows it. */
  get #isOverlapExpected(): boolean {
    if (this.#encodeTiming === "undecided") return this.#options.format === "mp3";
    return this.#encodeTiming === "overlapping";
  }

  /** Reports each end, and what comes before it at intervals. */
  #reportSometimes(fraction: number): void {
    if (fraction === 1 || this.#nowMs() - this.#reportedAtMs >= REPORT_INTERVAL_MS) this.#report();
  }

  #report(): void {
    const { reporter, bytesFetched, files } = this.#options;
    this.#reportedAtMs = this.#nowMs();
    const fetched = this.#fetchedFraction;
    const bytesPerSecond = fetched < 1 ? this.#speed.measure(bytesFetched()) : undefined;
    const details = detailsOf(files(), fetched);
    if (this.#isOverlapExpected) reporter.reportOverlapped(fetched, this.#encodedFraction, bytesPerSecond, details);
    else reporter.report("download", fetched, bytesPerSecond, details);
  }
}

function detailsOf(files: readonly FetchedFile[], fetched: number): FetchDetails {
  const readable = files.map(({ wholeBytes, expectedBytes = 0 }) =>
    expectedBytes > 0 ? wholeBytes / expectedBytes : fetched,
  );
  return {
    readable: Math.min(fetched, ...readable),
    slowestEndMs: Math.max(0, ...files.map((file) => file.slowestEndMs())),
  };
}
