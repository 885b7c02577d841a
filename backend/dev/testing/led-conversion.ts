/** Conversions that a test leads step by step: no tool is started. */
import { randomBytes } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { FinalBytes } from "../../../common/final-bytes.ts";
import type { ConvertListener, EarlyCopy } from "../../pipeline/convert.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { untilAborted } from "./until-aborted.ts";

/** The beginning, which is written last, and what early readers get in its place. The bytes before it are a tag. */
export const TAG_BYTES = 500;
export const STAND_IN = Buffer.alloc(400, "stand-in");
export const SAME_FROM = TAG_BYTES + STAND_IN.length;

export class LedConversion {
  /** The complete file. */
  readonly bytes: Buffer;
  readonly ended = Promise.withResolvers<void>();
  readonly #listener: ConvertListener;
  readonly #path: string;
  readonly #file: FileHandle;
  #to = 0;

  constructor(listener: ConvertListener, path: string, file: FileHandle, sizeBytes: number) {
    this.#listener = listener;
    this.#path = path;
    this.#file = file;
    this.bytes = randomBytes(sizeBytes);
  }

  /** The file as it is read while it is made. */
  get earlyBytes(): Buffer {
    return Buffer.concat([this.bytes.subarray(0, TAG_BYTES), STAND_IN, this.bytes.subarray(SAME_FROM)]);
  }

  /**
   * Writes the file up to a position, without its beginning, and says so.
   * @param more what it says beside the position
   */
  async writeTo(to: number, more: Omit<FinalBytes, "from" | "to"> = { standIn: STAND_IN }): Promise<void> {
    if (this.#to === 0) {
      await this.#file.write(this.bytes, 0, TAG_BYTES, 0);
      this.#to = SAME_FROM;
    }
    await this.#file.write(this.bytes, this.#to, to - this.#to, this.#to);
    this.#to = to;
    this.#listener.written?.(this.#path, { from: SAME_FROM, to, ...more });
  }

  /** Offers a copy in another form, which the test leads too. */
  offerCopy(): LedCopy {
    const copy = new LedCopy(`${this.#path}.copy`, this.bytes.length);
    this.#listener.earlyCopy?.(copy);
    return copy;
  }

  /** Says that the file is written anew, and empties it. */
  async writeAnew(): Promise<void> {
    this.#listener.written?.(this.#path, null);
    await this.#file.truncate(0);
    this.#to = 0;
  }

  /** Writes all that is left. */
  async finish(): Promise<void> {
    if (this.#to < this.bytes.length) await this.writeTo(this.bytes.length);
    await this.#file.write(this.bytes, 0, SAME_FROM, 0);
    this.ended.resolve();
  }
}

export class LedCopy implements EarlyCopy {
  readonly path: string;
  /** The whole copy, which is larger than the file. */
  readonly bytes: Buffer;
  /** Resolves when it is asked for. */
  readonly asked = Promise.withResolvers<void>();
  readonly ended = Promise.withResolvers<void>();
  #write: ((to: number) => Promise<void>) | undefined;

  constructor(path: string, fileBytes: number) {
    this.path = path;
    this.bytes = randomBytes(fileBytes + 1_000);
  }

  get isAsked(): boolean {
    return this.#write !== undefined;
  }

  async make(output: FileHandle, onBytes: (count: number) => void, signal: AbortSignal): Promise<number> {
    let written = 0;
    this.#write = async (to) => {
      await output.write(this.bytes, written, to - written, written);
      written = to;
      onBytes(to);
    };
    this.asked.resolve();
    await Promise.race([this.ended.promise, untilAborted(signal)]);
    return written;
  }

  /** Waits until it is asked for. */
  async writeTo(to: number): Promise<void> {
    await this.asked.promise;
    await this.#write?.(to);
  }

  async finish(): Promise<void> {
    await this.writeTo(this.bytes.length);
    this.ended.resolve();
  }
}

export interface LedConversions {
  readonly convert: NonNullable<Runtime["convert"]>;
  /** Resolves with the next conversion of a link, which waits from then on. */
  next(url: string): Promise<LedConversion>;
}

/** @param sizeBytes of each file */
export function leadConversions(sizeBytes: number): LedConversions {
  const begun = new Map<string, PromiseWithResolvers<LedConversion>>();
  const of = (url: string): PromiseWithResolvers<LedConversion> => {
    const known = begun.get(url) ?? Promise.withResolvers<LedConversion>();
    begun.set(url, known);
    return known;
  };
  return {
    async convert({ url, folder, format }, listener, signal) {
      signal.throwIfAborted();
      listener.found({ title: "A led video", durationSeconds: 1 });
      listener.progress({ stage: "convert", percent: 42 });
      const path = join(folder, "result.mp3");
      await using file = await open(path, "w");
      const led = new LedConversion(listener, path, file, sizeBytes);
      of(url).resolve(led);
      await Promise.race([led.ended.promise, untilAborted(signal)]);
      if (format === "original") listener.found({ fileKind: "m4a" });
      return { path, sizeBytes, durationSeconds: 1 };
    },
    async next(url) {
      const led = await of(url).promise;
      begun.delete(url);
      return led;
    },
  };
}
