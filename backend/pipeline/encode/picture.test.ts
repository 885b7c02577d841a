/** The pictures of a video, from what its site sends. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestPipeline } from "../../dev/testing/test-pipeline.ts";
import { startEgressGuard } from "../guard/egress-guard.ts";
import type { Pipeline } from "../pipeline.ts";
import { makePicture } from "./picture.ts";

const run = promisify(execFile);
const never = new AbortController().signal;
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

it.each([
  { size: "1280x720", thumbnail: [320, 180], cover: [720, 404] },
  { size: "720x1280", thumbnail: [320, 568], cover: [720, 1_280] },
  { size: "160x90", thumbnail: [160, 90], cover: [160, 90] },
  { size: "320x65500", thumbnail: [2, 640], cover: [6, 1_440] },
])("makes pictures of bounded size from one of $size", async ({ size, thumbnail, cover }) => {
  const path = join(folder, "sent.png");
  const { ffmpegPath } = pipeline.tools;
  await run(ffmpegPath, ["-v", "error", "-y", "-f", "lavfi", "-i", `color=teal:size=${size}`, "-frames:v", "1", path]);
  body = await readFile(path);
  const info = { title: "A", tags: { title: "A" }, thumbnailUrls: [url], renditions: [], isGeneric: true, base: {} };
  const made = await makePicture(pipeline, info, folder, never);
  if (!made) throw new Error("there is no picture");
  const sizeOf = async (jpeg: string) => {
    const args = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", jpeg];
    const { stdout } = await run(pipeline.tools.ffprobePath, args);
    return stdout.trim().split(",").map(Number);
  };
  expect([await sizeOf(made.thumbnailPath), await sizeOf(made.coverPath)]).toEqual([thumbnail, cover]);
  expect((await stat(made.thumbnailPath)).size).toBeLessThan(100_000);
});
