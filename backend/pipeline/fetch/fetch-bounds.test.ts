/** What one download may take: bytes on disk, whatever came over the wire, and time at a pace that is too low. */
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { TIERS } from "../../../common/tiers.ts";
import { PATIENT_LIMITS } from "../../dev/testing/patient-limits.ts";
import { testRendition } from "../../dev/testing/test-rendition.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { startEgressGuard, type EgressGuard } from "../guard/egress-guard.ts";
import { leastPaceOf, watchStall } from "../guard/stall-watch.ts";
import type { PipelineLimits } from "../limits.ts";
import type { Pipeline } from "../pipeline.ts";
import type { Rendition, VideoInfo } from "../probe/info.ts";
import { RequestPauses } from "./request-pauses.ts";
import { fetchRenditions } from "./download.ts";
import { findScriptRuntime } from "../process/script-runtime.ts";

const MB = 1_000_000;
const MAX_SOURCE_BYTES = 20 * MB;
const SEGMENT_BYTES = 10 * MB;

const root = await testFolder();
let folder: string;
let folders = 0;
let server: Server;
let origin: string;
let guard: EgressGuard;
let pipeline: Pipeline;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  const videoHosts = [{ host: "127.0.0.1", port }];
  guard = await startEgressGuard({ allow: videoHosts });
  const tools = { ...inject("toolPaths"), denoPath: findScriptRuntime() };
  pipeline = { tools, guard, videoHosts, limits: PATIENT_LIMITS };
});
afterAll(async () => {
  await guard.stop();
  server.close();
  server.closeAllConnections();
});
beforeEach(async () => {
  folder = join(root, String((folders += 1)));
  await mkdir(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const base = { _type: "video", id: "video", title: "video", extractor: "generic", extractor_key: "Generic" };
const info: VideoInfo = { title: "A", tags: { title: "A" }, thumbnailUrls: [], renditions: [], isGeneric: true, base };

/** @returns the code of the failure, or "done", and the bytes on disk then */
async function fetchOne(
  fields: Partial<Rendition>,
  limits: PipelineLimits = pipeline.limits,
): Promise<{ outcome: string; diskBytes: number }> {
  using session = guard.open(MAX_SOURCE_BYTES);
  using watch = watchStall(session, limits.stallTimeoutMs, leastPaceOf(limits));
  const rendition = testRendition({ url: `${origin}/media`, ...fields });
  const outcome = await fetchRenditions(
    { pipeline, signal: AbortSignal.any([session.exceeded, watch.stalled]) },
    {
      info,
      renditions: [rendition],
      limits: TIERS.free,
      maxSourceBytes: MAX_SOURCE_BYTES,
      folder,
      session,
      pauses: new RequestPauses({ maxMs: 0 }),
      onProgress: () => undefined,
    },
  ).then(
    () => "done",
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  return { outcome, diskBytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

function playlist(segmentCount: number): string {
  const segments = Array.from({ length: segmentCount }, (_, n) => `#EXTINF:4,\n/segment-${n}`);
  return ["#EXTM3U", "#EXT-X-TARGETDURATION:4", ...segments, "#EXT-X-ENDLIST", ""].join("\n");
}

/** With yt-dlp, which alone has the cookies. */
const fetchPlaylist = () => {
  const url = `${origin}/list.m3u8`;
  const rawJson = new TextEncoder().encode(JSON.stringify({ ext: "mp4", protocol: "m3u8_native", url }));
  return fetchOne({ delivery: "hls", url, rawJson, hasCookies: true });
};

it("refuses segments that unpack to more than was sent, long before the source limit is on disk", async () => {
  const packed = gzipSync(Buffer.alloc(SEGMENT_BYTES));
  expect(packed.length * 900).toBeLessThan(SEGMENT_BYTES);
  let segments = 0;
  answer = ({ url }, response) => {
    if (url === "/list.m3u8") return void response.end(playlist(30));
    segments += 1;
    response.writeHead(200, { "content-encoding": "gzip", "content-length": packed.length }).end(packed);
  };
  const { outcome, diskBytes } = await fetchPlaylist();
  expect(outcome).toBe("unavailable");
  expect(segments).toBeLessThan(30);
  expect(diskBytes).toBeLessThan(30 * SEGMENT_BYTES);
});

it("still fetches plain segments with yt-dlp", async () => {
  const segment = Buffer.alloc(100_000, 71);
  answer = ({ url }, response) => void response.end(url === "/list.m3u8" ? playlist(3) : segment);
  expect(await fetchPlaylist()).toMatchObject({ outcome: "done" });
});

it.each(["gzip", "br", "identity, deflate"])(
  "refuses a file that is sent with Content-Encoding: %s",
  async (encoding) => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(gzipSync(Buffer.alloc(MB)));
    };
    expect(await fetchOne({})).toEqual({ outcome: "unavailable", diskBytes: 0 });
  },
);

it("takes a file whose Content-Encoding says that it is not encoded", async () => {
  answer = (_request, response) => void response.writeHead(200, { "content-encoding": "identity" }).end("media");
  expect(await fetchOne({})).toEqual({ outcome: "done", diskBytes: 5 });
});

it("gives up a source that sends a few bytes again and again", async () => {
  answer = (_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write("."), 20);
    response.once("close", () => clearInterval(drip));
  };
  const limits = { ...pipeline.limits, paceWindowMs: 400, leastBytesPerWindow: 2_000 };
  expect(await fetchOne({}, limits)).toMatchObject({ outcome: "timeout" });
});
