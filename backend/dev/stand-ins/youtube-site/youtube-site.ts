/**
 * A small site on this machine that behaves as YouTube does towards yt-dlp: watch pages, player calls per client, a
 * player script with challenges, media that is refused without their solution, bot checks per address, rate limits.
 * It is reached through its exits (forward proxies), so no name has to be resolved. Development and tests only.
 */
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { json } from "node:stream/consumers";
import parseRange from "range-parser";
import { z } from "zod";
import { type PrepareClipsOptions, prepareClips } from "../sample-site/clips.ts";
import { SiteAccount } from "./account.ts";
import { makeCertificate } from "./certificate.ts";
import { ADAPTIVE_FORMATS, CLIP_SECONDS, longYouTubeClips, MUXED_FORMAT, YOUTUBE_CLIPS } from "./clips.ts";
import { type Exit, Exits } from "./exits.ts";
import { MediaAddresses } from "./media-addresses.ts";
import { makePlayer, type Player } from "./player-script.ts";
import { PlayerResponses } from "./player-response.ts";
import type { RequestKind, SiteRequest } from "./request-log.ts";
import { ROLLING_SUBTITLES, SUBTITLES } from "./subtitles.ts";
import { TOKEN_PATH, Tokens } from "./tokens.ts";
import { BOT_CHECK_STATUS, findVideo, type Video } from "./videos.ts";
import { channelData, continuationData, findList, playlistData, refusalData } from "./video-lists.ts";
import { clipData, clipPage, configPage, listPage, pageConfig, scriptPath, watchPage } from "./watch-page.ts";

export type { Exit } from "./exits.ts";

/** Path of a clip: 5 s of the plain video, which begin 4 s behind its start. */
export const CLIP_PATH = "/clip/UgkxTapedeckTapedeck";

/** Releases of yt-dlp before 2026.10.21 do not look for it. */
const LIST_ELEMENT = "yt-initial-data";

/** What a call for a list or for more of it names. */
const BrowseBody = z.object({ browseId: z.string().optional(), continuation: z.string().optional() });
/** What a player call says about itself. */
const PlayerBody = z.object({
  videoId: z.string(),
  context: z.object({ client: z.object({ clientName: z.string() }) }),
  playbackContext: z
    .object({ contentPlaybackContext: z.object({ signatureTimestamp: z.number().optional() }).optional() })
    .optional(),
});

/** The pages that carry the configuration of a client, by path, and by host for the mobile site. */
const CONFIG_PAGES: Readonly<Record<string, readonly [name: string, number: number]>> = {
  "/": ["WEB", 1],
  "/tv": ["TVHTML5", 7],
  "m.youtube.com": ["MWEB", 2],
};

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly exit: Exit;
  readonly isSignedIn: boolean;
}

/** One request's answer and what the log says about it. */
interface Answered {
  readonly kind: RequestKind;
  readonly status: number;
  readonly videoId?: string;
  readonly client?: string;
  readonly format?: string;
  readonly reason?: string;
}

const nowMs = (): number => performance.timeOrigin + performance.now();

export class YouTubeSite {
  /** PEM file that clients have to trust; it lies beside the clips. */
  readonly certificate: string;
  readonly requests: SiteRequest[] = [];
  readonly account = new SiteAccount();
  /** Names of clients whose player calls are answered with status 400. */
  readonly deadClients = new Set<string>();
  /** Id of the element in which pages of lists have their data. */
  listElement = LIST_ELEMENT;
  /** Awaited before a signed-in request is answered. */
  beforeSignedInAnswer: () => Promise<void> = () => Promise.resolve();
  /** Makes the clips when media is asked for first: most tests of refusals need none. @returns their folder */
  readonly #clips: () => Promise<string>;
  readonly #tokens: Tokens;
  readonly #addresses: MediaAddresses;
  readonly #responses: PlayerResponses;
  readonly #exits: Exits;
  readonly #stopServer: () => Promise<void>;
  readonly #mediaRefusals = new Map<string, number>();

  private constructor(
    certificate: string,
    clips: () => Promise<string>,
    sitePort: number,
    tokens: Tokens,
    clipSeconds: number,
    stopServer: () => Promise<void>,
  ) {
    this.certificate = certificate;
    this.#clips = clips;
    this.#tokens = tokens;
    this.#addresses = new MediaAddresses(makePlayer(1), tokens);
    this.#responses = new PlayerResponses(clips, this.#addresses, clipSeconds);
    this.#exits = new Exits(sitePort);
    this.#stopServer = stopServer;
  }

