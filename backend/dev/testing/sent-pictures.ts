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
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { openTestPipeline } from "./test-pipeline.ts";

const run = promisify(execFile);
const never = new AbortController().signal;

export interface MadePictures {
  /** Width and height. */
  readonly thumbnail: readonly number[];
  readonly cover: readonly number[];
  readonly thumbnailBytes: number;
}

/** For the top of a test file. @returns makes the pictures from one of a size, as `1280x720` */
export function sentPictures(): (size: string) => Promise<MadePictures> {
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
    return own.close;
  });
  afterAll(async () => {
    await pipeline.guard.stop();
    server.close();
  });

  async function sizeOf(jpeg: string): Promise<number[]> {
    const args = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", jpeg];
    const { stdout } = await run(pipeline.tools.ffprobePath, args);
    return stdout.trim().split(",").map(Number);
  }

  return async (size) => {
    const path = join(folder, "sent.png");
    const { ffmpegPath } = pipeline.tools;
    await run(ffmpegPath, [
      "-v",
      "error",
      "-y",
      "-f",
      "lavfi",
      "-i",
      `color=teal:size=${size}`,
      "-frames:v",
      "1",
      path,
    ]);
    body = await readFile(path);
    const info = { title: "A", tags: { title: "A" }, thumbnailUrls: [url], renditions: [], isGeneric: true, base: {} };
    const made = await makePicture(pipeline, info, folder, never);
    if (!made) throw new Error("there is no picture");
    const [thumbnail, cover] = [await sizeOf(made.thumbnailPath), await sizeOf(made.coverPath)];
    return { thumbnail, cover, thumbnailBytes: (await stat(made.thumbnailPath)).size };
  };
}
