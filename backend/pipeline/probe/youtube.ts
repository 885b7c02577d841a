/** How YouTube is asked for a video: by which player clients, in which order, through which exit. */
import { ConversionError, type ConversionErrorCode, exactly } from "../../../common/errors.ts";
import { SiteBusy, SiteRefusal, TooManyRequests } from "../errors/site-refusal.ts";
import type { ExitPermit, ExitPool } from "../exits/exit-pool.ts";
import { DIRECT_EXIT, type Exit } from "../exits/exit.ts";
import type { YouTubeNotice } from "../errors/failure-rules.ts";
import type { AccountCookies } from "./account-cookies.ts";
import { clientsToAsk, type ClientChoice, failingLast, type KnownClients } from "./client-order.ts";
import type { VideoInfo } from "./info.ts";
import type { PageRequest } from "./page-reader.ts";

/** One attempt to read a video. */
export interface ExtractionAttempt {
  /** As it stands in the client order, or {@link ACCOUNT}. */
  readonly client: string;
  /** Name of the exit. */
  readonly exit: string;
  readonly outcome: ConversionErrorCode | "ok";
  readonly seconds: number;
}

/** What a client gave of one video. */
export interface Given {
  readonly formats: number;
  /** "withheld": YouTube has captions that it did not give. */
  readonly captions: "given" | "withheld" | "none";
}

/** What is known of the clients of the order. */
export interface ClientRecord {
  /** Those that fail for most videos now. They are asked last. */
  readonly failing: ReadonlySet<string>;
  /**
   * Notes that a client got a video.
   * @param refused the clients that were refused it before
   */
  note(link: string, got: string, refused: readonly string[]): void;
}

export interface YouTubeAccess {
  readonly exits: ExitPool;
  /** Values of yt-dlp's `player_client`, first choice first. The next is asked when one is refused. */
  readonly clientOrder: readonly string[];
  /** Absent: the order stays as it is. */
  readonly clients?: ClientRecord | undefined;
  /** Absent: all clients of the order are asked, as they stand there. */
  readonly knownClients?: KnownClients | undefined;
  /** True: no runtime for the site's scripts is there, so clients that need one are not asked. */
  readonly lacksScripts?: boolean;
  /** Keeps prepared player scripts between calls. Absent: each call that needs one fetches and prepares it. */
  readonly playerFolder?: string;
  /** Name of an exit that did not get the media; it is used only where no other can be. */
  readonly avoidedExit?: string | undefined;
  /** Absent: YouTube is always asked as a guest. */
  readonly account?: AccountCookies | undefined;
  /** What yt-dlp is asked for with the account; default: its own clients. */
  readonly accountClient?: string;
  /** Options of yt-dlp for its plugins, in every call to YouTube. */
  readonly pluginArgs?: readonly string[];
  /** Address of a service on this machine that plugins ask; in a sandbox only calls to YouTube reach it. */
  readonly tokenProvider?: string;
  /** Called when yt-dlp says that a part of the operator's kit does not work. */
  readonly onNotice?: (notice: YouTubeNotice) => void;
  /** Called with what yt-dlp says of a video that YouTube refuses for a reason that no rule knows. */
  readonly onUnknownReason?: (words: string) => void;
  /** Called for each attempt that was not aborted. */
  readonly onAttempt?: (attempt: ExtractionAttempt) => void;
  /** Called for each video that a client, or the account, gave. */
  readonly onGiven?: (client: string, given: Given) => void;
  /** Called when a client got the video. @param refused the clients that were refused it before */
  readonly onGot?: (client: string, refused: readonly string[]) => void;
  /** Called for each link that was read, or could not be read by any client and exit, unless it was aborted. */
  readonly onLink?: (link: string, outcome: ConversionErrorCode | "ok") => void;
}

/** Stands where a client's name stands: yt-dlp is signed in to the operator's account. */
const ACCOUNT = "account";

/** Other exits that an extraction tries when the first is refused. */
const MORE_EXITS = 2;
/** A worker waits no longer than this for an exit; after that the job waits in the queue, and takes no slot. */
const LONGEST_WAIT_MS = 60_000;

