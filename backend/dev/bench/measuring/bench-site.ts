/** The bench's video site: a page for each clip, directly on loopback and behind shaped wires, and a count of bytes. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { readdir, stat } from "node:fs/promises";
import { status } from "../../stand-ins/sample-site/answers.ts";
import { clip } from "../../stand-ins/sample-site/exchange.ts";
import { wholeFile } from "../../stand-ins/sample-site/file-answers.ts";
import { listenOnLoopback } from "../../stand-ins/sample-site/listeners.ts";
import { DASH_TYPE, HLS_TYPE } from "../../stand-ins/sample-site/manifests.ts";
import { watchPage, type Video } from "../../stand-ins/sample-site/watch-page.ts";
import { startShapedWire, type ShapedWire } from "./shaped-wire.ts";
import type { SiteFigures, SiteOrigins } from "./site-figures.ts";
import { GUARD_SECONDS } from "../cases/bench-clips.ts";
import { SHAPES, type WireName } from "../cases/wires.ts";

const MP4 = "video/mp4";
const WEBM = "video/webm";

function video(folder: string, file: string, type: string, durationSeconds: number): Video {
  return {
    title: `Bench clip ${folder} ${file}`,
    media: clip(`${folder}/${file}`),
    type,
    durationSeconds,
    thumbnail: clip(`${folder}/cover.jpg`),
  };
}

const LENGTHS = { ten: 600, two: 120 } as const;

const PAGES: Readonly<Record<string, Video>> = {
  ...Object.fromEntries(
    Object.entries(LENGTHS).flatMap(([folder, seconds]) => [
      ...[480, 720, 1080].map(
        (lines) => [`${folder}-progressive-${lines}`, video(folder, `video-${lines}.mp4`, MP4, seconds)] as const,
      ),
      [`${folder}-hls`, video(folder, "master.m3u8", HLS_TYPE, seconds)] as const,
      [`${folder}-dash`, video(folder, "manifest.mpd", DASH_TYPE, seconds)] as const,
    ]),
  ),
  "long-progressive": video("long", "video-240.mp4", MP4, 7_200),
  "long-hls": video("long", "master.m3u8", HLS_TYPE, 7_200),
  "long-dash": video("long", "manifest.mpd", DASH_TYPE, 7_200),
  "vp9-480": video("vp9", "video-480.webm", WEBM, 60),
  "vp9-1080": video("vp9", "video-1080.webm", WEBM, 60),
  "vp9-short": video("vp9", "short.webm", WEBM, 15),
  "brief-progressive": video("brief", "video-480.mp4", MP4, 30),
  "three-progressive": video("three", "video-480.mp4", MP4, 180),
  "guard-progressive": video("guard", "video-480.mp4", MP4, GUARD_SECONDS),
  "guard-hls": video("guard", "master.m3u8", HLS_TYPE, GUARD_SECONDS),
  "guard-dash": video("guard", "manifest.mpd", DASH_TYPE, GUARD_SECONDS),
};

/** @returns name of the rendition that a file belongs to; DASH and HLS renditions have many files; null for others */
export function renditionOf(path: string): string | null {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const folder = parts.join("/");
  if (/\.(?:m3u8|mpd|jpg)$/.test(name)) return null;
  const dashPart = /^(?:init|part)-(\d+)(?:-\d+)?\.m4s$/.exec(name);
  return dashPart ? `${folder}/dash-${dashPart[1]}` : name.endsWith(".ts") ? folder : `${folder}/${name}`;
}

/** @returns size in bytes of each rendition in the clips' folder */
async function renditionSizes(clips: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(clips, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const rendition = renditionOf(file.slice(clips.length + 1));
    if (rendition !== null) sizes[rendition] = (sizes[rendition] ?? 0) + (await stat(file)).size;
  }
  return sizes;
}

export interface BenchSite {
  readonly origins: SiteOrigins;
  stop(): Promise<void>;
}

/** @param clips the folder of prepared clips */
export async function startBenchSite(clips: string, report: (line: string) => void): Promise<BenchSite> {
  const counter = new SiteCounter(await renditionSizes(clips));
  const site = await listenOnLoopback(
    0,
    (request, response) => {
      answer(request, response, clips, counter).catch((error: unknown) => {
        report(`${request.url} could not be answered: ${String(error)}`);
        response.destroy();
      });
    },
    (socket) => counter.countConnection(socket),
  );
  const wires = new Map<WireName, ShapedWire>();
  for (const [name, shape] of SHAPES) wires.set(name, await startShapedWire(site.port, shape));
  return {
    origins: {
      unlimited: `http://localhost:${site.port}`,
      shaped: Object.fromEntries([...wires].map(([name, { port }]) => [name, `http://127.0.0.1:${port}`])),
    },
    async stop() {
      await Promise.all([...wires.values()].map((wire) => wire.stop()));
      await site.stop();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  clips: string,
  counter: SiteCounter,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (pathname === "/figures") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(counter.figures()));
    if (request.method === "POST") counter.reset();
    return;
  }
  counter.countRequest(request, response, pathname);
  const [, area, name = "", ...rest] = pathname.split("/");
  // A page links to the wire on which it was requested.
  const origin = `http://${request.headers.host ?? "localhost"}`;
  const exchange = {
    request,
    response,
    clips,
    nth: 1,
    released: Promise.resolve(),
    context: { origin, privateOrigin: origin, page: name, search: "" },
  };
  const page = PAGES[name];
  if (area === "clips") return wholeFile([name, ...rest].join("/"))(exchange);
  if (area === "watch" && page) return watchPage(page)(exchange);
  return status(404)(exchange);
}

/** Counts connections, requests and bytes since the last reset. */
class SiteCounter {
  readonly #sizes: Readonly<Record<string, number>>;
  #sentBytes = 0;
  #requests = 0;
  #renditionBytes: Record<string, number> = {};
  #firstAskedAtMs: Record<string, number> = {};
  #openConnections = 0;
  #mostConnections = 0;

  /** @param sizes bytes of each rendition */
  constructor(sizes: Readonly<Record<string, number>>) {
    this.#sizes = sizes;
  }

  figures(): SiteFigures {
    return {
      sentBytes: this.#sentBytes,
      requests: this.#requests,
      mostConnections: this.#mostConnections,
      firstAskedAtMs: this.#firstAskedAtMs,
      renditions: Object.entries(this.#renditionBytes).map(([name, sentBytes]) => ({
        name,
        sentBytes,
        sizeBytes: this.#sizes[name] ?? 0,
      })),
    };
  }

  reset(): void {
    this.#sentBytes = 0;
    this.#requests = 0;
    this.#renditionBytes = {};
    this.#firstAskedAtMs = {};
    this.#mostConnections = this.#openConnections;
  }

  countConnection(socket: Socket): void {
    this.#openConnections += 1;
    this.#mostConnections = Math.max(this.#mostConnections, this.#openConnections);
    socket.once("close", () => (this.#openConnections -= 1));
  }

  countRequest(request: IncomingMessage, response: ServerResponse, path: string): void {
    this.#requests += 1;
    this.#firstAskedAtMs[request.url ?? "/"] ??= performance.timeOrigin + performance.now();
    const { socket } = request;
    const beforeBytes = socket.bytesWritten;
    response.once("close", () => {
      const bytes = socket.bytesWritten - beforeBytes;
      this.#sentBytes += bytes;
      const rendition = path.startsWith("/clips/") ? renditionOf(path.slice("/clips/".length)) : null;
      if (rendition !== null) this.#renditionBytes[rendition] = (this.#renditionBytes[rendition] ?? 0) + bytes;
    });
  }
}
