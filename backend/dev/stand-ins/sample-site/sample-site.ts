/**
 * A small video site on this machine: good pages to try the product with, and bad ones to test it against.
 * Development and tests only.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SampleLink } from "../../../../common/api.ts";
import { status, wholeFile } from "./answers.ts";
import { type PrepareClipsOptions, prepareClips } from "./clips.ts";
import { listenOnLoopback } from "./listeners.ts";
import { PAGES, type PageName, isPageName } from "./pages.ts";
import { type RecordedRequest, RequestLog } from "./request-log.ts";

export type { PageName } from "./pages.ts";
export type { RecordedRequest } from "./request-log.ts";

export interface SampleSiteOptions extends PrepareClipsOptions {
  /** 0 or absent: a free one. */
  readonly port?: number;
}

export interface SampleSite {
  /** `http://localhost:PORT`. */
  readonly origin: string;
  /** `localhost:PORT`, as a list of video hosts names it. */
  readonly host: string;
  /** The well-behaved pages, for people to try. */
  readonly links: readonly SampleLink[];
  urlOf(name: PageName): string;
  /** Everything asked since the start or the last reset, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The n-th request (from 1) of a path such as /watch/rain, as soon as it has come. */
  nthRequest(path: string, nth: number): Promise<RecordedRequest>;
  /** The most requests that were under way at a time since the start or the last reset. */
  readonly mostUnderWay: number;
  /** Where hostile pages point: on another port, that nobody listed. */
  readonly privateTarget: {
    readonly origin: string;
    /** Connections made to it, even if nothing was asked. */
    readonly contacts: number;
  };
  /**
   * Lets what was held back of a page go, for all who ask with the same words behind the address, from now
   * on too. Whoever is elsewhere asks for /let-go with the same words.
   */
  letGo(url: string): void;
  /** Forgets requests and contacts; pages that are busy twice are busy twice again. */
  reset(): void;
  /** Ends at once, whatever is being sent. */
  stop(): Promise<void>;
}

/**
 * Makes the clips if they are missing (under 20 s on two cores, once) and serves the pages at /watch/NAME.
 *
 * @throws Error when a clip cannot be made or the port is taken.
 */
export async function startSampleSite({ port = 0, ...options }: SampleSiteOptions): Promise<SampleSite> {
  const clips = await prepareClips(options);
  const log = new RequestLog();
  let contacts = 0;
  const latches = new Map<string, PromiseWithResolvers<void>>();
  function latchOf(search: string): PromiseWithResolvers<void> {
    const latch = latches.get(search) ?? Promise.withResolvers<void>();
    latches.set(search, latch);
    return latch;
  }
  let [underWay, mostUnderWay] = [0, 0];
  const target = await listenOnLoopback(0, answerPrivately, () => (contacts += 1));
  const privateOrigin = `http://127.0.0.1:${target.port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    const nth = log.record(recorded(request, pathname));
    const [, area, name = "", ...rest] = pathname.split("/");
    const page = isPageName(name) ? PAGES[name] : undefined;
    const exchange = {
      request,
      response,
      clips,
      nth,
      // Nearly nobody asks: a latch for every address would be kept for nothing.
      get letGo() {
        return latchOf(search).promise;
      },
      places: { origin, privateOrigin, page: name, search },
    };
    if (area === "let-go") {
      latchOf(search).resolve();
      return status(200)(exchange);
    }
    if (area === "clips") return wholeFile([name, ...rest].join("/"))(exchange);
    if (area === "watch" && page) return page.watch(exchange);
    const answer = area === "media" ? page?.media[rest.join("/")] : undefined;
    return (answer ?? status(404))(exchange);
  }

  const site = await listenOnLoopback(port, (request, response) => {
    mostUnderWay = Math.max(mostUnderWay, (underWay += 1));
    response.once("close", () => (underWay -= 1));
    handle(request, response).catch((error: unknown) => {
      options.report(`Sample site: ${request.url} could not be answered: ${String(error)}`);
      response.destroy();
    });
  }).catch(async (error: unknown) => {
    await target.stop();
    throw error;
  });
  const host = `localhost:${site.port}`;
  const origin = `http://${host}`;
  const urlOf = (name: PageName): string => `${origin}/watch/${name}`;

  return {
    origin,
    host,
    links: Object.entries(PAGES).flatMap(([name, { label }]) =>
      label === undefined ? [] : [{ label, url: urlOf(name as PageName) }],
    ),
    urlOf,
    requests: log.requests,
    nthRequest: (path, nth) => log.nth(path, nth),
    get mostUnderWay() {
      return mostUnderWay;
    },
    privateTarget: {
      origin: privateOrigin,
      get contacts() {
        return contacts;
      },
    },
    letGo: (url) => latchOf(new URL(url).search).resolve(),
    reset() {
      log.clear();
      contacts = 0;
      mostUnderWay = underWay;
    },
    async stop() {
      await Promise.all([site.stop(), target.stop()]);
    },
  };
}

function recorded(request: IncomingMessage, path: string): RecordedRequest {
  const { range, "user-agent": userAgent } = request.headers;
  return {
    method: request.method ?? "GET",
    path,
    ...(range === undefined ? {} : { range }),
    ...(userAgent === undefined ? {} : { userAgent }),
  };
}

/**
 * What a careless neighbour would say to anybody on this machine; each time on a connection of its own, to be counted.
 */
function answerPrivately(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/plain", connection: "close" }).end("for this machine only\n");
}