/** @param client names of clients, or `default` */
function clientArgs(client: string): readonly string[] {
  return [`--extractor-args=youtube:player_client=${client}`];
}

/** Gives every format to those who have a token; yt-dlp's own clients give only one of 360 lines without one. */
const TOKEN_CLIENT = "mweb";

/**
 * @param address of a bgutil server, such as http://127.0.0.1:4416
 * @returns the access with tokens: yt-dlp's own clients are asked together with one that needs them
 */
export function withTokenProvider(access: YouTubeAccess, address: string): YouTubeAccess {
  const { clientOrder, pluginArgs = [] } = access;
  const withClient = `default,${TOKEN_CLIENT}`;
  return {
    ...access,
    // The operator may have given the client a place of its own.
    clientOrder: clientOrder.some((names) => names.includes(TOKEN_CLIENT))
      ? clientOrder
      : clientOrder.map((names) => (names === "default" ? withClient : names)),
    accountClient: withClient,
    tokenProvider: address,
    pluginArgs: [...pluginArgs, `--extractor-args=youtubepot-bgutilhttp:base_url=${address.replace(/\/$/, "")}`],
  };
}

/**
 * @returns the access with its first client asked last, also where a choice such as `default` has it among others: its
 *   addresses would be taken again. With another exit where there is one
 */
export function afterRefusedMedia(access: YouTubeAccess, exit: Exit | undefined): YouTubeAccess {
  const { clientOrder, clients } = access;
  const [first, ...others] = clients ? failingLast(clientOrder, clients.failing) : clientOrder;
  if (first === undefined) return access;
  return {
    ...access,
    // Not the failing ones alone: metadata is kept by the order.
    clientOrder: [...others, first],
    clients: { failing: new Set([...(clients?.failing ?? []), first]), note: () => undefined },
    avoidedExit: exit?.name,
  };
}

/** What differs between the attempts to read one link. */
export type Attempt = Pick<PageRequest, "args" | "account" | "tokenProvider"> &
  Pick<ExtractionAttempt, "client"> & { readonly exit: Exit };

type Read<T> = (attempt: Attempt) => Promise<T>;

/** Reads a link once as a client, or with the account, and reports the attempt. */
async function readOnce<T>(
  access: YouTubeAccess,
  { client, asks }: ClientChoice,
  exit: Exit,
  read: Read<T>,
): Promise<T> {
  const { pluginArgs = [], tokenProvider, onAttempt } = access;
  const account = client === ACCOUNT ? access.account : undefined;
  const startedMs = performance.now();
  const report = (outcome: ExtractionAttempt["outcome"]): void =>
    onAttempt?.({ client, exit: exit.name, outcome, seconds: (performance.now() - startedMs) / 1_000 });
  try {
    const args = [...clientArgs(asks), ...pluginArgs];
    const result = await read({ client, exit, args, account, tokenProvider });
    report("ok");
    return result;
  } catch (error) {
    if (error instanceof ConversionError) report(error.code);
    throw error;
  }
}

/**
 * YouTube refuses some videos to a client that runs no script, in the words that it has for removed videos.
 * @returns the error of clients, without those that need a script
 */
function withoutScripts(error: unknown): unknown {
  const mayNeedScript = error instanceof SiteRefusal && error.refuses === "client" && !error.reason;
  if (!mayNeedScript) return error;
  const detail = `no runtime for the site's scripts; ${error.detail ?? ""}`;
  return new SiteRefusal("site_changed", "client", { ...exactly("script_not_run"), detail, cause: error });
}

/** @returns whether YouTube wants a guest to sign in; a private video is not for the visitors of this site */
function asksToSignIn(error: unknown): boolean {
  if (error instanceof SiteRefusal) return error.refuses === "either";
  return error instanceof ConversionError && (error.code === "login_required" || error.code === "members_only");
}

/**
 * Asks the clients in their order until one gets the video and, where YouTube wants a guest to sign in, the operator's
 * account.
 * @throws the guest's error when the account could not be used: of a refused exit if a client met one, else the last
 */
