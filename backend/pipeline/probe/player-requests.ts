/**
 * Has player scripts fetched and prepared that a call of yt-dlp needs and that are not kept yet.
 *
 * A call cannot be trusted with the folder of kept scripts, because a page may have taken it over, and later calls for
 * other visitors run what is kept. So it writes the address of the script to a file in its own folder and waits. This
 * server lets another call fetch that script from YouTube and prepare it, which gets nothing else from outside, and keeps
 * the result. It removes the request as its answer; the first call then reads what is kept, or fetches the script itself.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { openFile, RefusedFile, removeFile } from "../../tool-files/tool-files.ts";
import type { GuardSession } from "../guard/egress-guard.ts";
import type { Work } from "../pipeline.ts";
import { openJobFolder } from "../process/job-folder.ts";
import { keepPrepared } from "./player-folder.ts";
import { commonArgs, runYtDlp, type PlayerUse } from "./yt-dlp.ts";

const LOOK_MS = 50;
/** YouTube serves nothing but player scripts there, and no redirect to what others have made. */
const PLAYER_URL = /^https:\/\/www\.youtube\.com\/s\/player\/[\da-f]{8,16}(?:\/\w[\w.-]*){1,5}\.js$/i;
const MAX_URL_BYTES = 300;
/** The extractor host replaces its work. The link only makes yt-dlp choose YouTube. */
const NO_VIDEO = "https://www.youtube.com/watch?v=-----------";

/** A script that could not be prepared, or was removed again, is not prepared anew sooner than this. */
const AGAIN_MS = 10 * 60_000;
/** Preparations in that time; YouTube has a few scripts in use. Calls that need more fetch and prepare for themselves. */
const MOST_PREPARATIONS = 16;

interface Preparation {
  readonly beganAtMs: number;
  /** Never rejects. */
  readonly ended: Promise<void>;
}
/** By folder of kept scripts, then by address. */
const preparations = new Map<string, Map<string, Preparation>>();

function prepareOnce(folder: string, url: string, prepare: () => Promise<void>): Promise<void> {
  const ofFolder = preparations.get(folder) ?? new Map<string, Preparation>();
  preparations.set(folder, ofFolder);
  for (const [old, { beganAtMs }] of ofFolder) if (Date.now() - beganAtMs > AGAIN_MS) ofFolder.delete(old);
  const known = ofFolder.get(url);
  if (known) return known.ended;
  if (ofFolder.size >= MOST_PREPARATIONS) return Promise.resolve();
  const ended = prepare().catch(() => {
    // Such as a job that was canceled: the next call asks again, and this one fetches the script itself.
    ofFolder.delete(url);
  });
  ofFolder.set(url, { beganAtMs: Date.now(), ended });
  return ended;
}

/** @throws what runYtDlp throws */
async function prepare(
  work: Work,
  { folder, session, url }: { readonly folder: string; readonly session: GuardSession; readonly url: string },
): Promise<void> {
  const { pipeline } = work;
  // Beside the folders of scripts, from where one that a crash left is removed after a day.
  await using own = await openJobFolder(path.dirname(folder), `draft-${randomUUID()}`);
  const { ending, exitCode } = await runYtDlp(work, {
    args: [...commonArgs(pipeline, session.proxyUrl), "--", NO_VIDEO],
    folder: own.path,
    way: session.way,
    timeoutMs: pipeline.limits.probeTimeoutMs,
    players: { kind: "prepares", url },
  });
  if (ending === "exit" && exitCode === 0) await keepPrepared(folder, own.path);
}

/** @returns undefined while there is no request, or for one that cannot be met */
async function readRequest(file: string): Promise<string | undefined> {
  try {
    await using handle = await openFile(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_URL_BYTES), 0, MAX_URL_BYTES, 0);
    return buffer.toString("latin1", 0, bytesRead);
  } catch (error) {
    // There is none, or a call that was taken over has put something else there.
    if (error instanceof RefusedFile || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

export interface PlayerRequests extends AsyncDisposable {
  readonly use: PlayerUse;
}

/**
 * Answers the requests of a call until disposed of.
 * @param folder of the call
 * @param session in which the scripts are fetched
 * @returns undefined where no scripts are kept
 */
export function answerPlayerRequests(work: Work, folder: string, session: GuardSession): PlayerRequests | undefined {
  const { pipeline } = work;
  const kept = pipeline.youtube?.playerFolder;
  if (kept === undefined || !pipeline.extractorHost) return undefined;
  const requestFile = path.join(folder, `player-${randomUUID()}`);
  let answering: Promise<void> | undefined;
  const answer = async (): Promise<void> => {
    const url = await readRequest(requestFile);
    if (url === undefined) return;
    if (PLAYER_URL.test(url)) await prepareOnce(kept, url, () => prepare(work, { folder: kept, session, url }));
    await removeFile(requestFile);
  };
  const timer = setInterval(() => {
    answering ??= answer().finally(() => (answering = undefined));
    // What cannot be read or removed is left; then the call stops waiting.
    answering.catch(() => undefined);
  }, LOOK_MS);
  return {
    use: { kind: "reads", folder: kept, requestFile },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await answering?.catch(() => undefined);
    },
  };
}
