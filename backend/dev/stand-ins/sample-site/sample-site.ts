/**
 * A small video site on this machine: good pages to try the product with, and bad ones to test it against.
 * Development and tests only.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SampleLink } from "../../../../common/api.ts";
import { status } from "./answers.ts";
import { type PrepareClipsOptions, prepareClips } from "./clips.ts";
import type { Exchange } from "./exchange.ts";
import { wholeFile } from "./file-answers.ts";
import { listenOnLoopback, type Listener } from "./listeners.ts";
import { PAGES, type PageName, isPageName } from "./pages.ts";
import { type RecordedRequest, RequestLog } from "./request-log.ts";

export type { PageName } from "./pages.ts";
export type { RecordedRequest } from "./request-log.ts";

export interface SampleSiteOptions extends PrepareClipsOptions {
  /** 0 or undefined for a free one. */
  readonly port?: number;
}

/**
 * Makes the clips if they are missing (under 20 s on two cores, once) and serves the pages at /watch/NAME.
 * @throws Error when a clip cannot be made or the port is taken
 */
export async function startSampleSite({ port = 0, ...options }: SampleSiteOptions): Promise<SampleSite> {
  const site = new SampleSite(await prepareClips(options), options.report);
  await site.listen(port);
  return site;
}

/** Media of DASH and HLS, without manifests. */
const SEGMENT = /\.(?:m4s|ts)$/;

export class SampleSite {
  readonly #clips: string;
  readonly #report: (line: string) => void;
  readonly #log = new RequestLog();
  /** By query; a page that is held back waits for the one of its request. */
  readonly #releases = new Map<string, PromiseWithResolvers<void>>();
  #site: Listener | undefined;
  #privateSite: Listener | undefined;
  #privateContacts = 0;
  #openRequests = 0;
  #mostOpenRequests = 0;
  #segmentGate: { openCount: number; readonly opened: PromiseWithResolvers<void> } | undefined;

  constructor(clips: string, report: (line: string) => void) {
    this.#clips = clips;
    this.#report = report;
  }

  /** Called once, by `startSampleSite`. */
  async listen(port: number): Promise<void> {
    this.#privateSite = await listenOnLoopback(0, answerPrivately, () => (this.#privateContacts += 1));
    try {
      this.#site = await listenOnLoopback(port, (request, response) => this.#handle(request, response));
    } catch (error) {
      await this.#privateSite.stop();
      throw error;
    }
  }

  /** `localhost:PORT`, as a list of video hosts names it. */
  get host(): string {
    return `localhost:${this.#site?.port}`;
  }

  /** `http://localhost:PORT`. */
  get origin(): string {
    return `http://${this.host}`;
  }

  /** The pages that the product offers as sample links. */
  get links(): readonly SampleLink[] {
    return Object.entries(PAGES).flatMap(([name, { label }]) =>
      label === undefined ? [] : [{ label, url: this.urlOf(name as PageName) }],
    );
  }

  urlOf(name: PageName): string {
    return `${this.origin}/watch/${name}`;
  }

  /** All requests since the start or the last reset, oldest first. */
  get requests(): readonly RecordedRequest[] {
    return this.#log.requests;
  }

  /** Waits for the n-th request (from 1) of a path such as /watch/rain. */
  nthRequest(path: string, nth: number): Promise<RecordedRequest> {
    return this.#log.nth(path, nth);
  }

  /** Holds back media segments until `releaseSegmentsAt` has been called. */
  holdSegments(): void {
    this.#segmentGate = { openCount: Number.POSITIVE_INFINITY, opened: Promise.withResolvers() };
  }

  /**
   * Releases the segments when so many requests are open, and forgets how many were open before. Without waiting for
   * them, a client that is slower than the site has few requests open, however many it may have.
   */
  releaseSegmentsAt(openCount: number): void {
    if (this.#segmentGate) this.#segmentGate.openCount = openCount;
    this.#mostOpenRequests = this.#openRequests;
    this.#openSegmentGate();
  }

  /** Largest number of requests that were open at the same time since the start or the last reset. */
  get mostOpenRequests(): number {
    return this.#mostOpenRequests;
  }

  /** Target of hostile pages: another port, which is in no list of video hosts. `contacts` counts connections. */
  get privateTarget(): { readonly origin: string; readonly contacts: number } {
    return { origin: `http://127.0.0.1:${this.#privateSite?.port}`, contacts: this.#privateContacts };
  }

  /**
   * Releases pages that are held back, for all requests with the query of `url`, also later ones. Another process
   * requests /release with that query instead.
   */
  release(url: string): void {
    this.#releaseOf(new URL(url).search).resolve();
  }

  /** Clears requests and contacts; pages that answer 429 twice do so again. */
  reset(): void {
    this.#log.clear();
    this.#privateContacts = 0;
    this.#mostOpenRequests = this.#openRequests;
    this.#segmentGate?.opened.resolve();
    this.#segmentGate = undefined;
  }

  /** Breaks all connections. */
  async stop(): Promise<void> {
    await Promise.all([this.#site?.stop(), this.#privateSite?.stop()]);
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    this.#openRequests += 1;
    this.#mostOpenRequests = Math.max(this.#mostOpenRequests, this.#openRequests);
    this.#openSegmentGate();
    let isOpen = true;
    const end = (): void => {
      if (isOpen) this.#openRequests -= 1;
      isOpen = false;
    };
    // "close" may come later than the client's next request, which starts when it has read the answer.
    response.once("finish", end).once("close", end);
    this.#answer(request, response).catch((error: unknown) => {
      this.#report(`Sample site: ${request.url} could not be answered: ${String(error)}`);
      response.destroy();
    });
  }

  #openSegmentGate(): void {
    if (this.#segmentGate && this.#openRequests >= this.#segmentGate.openCount) this.#segmentGate.opened.resolve();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const nth = this.#log.record(recorded(request, pathname));
    const [, area, name = "", ...rest] = pathname.split("/");
    const page = isPageName(name) ? PAGES[name] : undefined;
    const releaseOf = () => this.#releaseOf(search);
    const exchange: Exchange = {
      request,
      response,
      clips: this.#clips,
      nth,
      // A getter, because few pages use it and every new query would add an entry to the map.
      get released() {
        return releaseOf().promise;
      },
      context: { origin: this.origin, privateOrigin: this.privateTarget.origin, page: name, search },
    };
    if (area === "release") {
      releaseOf().resolve();
      return status(200)(exchange);
    }
    if (area === "clips" && SEGMENT.test(pathname)) await this.#segmentGate?.opened.promise;
    if (area === "clips") return wholeFile([name, ...rest].join("/"))(exchange);
    if (area === "watch" && page) return page.watch(exchange);
    const answer = area === "media" ? page?.media[rest.join("/")] : undefined;
    return (answer ?? status(404))(exchange);
  }

  #releaseOf(search: string): PromiseWithResolvers<void> {
    const release = this.#releases.get(search) ?? Promise.withResolvers<void>();
    this.#releases.set(search, release);
    return release;
  }
}

function recorded(request: IncomingMessage, path: string): RecordedRequest {
  const { range, "user-agent": userAgent } = request.headers;
  return { method: request.method ?? "GET", path, range, userAgent };
}

/** Answers as a private service that trusts this machine; one connection for each request, so that they are counted. */
function answerPrivately(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/plain", connection: "close" }).end("for this machine only\n");
}