  /**
   * Listens on a free port of loopback. The first request for media makes the clips if they are missing (some seconds).
   * @param clipSeconds length of each video
   */
  static async start(options: PrepareClipsOptions, clipSeconds: number = CLIP_SECONDS): Promise<YouTubeSite> {
    const collection = clipSeconds === CLIP_SECONDS ? YOUTUBE_CLIPS : longYouTubeClips(clipSeconds);
    let made: Promise<string> | undefined;
    const clips = () => (made ??= prepareClips({ ...options, collection }));
    const { cert, key } = await makeCertificate();
    const server = createServer({ cert, key });
    server.unref();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const site = new YouTubeSite(cert, clips, port, new Tokens(), clipSeconds, async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    });
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      site.#answer(request, response).catch((error: unknown) => {
        options.report(`YouTube-shaped site: ${request.url} could not be answered: ${String(error)}`);
        response.destroy();
      });
    });
    return site;
  }

  /** @param name under which the log names requests through this exit */
  openExit(name: string): Promise<Exit> {
    return this.#exits.open(name);
  }

  /** The player that pages name from now on. */
  set player(player: Player) {
    this.#addresses.player = player;
  }

  get player(): Player {
    return this.#addresses.player;
  }

  /** @returns the number of requests that match all the given properties */
  count(about: Partial<SiteRequest>): number {
    const wanted = Object.entries(about);
    return this.requests.filter((request) =>
      wanted.every(([name, value]) => request[name as keyof SiteRequest] === value),
    ).length;
  }

  /** @returns why the media server would refuse an address; undefined when it would accept it */
  refusalOf(address: string, exit: string): string | undefined {
    return this.#addresses.refusal(new URL(address).searchParams, exit);
  }

  /** Forgets all requests, and signs the account in again. */
  reset(): void {
    this.requests.length = 0;
    this.deadClients.clear();
    this.listElement = LIST_ELEMENT;
    this.#mediaRefusals.clear();
    this.account.isSignedIn = true;
    this.beforeSignedInAnswer = () => Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.#exits.stop();
    await this.#stopServer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fromMs = nowMs();
    const exit = this.#exits.of(request.socket);
    if (!exit) return void response.destroy();
    const host = (request.headers.host ?? "").split(":", 1)[0] ?? "";
    const { isSignedIn, setCookie } = this.account.visit(request.headers.cookie);
    if (setCookie !== undefined) response.setHeader("set-cookie", setCookie);
    if (isSignedIn) await this.beforeSignedInAnswer();
    const url = new URL(request.url ?? "/", `https://${host}`);
    const exchange: Exchange = { request, response, exit, isSignedIn, url };
    const answered = await this.#route(exchange);
    const times = { fromMs, toMs: nowMs() };
    this.requests.push({ ...answered, ...times, exit: exit.name, host, cookie: request.headers.cookie });
  }

  async #route(exchange: Exchange): Promise<Answered> {
    const { url, request, exit, isSignedIn } = exchange;
    if (url.hostname.endsWith(".googlevideo.com")) return this.#media(exchange);
    if (url.hostname.endsWith("ytimg.com")) return this.#file(exchange, "picture", "thumbnail.jpg", "image/jpeg");
    if (url.hostname === "youtu.be")
      return redirect(exchange, `https://www.youtube.com/watch?v=${url.pathname.slice(1)}`);
    if (url.pathname === scriptPath(this.player))
      return send(exchange, "script", "text/javascript", this.player.script);
    if (exit.treatment === "too_many_requests") return send(exchange, "page", "text/html", "unusual traffic", 429);
    if (url.pathname === TOKEN_PATH)
      return send(exchange, "token", "application/json", JSON.stringify({ token: this.#tokens.issue(exit.name) }));
    if (request.method === "POST") return this.#call(exchange);
    if (url.pathname === "/watch") return this.#watch(exchange);
    if (url.pathname === "/playlist") return this.#playlist(exchange);
    const channel = channelData(decodeURIComponent(url.pathname));
    if (channel) return send(exchange, "page", "text/html", listPage(this.player, channel, this.listElement));
    if (url.pathname === CLIP_PATH)
      return send(exchange, "page", "text/html", clipPage(this.player, clipData("plain-video", 4_000, 9_000)));
    if (url.pathname === "/api/timedtext") {
      if (url.searchParams.has("empty")) return send(exchange, "subtitles", "text/vtt", "");
      const isAutomatic = url.searchParams.get("kind") === "asr";
      return send(exchange, "subtitles", "text/vtt", isAutomatic ? ROLLING_SUBTITLES : SUBTITLES);
    }
    if (url.pathname === "/iframe_api")
      return send(exchange, "config", "text/javascript", `var u='${scriptPath(this.player).replaceAll("/", "\\/")}';`);
    if (url.pathname.startsWith("/embed/")) {
      const visit = { clientName: "WEB_EMBEDDED_PLAYER", clientNumber: 56, isSignedIn };
      // Only the script names the timestamp that the embedded player has to send.
      const config = { ...pageConfig(this.player, visit), STS: undefined };
      return send(exchange, "config", "text/html", configPage(config));
    }
    const [clientName, clientNumber] = CONFIG_PAGES[url.hostname] ?? CONFIG_PAGES[url.pathname] ?? [];
    if (clientName !== undefined) {
      const config = pageConfig(this.player, { clientName, clientNumber, isSignedIn });
      return send(exchange, "config", "text/html", configPage(config));
    }
    return send(exchange, "other", "text/plain", "not here", 404);
  }

  async #watch(exchange: Exchange): Promise<Answered> {
    const videoId = exchange.url.searchParams.get("v") ?? "";
    const video = findVideo(videoId);
    if (video?.pageStatus !== undefined)
      return { ...send(exchange, "page", "text/html", "unusual traffic", video.pageStatus), videoId };
    const call = {
      videoId,
      client: "WEB",
      exit: exchange.exit.name,
      signatureTimestamp: this.player.signatureTimestamp,
      accountCookies: exchange.isSignedIn ? exchange.request.headers.cookie : undefined,
    };
    const response = await this.#playerResponse(exchange.exit, video, call);
    return { ...send(exchange, "page", "text/html", watchPage(this.player, response, exchange.isSignedIn)), videoId };
  }

  async #call(exchange: Exchange): Promise<Answered> {
    const { request, url, exit, isSignedIn } = exchange;
    const asked: unknown = await json(request);
    const refused = this.#refusedCall(exchange, asked);
    if (refused) return refused;
    const body = PlayerBody.safeParse(asked);
    if (url.pathname.endsWith("/next")) return send(exchange, "other", "application/json", '{"contents":{}}');
    if (url.pathname.endsWith("/browse")) return this.#browse(exchange, asked);
    if (!url.pathname.endsWith("/player") || !body.success)
      return send(exchange, "other", "application/json", '{"error":{"code":404,"message":"not here"}}', 404);
    const { videoId, context, playbackContext } = body.data;
    const { clientName: client } = context.client;
    const { signatureTimestamp } = playbackContext?.contentPlaybackContext ?? {};
    const accountCookies = isSignedIn ? request.headers.cookie : undefined;
    const call = { videoId, client, exit: exit.name, signatureTimestamp, accountCookies };
    const response = await this.#playerResponse(exit, findVideo(videoId), call);
    return { ...send(exchange, "player", "application/json", JSON.stringify(response)), videoId, client };
  }

  /** Answers calls that fail: about some videos all do, about others those of single clients. */
  #refusedCall(exchange: Exchange, asked: unknown): Answered | undefined {
    const { data } = z.object({ videoId: z.string() }).safeParse(asked);
    const video = data && findVideo(data.videoId);
    const client = PlayerBody.safeParse(asked).data?.context.client.clientName ?? "";
    const isPlayerCall = exchange.url.pathname.endsWith("/player");
    const ofClient = this.deadClients.has(client) ? 400 : video?.callStatus?.[client];
    const status = video?.pageStatus ?? (isPlayerCall ? ofClient : undefined);
    if (status === undefined) return undefined;
    const error = { error: { code: status, message: "x", status: "RESOURCE_EXHAUSTED" } };
    const answered = send(exchange, "player", "application/json", JSON.stringify(error), status);
    return { ...answered, videoId: data?.videoId, client };
  }

  async #playerResponse(
    exit: Exit,
    video: Video | undefined,
    call: Parameters<PlayerResponses["make"]>[1],
  ): Promise<Record<string, unknown>> {
    const isTakenForBot = exit.treatment === "bot_check";
    return this.#responses.make(
      isTakenForBot && video ? { ...video, refusal: BOT_CHECK_STATUS, allowedClients: [] } : video,
      call,
    );
  }

  #playlist(exchange: Exchange): Answered {
    const id = exchange.url.searchParams.get("list") ?? "";
    const list = findList(id);
    const data = list ? playlistData(id, list) : refusalData(id);
    return send(exchange, "page", "text/html", listPage(this.player, data, this.listElement));
  }

  /** Later entries of a list, and the whole list with the videos that cannot be played. */
  #browse(exchange: Exchange, asked: unknown): Answered {
    const { data } = BrowseBody.safeParse(asked);
    const id = data?.browseId?.replace(/^VL/, "") ?? "";
    const list = findList(id);
    const answer = list ? playlistData(id, list) : continuationData(data?.continuation ?? "");
    return send(exchange, "list", "application/json", JSON.stringify(answer ?? {}), answer ? 200 : 404);
  }

  async #media(exchange: Exchange): Promise<Answered> {
    const { url, exit } = exchange;
    const query = url.searchParams;
    const videoId = this.#addresses.videoIdOf(query);
    const about = { videoId, format: [query.get("itag"), query.get("xtags")].filter(Boolean).join(" ") };
    const refuse = (status: number, reason: string, headers = {}): Answered => ({
      ...send(exchange, "media", "text/plain", "", status, headers),
      ...about,
      reason,
    });
    if (exit.treatment === "media_forbidden") return refuse(403, "exit");
    const reason = this.#addresses.refusal(query, exit.name);
    if (reason !== undefined) return refuse(403, reason);
    const refusal = videoId === undefined ? undefined : findVideo(videoId)?.mediaStatus;
    if (refusal && videoId !== undefined) {
      const refused = this.#mediaRefusals.get(videoId) ?? 0;
      if (refused < (refusal.times ?? Infinity)) {
        this.#mediaRefusals.set(videoId, refused + 1);
        const { status, retryAfterSeconds } = refusal;
        return refuse(
          status,
          "video",
          retryAfterSeconds === undefined ? {} : { "retry-after": `${retryAfterSeconds}` },
        );
      }
    }
    const itag = Number(query.get("itag"));
    const format = [...ADAPTIVE_FORMATS, MUXED_FORMAT].find((offered) => offered.itag === itag);
    if (!format) return refuse(404, "format");
    const type = format.mimeType.split(";", 1)[0] ?? "";
    return { ...(await this.#file(exchange, "media", format.file, type)), ...about };
  }

  /** Sends a clip or a range of it, named by the `range` parameter or by the header. */
  async #file({ request, response, url }: Exchange, kind: RequestKind, file: string, type: string): Promise<Answered> {
    const whole = path.join(await this.#clips(), "clip", file);
    const { size } = await stat(whole);
    const header = url.searchParams.has("range") ? undefined : request.headers.range;
    const wanted = url.searchParams.get("range");
    const range = parseRange(size, header ?? `bytes=${wanted ?? "0-"}`);
    const [first] = typeof range === "number" ? [] : range;
    if (!first) return send({ request, response }, kind, "text/plain", "", 416);
    const status = header === undefined ? 200 : 206;
    response.writeHead(status, {
      "content-type": type,
      "content-length": first.end - first.start + 1,
      "accept-ranges": "bytes",
      ...(status === 206 ? { "content-range": `bytes ${first.start}-${first.end}/${size}` } : {}),
    });
    if (request.method === "HEAD") response.end();
    else await pipeline(createReadStream(whole, first), response).catch(() => response.destroy());
    return { kind, status };
  }
}

function send(
  { request, response }: Pick<Exchange, "request" | "response">,
  kind: RequestKind,
  type: string,
  body: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answered {
  const bytes = Buffer.from(body);
  response.writeHead(status, { "content-type": type, "content-length": bytes.length, ...headers });
  response.end(request.method === "HEAD" ? undefined : bytes);
  return { kind, status };
}

function redirect({ response }: Exchange, location: string): Answered {
  response.writeHead(303, { location }).end();
  return { kind: "page", status: 303 };
}
