/** How YouTube is asked for a video: by which player clients, in which order, through which exit. */
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";
import { SiteBusy, SiteRefusal } from "../errors/site-refusal.ts";
import type { ExitPermit, ExitPool } from "../exits/exit-pool.ts";
import type { Exit } from "../exits/exit.ts";
import type { VideoInfo } from "./info.ts";

/** One attempt to read a video. */
export interface ExtractionAttempt {
  /** As it stands in the client order. */
  readonly client: string;
  /** Name of the exit. */
  readonly exit: string;
  readonly outcome: ConversionErrorCode | "ok";
  readonly seconds: number;
}

export interface YouTubeAccess {
  readonly exits: ExitPool;
  /** Values of yt-dlp's `player_client`, first choice first. The next is asked when one is refused. */
  readonly clientOrder: readonly string[];
  /** Keeps prepared player scripts between calls. Absent: each call that needs one fetches and prepares it. */
  readonly playerFolder?: string;
  /** Called for each attempt that was not aborted. */
  readonly onAttempt?: (attempt: ExtractionAttempt) => void;
}

/** Other exits that an extraction tries when the first is refused. */
const MORE_EXITS = 2;
/** A worker waits no longer than this for an exit; after that the job waits in the queue, and takes no slot. */
const LONGEST_WAIT_MS = 60_000;

/** @param client names of clients, or `default` */
export function clientArgs(client: string): readonly string[] {
  return [`--extractor-args=youtube:player_client=${client}`];
}

/** @returns the access with its first client moved to the end */
export function withOtherClients(access: YouTubeAccess): YouTubeAccess {
  const [first, ...others] = access.clientOrder;
  return { ...access, clientOrder: first === undefined ? others : [...others, first] };
}

type Read = (client: string, exit: Exit) => Promise<VideoInfo>;

/** Reads a video once and reports the attempt. */
async function readOnce(access: YouTubeAccess, client: string, exit: Exit, read: Read): Promise<VideoInfo> {
  const startedMs = performance.now();
  const report = (outcome: ExtractionAttempt["outcome"]): void =>
    access.onAttempt?.({ client, exit: exit.name, outcome, seconds: (performance.now() - startedMs) / 1_000 });
  try {
    const info = await read(client, exit);
    report("ok");
    return info;
  } catch (error) {
    if (error instanceof ConversionError) report(error.code);
    throw error;
  }
}

/**
 * Asks the clients in their order until one gets the video.
 * @throws SiteRefusal of the exit if one client met it, else the last client's error
 */
async function readWithClients(access: YouTubeAccess, exit: Exit, read: Read): Promise<VideoInfo> {
  let ofExit: SiteRefusal | undefined;
  let last: unknown = new RangeError("no client to ask YouTube with");
  for (const client of access.clientOrder) {
    try {
      return await readOnce(access, client, exit, read);
    } catch (error) {
      if (!(error instanceof SiteRefusal) || error.refuses === "exit") throw error;
      if (error.refuses === "either") ofExit = error;
      last = error;
    }
  }
  throw ofExit ?? last;
}

/** @throws SiteBusy when no exit can be used within a minute */
async function acquireExit(exits: ExitPool, signal: AbortSignal): Promise<ExitPermit> {
  const patience = new AbortController();
  const giveUp = (): void => patience.abort();
  const timer = setTimeout(giveUp, LONGEST_WAIT_MS);
  const onWait = (untilMs: number): void => {
    if (untilMs !== Infinity && untilMs > Date.now() + LONGEST_WAIT_MS) giveUp();
  };
  try {
    return await exits.acquire(AbortSignal.any([signal, patience.signal]), onWait);
  } catch (error) {
    signal.throwIfAborted();
    if (patience.signal.aborted) throw siteBusy(exits, "no exit can be used");
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function siteBusy(exits: ExitPool, detail: string | undefined): SiteBusy {
  const { nextUseMs } = exits;
  return new SiteBusy(nextUseMs === Infinity ? Date.now() + LONGEST_WAIT_MS : nextUseMs, { detail });
}

/** Tells the pool what an error says about the exit. @returns whether another exit may get the video */
function settle(permit: ExitPermit, error: unknown): boolean {
  if (error instanceof SiteRefusal && error.refuses !== "client") {
    permit.refused(error.code);
    return true;
  }
  // An answer about the video itself, such as "private", shows that the exit works.
  if (error instanceof ConversionError && !error.isTransient && error.code !== "internal") permit.succeeded();
  else permit.release();
  return false;
}

/**
 * Reads a video through an exit of the pool, and through others when it is refused.
 * @param read reads the video once
 * @throws what `read` throws, SiteBusy when every exit rests, `signal.reason` when aborted
 */
export async function extractFromYouTube(access: YouTubeAccess, read: Read, signal: AbortSignal): Promise<VideoInfo> {
  const { exits } = access;
  for (let left = Math.min(MORE_EXITS, exits.size - 1); ; left -= 1) {
    const permit = await acquireExit(exits, signal);
    try {
      const info = await readWithClients(access, permit.exit, read);
      permit.succeeded();
      return info;
    } catch (error) {
      if (!settle(permit, error)) throw error;
      if (left <= 0 || exits.nextUseMs > Date.now()) throw siteBusy(exits, (error as SiteRefusal).detail);
    }
  }
}
