/** Draws waveforms of stored files, each once as long as somebody looks at it. */
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import PQueue from "p-queue";
import { MINUTE_MS } from "../../common/durations.ts";
import { ConversionError, UserError } from "../../common/errors.ts";
import type { Waveforms } from "../domain/jobs/waveforms.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";
import { SharedWork } from "../pipeline/process/shared-work.ts";
import { readPeaks } from "../pipeline/waveform.ts";
import { NoSuchFileError, type FileStore } from "../storage/file-store.ts";

/** As long as a visitor chooses; each has a thousand numbers. */
const KEPT = { keepMs: 10 * MINUTE_MS, maxKept: 500, maxKeptBytes: 8_000_000 };
const BYTES_PER_PEAK = 8;
/** Conversions go first. */
const AT_A_TIME = 2;
const MOST_WAITING = 16;
const NO_WAVEFORM = "There is no waveform of this file. It can be cut without one.";

export interface WaveformParts {
  readonly pipeline: Pipeline;
  readonly store: FileStore;
  /** Parent of the temporary folders, one for each file. */
  readonly scratchFolder: string;
  /** A file that takes longer has none. Two hours of sound take some seconds. */
  readonly timeoutMs?: number;
}

export class WaveformMaker implements Waveforms {
  readonly #parts: WaveformParts;
  readonly #drawn = new SharedWork<readonly number[]>(KEPT, ({ length }) => length * BYTES_PER_PEAK);
  readonly #queue = new PQueue({ concurrency: AT_A_TIME });

  constructor(parts: WaveformParts) {
    this.#parts = parts;
  }

  of(fileKey: string, signal: AbortSignal): Promise<readonly number[]> {
    if (this.#queue.size >= MOST_WAITING) throw new UserError("unavailable_now");
    return this.#drawn.share(fileKey, (shared) => this.#queue.add(() => this.#draw(fileKey, shared)), signal);
  }

  /** Aborts everything that runs, and waits for its end. */
  async stop(): Promise<void> {
    this.#drawn.stop();
    await this.#queue.onIdle();
  }

  async #draw(fileKey: string, signal: AbortSignal): Promise<readonly number[]> {
    signal.throwIfAborted();
    const { pipeline, store, scratchFolder, timeoutMs = MINUTE_MS } = this.#parts;
    const timeout = AbortSignal.timeout(timeoutMs);
    await using folder = await openJobFolder(scratchFolder, `waveform-${randomUUID()}`);
    let file: Readable | undefined;
    try {
      file = await store.read(fileKey);
      return await readPeaks({ pipeline, signal: AbortSignal.any([signal, timeout]) }, file, folder.path);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoSuchFileError) throw UserError.because("not_found", "file_gone");
      if (!(error instanceof ConversionError) && !timeout.aborted) throw error;
      throw new UserError("unavailable_now", NO_WAVEFORM);
    } finally {
      // The tool may have ended before it read anything.
      file?.destroy();
    }
  }
}
