/** Makes the pictures of a video from one that a site sends, and reads their sizes. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";
import { makePicture } from "../../pipeline/encode/picture.ts";
import type { SquareCover } from "../../pipeline/probe/song.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { ffmpeg, lavfi, probedLines } from "./ffmpeg.ts";
import { openTestPipeline } from "./test-pipeline.ts";

const run = promisify(execFile);
const never = new AbortController().signal;

export interface MadePictures {
  /** Width and height. */
  readonly thumbnail: readonly number[];
  readonly cover: readonly number[];
  readonly thumbnailBytes: number;
  /** Whether the cover has no colour but red. */
  readonly isRed: boolean;
}

/**
 * For the top of a test file.
 * @returns makes the pictures from one of a size, as `1280x720`, or from the first of ffmpeg's filters
 */
export function sentPictures(): (picture: string, squareCover?: SquareCover) => Promise<MadePictures> {
  let pipeline: Pipeline;
  let folder: string;
  let server: Server;
  let body = Buffer.alloc(0);
  let url: string;

  beforeAll(async () => {
    const own = await openTestPipeline();
    server = createServer((_request, response) => void response.end(body));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}/picture`;
    ({ folder } = own);
    pipeline = { ...own.pipeline, guard: await startEgressGuard({ allow: [{ host: "127.0.0.1", port }] }) };
    return () => own[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await pipeline.guard.stop();
    server.close();
  });

  async function sizeOf(jpeg: string): Promise<number[]> {
    return (await probedLines("-show_entries", "stream=width,height", jpeg)).join().split(",").map(Number);
  }

  async function isRed(jpeg: string): Promise<boolean> {
    const args = ["-v", "error", "-i", jpeg, "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"];
    const { stdout } = await run(pipeline.tools.ffmpegPath, args, { encoding: "buffer", maxBuffer: 10_000_000 });
    // Twice as red as green, so that the noise of a JPEG does not count.
    return stdout.every((_, at) => at % 3 !== 0 || stdout.readUInt8(at) > 2 * stdout.readUInt8(at + 1));
  }

  return async (picture, squareCover) => {
    const path = join(folder, "sent.png");
    await ffmpeg(...lavfi(picture.includes("=") ? picture : `color=teal:size=${picture}`), "-frames:v", "1", path);
    body = await readFile(path);
    const info = { title: "A", tags: { title: "A" }, thumbnailUrls: [url], renditions: [], isGeneric: true, base: {} };
    const made = await makePicture({ pipeline, signal: never }, { ...info, squareCover }, folder);
    if (!made) throw new Error("there is no picture");
    const [thumbnail, cover] = [await sizeOf(made.thumbnailPath), await sizeOf(made.coverPath)];
    const { size: thumbnailBytes } = await stat(made.thumbnailPath);
    return { thumbnail, cover, thumbnailBytes, isRed: await isRed(made.coverPath) };
  };
}
