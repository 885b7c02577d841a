/**
 * A site that serves the files of a folder, each with a page, and a pipeline that reaches it with the real tools. The page
 * of a.mp4 has the subtitles of a.mp4.vtt, if it is there. Of a file whose name begins with "unstated-" the site does not
 * say how many bytes it has. Addresses of media whose name begins with "ending-" work for three requests each, and only
 * until the page is read anew.
 */
import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import parseRange from "range-parser";
import { inject } from "vitest";
import { parseHostList } from "../../../common/hosts.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { ConvertListener, ConvertRequest } from "../../pipeline/convert.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { openJobFolder } from "../../pipeline/process/job-folder.ts";
import { PATIENT_LIMITS } from "./patient-limits.ts";
import { shareExtractions, startTestExtractor } from "./test-extractor.ts";
import { testFolder } from "./test-folder.ts";
import { openTestSandbox } from "./test-sandbox.ts";
import { convertAsTold, type MadeFile } from "./told-findings.ts";

const run = promisify(execFile);

export interface FileConversion extends Partial<Omit<ConvertRequest, "url" | "folder">> {
  /** In the folder of the site, or the link of another page. */
  readonly file: string;
  /** The link is that of the file itself, not of a page with it. */
  readonly isDirect?: boolean;
  readonly format: ConvertRequest["format"];
  readonly listener?: Partial<ConvertListener>;
  /** In place of what the pipeline of the site has. */
  readonly instead?: Partial<Pipeline>;
  /** Checks the result before its folder is removed. */
  readonly check?: (file: MadeFile) => Promise<void> | void;
}

export interface FolderPipeline extends AsyncDisposable {
  readonly pipeline: Pipeline;
  /** Has the folders of conversions. */
  readonly work: string;
  /** Address of the page of a file. */
  readonly pageOf: (file: string) => string;
  /** Address of a file itself. */
  readonly mediaOf: (file: string) => string;
  /** How often pages were read whose media has addresses that end. */
  readonly pagesRead: () => number;
  /** What is in it is on the site. */
  readonly folder: string;
  /** Runs ffmpeg in the folder of the site. */
  readonly ffmpeg: (...args: string[]) => Promise<Buffer>;
  /** Converts the page of a file, for the free plan unless stated. */
  readonly convert: (conversion: FileConversion) => Promise<MadeFile>;
}

const REQUESTS_PER_ADDRESS = 3;

/** The addresses of media that end. */
class EndingAddresses {
  #pagesRead = 0;
  readonly #requests = new Map<string, number>();

  get query(): string {
    return `?read=${this.#pagesRead}`;
  }

  get pagesRead(): number {
    return this.#pagesRead;
  }

  readPage(): void {
    this.#pagesRead += 1;
    this.#requests.clear();
  }

  /** Counts a request. @returns whether the address has ended */
  haveEnded({ url = "", method }: IncomingMessage): boolean {
    const count = (this.#requests.get(url) ?? 0) + (method === "GET" ? 1 : 0);
    this.#requests.set(url, count);
    return !url.endsWith(this.query) || count > REQUESTS_PER_ADDRESS;
  }
}

async function answer(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
  ending: EndingAddresses,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const name = basename(pathname);
  const isEnding = name.startsWith("ending-");
  if (pathname.startsWith("/watch/")) {
    const subtitles = `${name}.vtt`;
    const hasSubtitles = (await readdir(folder)).includes(subtitles);
    const track = hasSubtitles ? `<track kind="subtitles" srclang="en" src="/media/${subtitles}">` : "";
    response.setHeader("content-type", "text/html");
    if (isEnding) ending.readPage();
    const media = `/media/${name}${isEnding ? ending.query : ""}`;
    response.end(`<!doctype html><title>${name}</title><video src="${media}">${track}</video>`);
    return;
  }
  if (isEnding && ending.haveEnded(request)) {
    response.writeHead(403).end();
    return;
  }
  const path = join(folder, name);
  if (name.startsWith("unstated-")) {
    response.setHeader("content-type", "video/mp4");
    if (request.method === "HEAD") response.end();
    else createReadStream(path).pipe(response);
    return;
  }
  if (isEnding && name.endsWith(".m3u8")) {
    response.setHeader("content-type", "application/vnd.apple.mpegurl");
    response.end((await readFile(path, "utf8")).replaceAll(/^[^#\n]+/gm, `$&${ending.query}`));
    return;
  }
  const { size } = await stat(path);
  const ranges = parseRange(size, request.headers.range ?? "");
  const [range] = Array.isArray(ranges) ? ranges : [];
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.statusCode = range ? 206 : 200;
  response.setHeader("content-type", name.endsWith(".m3u8") ? "application/vnd.apple.mpegurl" : "video/mp4");
  response.setHeader("accept-ranges", "bytes");
  response.setHeader("content-length", end - start + 1);
  if (range) response.setHeader("content-range", `bytes ${start}-${end}/${size}`);
  if (request.method === "HEAD") response.end();
  else createReadStream(path, { start, end }).pipe(response);
}

export async function folderPipeline(): Promise<FolderPipeline> {
  await using opened = new AsyncDisposableStack();
  const tools = inject("toolPaths");
  const folder = await testFolder();
  const ending = new EndingAddresses();
  const site = createServer((request, response) => {
    answer(folder, request, response, ending).catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  opened.defer(() => site.close().closeAllConnections());
  const address = site.address();
  const host = `localhost:${typeof address === "object" ? address?.port : ""}`;
  const videoHosts = parseHostList(host);
  const work = await testFolder();
  const pipeline: Pipeline = {
    tools,
    sandbox: await openTestSandbox(),
    guard: opened.use(await startEgressGuard({ allow: videoHosts })),
    extractorHost: opened.use(await startTestExtractor(work)),
    videoHosts,
    limits: PATIENT_LIMITS,
    extractions: shareExtractions(),
  };
  let conversions = 0;
  const rest = opened.move();
  return {
    pipeline,
    work,
    pageOf: (file) => `http://${host}/watch/${file}`,
    mediaOf: (file) => `http://${host}/media/${file}`,
    pagesRead: () => ending.pagesRead,
    folder,
    async ffmpeg(...args) {
      const options = { cwd: folder, encoding: "buffer", maxBuffer: 100_000_000 } as const;
      return (await run(tools.ffmpegPath, ["-v", "error", "-nostdin", "-y", ...args], options)).stdout;
    },
    async convert({ file, isDirect, listener, instead, check, ...asked }) {
      conversions += 1;
      await using own = await openJobFolder(work, `job-${conversions}`);
      const request = {
        url: URL.canParse(file) ? file : `http://${host}/${isDirect ? "media" : "watch"}/${file}`,
        limits: TIERS.free,
        ...asked,
        folder: own.path,
      };
      const about = { found: () => undefined, progress: () => undefined, ...listener };
      const made = await convertAsTold({
        request,
        listener: about,
        pipeline: { ...pipeline, ...instead },
        signal: new AbortController().signal,
      });
      await check?.(made);
      return made;
    },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
