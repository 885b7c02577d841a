/**
 * A stream of an object that survives broken connections. When the connection breaks, or the storage closes it because
 * the browser reads slowly, the stream opens the object again at the next byte. Objects never change under their key.
 */
import { Readable } from "node:stream";
import { pause } from "../../common/waiting.ts";
import { NoSuchFileError } from "./file-store.ts";

/**
 * Opens the object from a byte to the end of the range.
 * @throws NoSuchFileError when the object was removed
 */
export type OpenFrom = (startByte: number, signal: AbortSignal) => Promise<Readable>;

/** Consecutive failures without a byte in between, after which the stream fails. */
const MAX_FAILURES = 3;
const RETRY_MS = 200;

export class S3ReadStream extends Readable {
  readonly #openFrom: OpenFrom;
  readonly #endByte: number;
  readonly #abort = new AbortController();
  #nextByte: number;
  #body: Readable | null = null;
  #lastError: Error | undefined;
  #failures = 0;
  #isWanted = false;
  #isReopening = false;

  /**
   * @param body open stream of the range
   * @param range first and last byte, both inclusive
   */
  constructor(body: Readable, range: { readonly start: number; readonly end: number }, openFrom: OpenFrom) {
    super();
    this.#openFrom = openFrom;
    this.#nextByte = range.start;
    this.#endByte = range.end;
    this.#follow(body);
  }

  override _read(): void {
    this.#isWanted = true;
    this.#pull();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#abort.abort();
    this.#body?.destroy();
    done(error);
  }

  #follow(body: Readable): void {
    this.#body = body;
    body.on("readable", () => this.#pull());
    body.once("error", (error) => this.#lose(body, error));
    body.once("close", () => this.#lose(body, new Error("the storage closed the connection early")));
  }

  #pull(): void {
    if (!this.#isWanted || this.destroyed) return;
    if (this.#nextByte > this.#endByte) {
      this.#finish();
      return;
    }
    if (!this.#body) {
      // The connection was lost while no data was requested; it is opened again only now.
      void this.#reopen();
      return;
    }
    const chunk = this.#body.read() as Buffer | null;
    if (chunk === null) return;
    this.#isWanted = false;
    this.#failures = 0;
    this.#nextByte += chunk.length;
    this.push(chunk);
    if (this.#nextByte > this.#endByte) this.#finish();
  }

  #finish(): void {
    // Drains the response, so that its connection can be reused.
    this.#body?.removeAllListeners("readable").resume();
    this.#body = null;
    this.push(null);
  }

  #lose(body: Readable, error: Error): void {
    if (this.#body !== body) return;
    this.#body = null;
    this.#lastError = error;
    body.destroy();
    if (this.#isWanted) this.#pull();
  }

  async #reopen(): Promise<void> {
    if (this.#isReopening) return;
    this.#isReopening = true;
    while (!this.destroyed && !this.#body) {
      this.#failures += 1;
      if (this.#failures > MAX_FAILURES || this.#lastError instanceof NoSuchFileError) {
        this.destroy(this.#lastError);
        break;
      }
      try {
        if (this.#failures > 1) await pause(RETRY_MS * this.#failures, this.#abort.signal);
        this.#follow(await this.#openFrom(this.#nextByte, this.#abort.signal));
      } catch (error) {
        this.#lastError = error instanceof Error ? error : new Error(String(error));
      }
    }
    this.#isReopening = false;
  }
}
