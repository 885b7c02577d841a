/** Saves the file of a completed job: goes on after a broken connection, and overwrites nothing. */
import { parse as parseDisposition } from "content-disposition";
import { open, rm, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { pause } from "../../common/waiting.ts";
import { CommandError, EXIT, isAbort } from "./command-error.ts";
import { saveUnderFreeName } from "./free-name.ts";
import type { ServerClient } from "./server-client.ts";

/** A connection without a byte for so long is replaced. */
const STALL_MS = 30_000;
/** Connections in a row that bring no byte. */
const MAX_EMPTY_TRIES = 5;
const RETRY_MS = 500;

export interface DownloadOptions {
  readonly client: ServerClient;
  readonly jobId: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** @param sizeBytes undefined while it is unknown */
  onBytes(receivedBytes: number, sizeBytes: number | undefined): void;
}

/** What is known of the file once an answer has come. */
interface Progress {
  receivedBytes: number;
  sizeBytes: number | undefined;
  etag: string | null;
  name: string | undefined;
}

/**
 * Downloads into a hidden file first.
 * @returns path and size of the saved file
 * @throws CommandError; AbortError. Nothing is left behind then
 */
export async function download(options: DownloadOptions): Promise<{ path: string; sizeBytes: number }> {
  const draft = path.join(options.folder, `.tapedeck-${path.basename(options.jobId)}.part`);
  const progress: Progress = { receivedBytes: 0, sizeBytes: undefined, etag: null, name: undefined };
  try {
    const file = await openDraft(draft);
    try {
      await receiveAll(file, progress, options);
    } finally {
      await file.close();
    }
    const saved = await saveUnderFreeName(draft, options.folder, progress.name ?? "tapedeck");
    return { path: saved, sizeBytes: progress.receivedBytes };
  } catch (error) {
    await rm(draft, { force: true });
    throw asCommandError(error, options.folder);
  }
}

/** A draft of an earlier run that was killed is written anew. */
async function openDraft(draft: string): Promise<FileHandle> {
  return await open(draft, "w");
}

async function receiveAll(file: FileHandle, progress: Progress, options: DownloadOptions): Promise<void> {
  for (let emptyTries = 0; ;) {
    const before = progress.receivedBytes;
    if (await receiveSome(file, progress, options)) return;
    options.signal.throwIfAborted();
    emptyTries = progress.receivedBytes > before ? 0 : emptyTries + 1;
    if (emptyTries >= MAX_EMPTY_TRIES)
      throw new CommandError(EXIT.failed, "The download broke off again and again. Run the command once more.");
    await pause(RETRY_MS, options.signal);
  }
}

/** Receives what one connection brings. @returns whether the file is complete */
async function receiveSome(file: FileHandle, progress: Progress, options: DownloadOptions): Promise<boolean> {
  const stalled = new AbortController();
  const signal = AbortSignal.any([options.signal, stalled.signal]);
  const answer = await options.client.openFile(options.jobId, rangeAfter(progress), signal);
  readHeaders(answer, progress);
  const watch = setTimeout(() => stalled.abort(), STALL_MS);
  try {
    for await (const chunk of answer.body ?? []) {
      watch.refresh();
      await file.write(chunk, 0, chunk.length, progress.receivedBytes);
      progress.receivedBytes += chunk.length;
      options.onBytes(progress.receivedBytes, progress.sizeBytes);
    }
  } catch (error) {
    // The connection broke: `fetch` throws a TypeError.
    if (!stalled.signal.aborted && !(error instanceof TypeError)) throw error;
    return false;
  } finally {
    clearTimeout(watch);
  }
  return progress.sizeBytes === undefined || progress.receivedBytes === progress.sizeBytes;
}

/** Asks for the rest of the same file only; the server answers with all of another one (RFC 9110, section 13.1.5). */
function rangeAfter({ receivedBytes, etag }: Progress): Record<string, string> {
  // Compressed bytes could not be continued.
  const headers = { "accept-encoding": "identity" };
  return receivedBytes > 0 && etag !== null
    ? { ...headers, range: `bytes=${receivedBytes}-`, "if-range": etag }
    : headers;
}

function readHeaders(answer: Response, progress: Progress): void {
  const { headers } = answer;
  if (answer.status === 206) {
    const [, start, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
    if (Number(start) === progress.receivedBytes && Number(size) === progress.sizeBytes) return;
    throw new CommandError(EXIT.failed, "The server has sent another part of the file than asked for. Try again.");
  }
  if (!answer.ok) throw new CommandError(EXIT.failed, "The file has changed on the server. Run the command once more.");
  progress.receivedBytes = 0;
  progress.sizeBytes = headers.has("content-length") ? Number(headers.get("content-length")) : undefined;
  progress.etag = headers.get("etag");
  progress.name = parseDisposition(headers.get("content-disposition") ?? "attachment").parameters["filename"];
}

/** Errors of the file system have a code, such as ENOSPC, and a message that names the path. */
function asCommandError(error: unknown, folder: string): unknown {
  if (error instanceof CommandError || isAbort(error)) return error;
  if (error instanceof Error && "syscall" in error)
    return new CommandError(EXIT.failed, `Nothing can be saved in ${folder}: ${error.message}.`, { cause: error });
  return error;
}
