import { Readable } from "node:stream";
import { pipeline as pump } from "node:stream/promises";
import type { GrowingFile } from "../fetch/growing-file.ts";
import type { Feed } from "../process/ffmpeg.ts";

const FEED_BUFFER_BYTES = 1_048_576;

/** Codes of errors that mean that the tool no longer reads its input. */
const INPUT_CLOSED = new Set(["EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED"]);

/** @returns a function that writes a growing file into a tool's standard input, from its beginning to its end */
export function feedFrom(file: GrowingFile): Feed {
  return async (stdin) => {
    try {
      await pump(Readable.from(file.follow(), { objectMode: false, highWaterMark: FEED_BUFFER_BYTES }), stdin);
    } catch (error) {
      // The tool has read enough, or has failed and reports that itself.
      if (!INPUT_CLOSED.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  };
}
