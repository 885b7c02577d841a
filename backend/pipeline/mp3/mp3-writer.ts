/** Writes the file of a parallel encode: the ID3 tag, then frames as they become final, and last the header frame. */
import type { FileHandle } from "node:fs/promises";
import { abortable } from "../../../common/waiting.ts";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import { writeAt } from "./write-at.ts";
import type { FrameGroup } from "./frame-group.ts";
import { FrameSizes } from "./frame-sizes.ts";
import { crc16, infoFrame, type ExpectedSound, standInFrame } from "./info-frame.ts";
import type { Frame } from "./mp3-frame.ts";

/** Frames are buffered up to this size, because each write occupies a thread of Node's pool. */
const WRITE_BYTES = 262_144;
/** The first write is smaller: a visitor may download the file while it is made, and two seconds of sound are enough. */
const FIRST_WRITE_BYTES = 32_768;

/**
 * Receives which bytes of the output file are final.
 * @param final byte range that will not change any more; null when the file is written anew from its beginning
 */
export type OnWritten = (final: FinalBytes | null) => void;

/** Writes frames after the tag, and the header frame between tag and frames once all frames are known. */
class FrameWriter {
  readonly #file: FileHandle;
  readonly #onWritten: OnWritten | undefined;
  readonly #headerPosition: number;
  readonly #expected: ExpectedSound | undefined;
  #standIn: Buffer | undefined;
  /** Of the complete file, where it is sure beforehand. */
  #sizeBytes: number | undefined;
  #firstFrame: Frame | undefined;
  #frameCount = 0;
  #frameBytes = 0;
  #crc = 0;
  /** Copies of final frames that are not written yet. Copying lets the encoder's output buffers be freed early. */
  readonly #buffer = Buffer.allocUnsafeSlow(WRITE_BYTES);
  #bufferedBytes = 0;
  #framesPosition = 0;
  #writePosition = 0;

  constructor(
    { file, onWritten, expected }: Pick<Mp3WriterOptions, "file" | "onWritten" | "expected">,
    headerPosition: number,
  ) {
    this.#file = file;
    this.#headerPosition = headerPosition;
    this.#onWritten = onWritten;
    this.#expected = expected;
    onWritten?.(null);
  }

  async write(groups: readonly FrameGroup[]): Promise<void> {
    if (!this.#firstFrame) {
      this.#firstFrame = groups[0]?.frame(0);
      if (!this.#firstFrame) return;
      this.#framesPosition = this.#headerPosition + this.#header(0).length;
      this.#writePosition = this.#framesPosition;
      this.#standIn = this.#expected && standInFrame(this.#firstFrame, this.#expected);
      this.#sizeBytes = this.#expectedBytes(this.#firstFrame);
    }
    for (const { bytes, frameCount } of groups) {
      for (let copiedBytes = 0; copiedBytes < bytes.length;) {
        const count = bytes.copy(this.#buffer, this.#bufferedBytes, copiedBytes);
        this.#bufferedBytes += count;
        copiedBytes += count;
        if (this.#bufferedBytes >= this.#fullBytes) await this.#flush();
      }
      this.#frameBytes += bytes.length;
      this.#frameCount += frameCount;
      this.#crc = crc16(bytes, this.#crc);
    }
  }

  async finish(sampleCount: number): Promise<void> {
    if (!this.#firstFrame) return;
    await this.#flush();
    await writeAt(this.#file, this.#header(sampleCount), this.#headerPosition);
  }

  /** How many bytes are buffered before they are written. */
  get #fullBytes(): number {
    return this.#writePosition === this.#framesPosition ? FIRST_WRITE_BYTES : WRITE_BYTES;
  }

  async #flush(): Promise<void> {
    await writeAt(this.#file, this.#buffer.subarray(0, this.#bufferedBytes), this.#writePosition);
    this.#writePosition += this.#bufferedBytes;
    this.#bufferedBytes = 0;
    const final = { from: this.#framesPosition, to: this.#writePosition };
    this.#onWritten?.(this.#standIn ? { ...final, standIn: this.#standIn, sizeBytes: this.#sizeBytes } : final);
  }

  #expectedBytes({ bitrateKbps, sampleRateHz }: Frame): number | undefined {
    const frameCount = this.#expected?.frameCount;
    if (frameCount === undefined) return undefined;
    return this.#framesPosition + new FrameSizes(bitrateKbps, sampleRateHz).bytesOf(frameCount);
  }

  /** The size of the header does not depend on the figures in it. */
  #header(sampleCount: number): Buffer {
    if (!this.#firstFrame) throw new RangeError("no frame has been written yet");
    return infoFrame({
      frame: this.#firstFrame,
      frameCount: this.#frameCount,
      frameBytes: this.#frameBytes,
      sampleCount,
      crc: this.#crc,
    });
  }
}

export interface Mp3WriterOptions {
  readonly file: FileHandle;
  /** An ID3v2 tag. */
  readonly tag: Promise<Buffer>;
  readonly onWritten?: OnWritten;
  /** What is known of the sound before it is encoded; reported bytes then have a stand-in for the header frame. */
  readonly expected?: ExpectedSound;
  /** Its abort also ends the wait for the tag. */
  readonly signal: AbortSignal;
  /** Called when a write fails, or `tag` rejects. */
  readonly onError: (error: unknown) => void;
}

/** Queues writes in the background, in order. Frames wait in memory until the tag is written. */
export class Mp3Writer {
  /** Resolves when the tag is written; rejects with the signal's reason on an abort. */
  readonly tagWritten: Promise<void>;
  readonly #frames: Promise<FrameWriter>;
  readonly #onError: (error: unknown) => void;
  #lastWrite: Promise<void>;

  constructor(options: Mp3WriterOptions) {
    const { file, tag, signal, onError } = options;
    this.#onError = onError;
    // The tag may wait for the cover picture, which is not needed after the encode has failed.
    this.#frames = abortable(tag, signal).then(async (bytes) => {
      await writeAt(file, bytes, 0);
      return new FrameWriter(options, bytes.length);
    });
    this.tagWritten = this.#frames.then(() => undefined);
    this.#lastWrite = this.tagWritten;
    this.tagWritten.catch(onError);
  }

  /** Queues frames to be written. A failure is reported to `onError`. */
  write(groups: readonly FrameGroup[]): void {
    if (groups.length === 0) return;
    this.#lastWrite = this.#lastWrite.then(async () => (await this.#frames).write(groups));
    this.#lastWrite.catch(this.#onError);
  }

  /** Resolves when all queued frames are written or buffered. */
  get idle(): Promise<void> {
    return this.#lastWrite;
  }

  /**
   * Writes what is left and the header frame.
   * @param sampleCount length of the sound, in samples of one channel
   */
  async finish(sampleCount: number): Promise<void> {
    await this.#lastWrite;
    await (await this.#frames).finish(sampleCount);
  }
}