async function readThrough<T>(access: YouTubeAccess, exit: Exit, read: Read<T>): Promise<T> {
  let guestError: unknown = new RangeError("no client to ask YouTube with");
  const refused: string[] = [];
  for (const choice of clientsToAsk(access.clientOrder, access.knownClients, access.clients?.failing)) {
    try {
      const result = await readOnce(access, choice, exit, read);
      access.onGot?.(choice.client, refused);
      return result;
    } catch (error) {
      const isOfExit = guestError instanceof SiteRefusal && guestError.refuses === "either";
      const asksNext = error instanceof SiteRefusal && error.refuses !== "exit";
      if (asksNext && error.refuses === "client") refused.push(choice.client);
      if (!asksNext || error.refuses === "either" || !isOfExit) guestError = error;
      if (!asksNext) break;
    }
  }
  if (access.lacksScripts) guestError = withoutScripts(guestError);
  if (!access.account || !asksToSignIn(guestError)) throw guestError;
  const signedIn = { client: ACCOUNT, asks: access.accountClient ?? "default" };
  return readOnce(access, signedIn, exit, read).catch((error: unknown) => {
    const isOfClient = error instanceof SiteRefusal && error.refuses === "client" && error.code !== "unavailable";
    throw isOfClient ? guestError : error;
  });
}

/** @throws SiteBusy when no exit can be used soon */
async function acquireExit({ exits, avoidedExit }: YouTubeAccess, signal: AbortSignal): Promise<ExitPermit> {
  const patience = new AbortController();
  const giveUp = (): void => patience.abort();
  const timer = setTimeout(giveUp, LONGEST_WAIT_MS);
  const onWait = (untilMs: number): void => {
    if (untilMs !== Infinity && untilMs > exits.nowMs + LONGEST_WAIT_MS) giveUp();
  };
  try {
    return await exits.acquire(AbortSignal.any([signal, patience.signal]), { onWait, avoided: avoidedExit });
  } catch (error) {
    signal.throwIfAborted();
    if (patience.signal.aborted) throw siteBusy(exits, "no exit can be used", exits.areAllPaused);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function siteBusy(exits: ExitPool, detail: string | undefined, isRefusal = true): SiteBusy {
  const { nextUseMs, nowMs } = exits;
  return new SiteBusy(nextUseMs === Infinity ? nowMs + LONGEST_WAIT_MS : nextUseMs, { detail, isRefusal });
}

/** Tells the pool what an error says about the exit. @returns whether another exit may get the video */
async function settle(permit: ExitPermit, error: unknown): Promise<boolean> {
  if (error instanceof SiteRefusal && error.refuses !== "client") {
    await permit.refused(error.code);
    return true;
  }
  // An answer about the video itself, such as "private", shows that the exit works.
  if (error instanceof ConversionError && !error.isTransient && error.code !== "internal") await permit.succeeded();
  else await permit.release();
  return false;
}

/**
 * Reads a link through an exit of the pool, and through others when it is refused.
 * @param read reads the link once
 * @throws what `read` throws, SiteBusy when every exit is paused or has spent its budget, `signal.reason` when aborted
 */
export async function askYouTube<T>(access: YouTubeAccess, read: Read<T>, signal: AbortSignal): Promise<T> {
  const { exits } = access;
  for (let left = Math.min(MORE_EXITS, exits.size - 1); ; left -= 1) {
    const permit = await acquireExit(access, signal);
    try {
      const result = await readThrough(access, permit.exit, read);
      await permit.succeeded();
      return result;
    } catch (error) {
      if (!(await settle(permit, error))) throw error;
      if (left <= 0 || exits.nextUseMs > exits.nowMs) throw siteBusy(exits, (error as SiteRefusal).detail);
    }
  }
}

/**
 * Tells the pool that media was refused to the exit of an extraction.
 * @returns the error with which the job goes back to the queue until an exit can be used
 */
export async function afterMediaRefusal(
  { exits }: YouTubeAccess,
  { exit = DIRECT_EXIT }: VideoInfo,
  error: SiteRefusal,
): Promise<SiteBusy> {
  const askedMs = error instanceof TooManyRequests ? error.retryAfterMs : undefined;
  await exits.mediaRefused(exit.name, `media: ${error.code}`, askedMs);
  return siteBusy(exits, error.detail);
}
