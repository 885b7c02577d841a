import { Readable } from "node:stream";
import { pipeline as pump } from "node:stream/promises";
import type { GrowingFile } from "../fetch/growing-file.ts";
import type { Feed } from "../process/ffmpeg.ts";

const FEED_BUFFER_BYTES = 1_048_576;

/**
 * @returns a function that writes a growing file into an input of a tool, from its beginning to its end
 * @throws from that function: the error of the file's writer. An error of the input means that the tool no longer reads:
 * it has read enough, or has failed and reports that itself. Which error that is depends on the moment: EPIPE,
 * ECONNRESET because pipes to a tool are sockets, or ECANCELED when Node closes the input of a tool that has ended.
 */
export function feedFrom(file: GrowingFile): Feed {
  return async (stdin) => {
    const follower = new Follower(file);
    try {
      await pump(Readable.from(follower.chunks(), { objectMode: false, highWaterMark: FEED_BUFFER_BYTES }), stdin);
    } catch (error) {
      if (follower.hasFailed) throw error;
    }
  };
}

/** Reads a growing file, and knows whether that failed. */
class Follower {
  readonly #file: GrowingFile;
  hasFailed = false;

  constructor(file: GrowingFile) {
    this.#file = file;
  }

  async *chunks(): AsyncGenerator<Buffer> {
    const reading = this.#file.follow();
    try {
      for (let next = await this.#next(reading); !next.done; next = await this.#next(reading)) yield next.value;
    } finally {
      await reading.return(undefined);
    }
  }

  /** Apart from the loop, because a stream throws the error of its destination at the `yield`. */
  async #next(reading: AsyncGenerator<Buffer>): Promise<IteratorResult<Buffer>> {
    try {
      return await reading.next();
    } catch (error) {
      this.hasFailed = true;
      throw error;
    }
  }
}
