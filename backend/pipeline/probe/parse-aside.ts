/**
 * Parses large metadata in a thread, so that requests and pushes do not wait. The thread reads the file itself, and
 * returns each format as bytes that change their owner: copying them takes time, and as much memory again.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import { ConversionError } from "../../../common/errors.ts";
import { openFile } from "../../tool-files/tool-files.ts";
import { TOO_LARGE_TO_OPEN } from "../errors/wording.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { VideoInfo } from "./info.ts";
import { PARSERS, type Kind, type Parsed } from "./output-parsers.ts";
import type { PageFile } from "./page-reader.ts";
import type { ParseAnswer, ParseOrder } from "./parse-worker.ts";
import type { VideoList } from "./video-list.ts";

/** Shorter texts are parsed within 30 ms. Of most videos the metadata are shorter. */
const MAX_INLINE_BYTES = 500_000;
/** Ten times the longest text that yt-dlp may print, see `maxInfoBytes`. */
const MAX_HEAP_MB = 512;
/** Starting the thread takes a tenth of a second, and it has 20 MB. */
const IDLE_MS = 30_000;

let thread: Worker | undefined;
let idleTimer: NodeJS.Timeout | undefined;
/** One at a time, so that texts of several videos are not parsed in the same memory. */
const texts = new PQueue({ concurrency: 1 });

/**
 * Parses what `yt-dlp -J` printed about the page of a video.
 * @throws what `parsePage` throws; ConversionError "too_large" when it takes too much memory
 */
export const parsePageFile = (file: PageFile): Promise<Parsed<"page">> => parseFile("page", file);

/**
 * Parses what `yt-dlp -J` printed about what that left.
 * @throws what `parseAll` throws; ConversionError "too_large" when it takes too much memory
 */
export const parseAllFile = (file: PageFile): Promise<VideoInfo> => parseFile("all", file);

/**
 * Parses what `yt-dlp -J` printed about a list.
 * @throws what `parseList` throws; ConversionError "too_large" when it takes too much memory
 */
export const parseListFile = (file: PageFile): Promise<VideoList> => parseFile("list", file);

async function parseFile<K extends Kind>(kind: K, { path, secrets }: PageFile): Promise<Parsed<K>> {
  await using file = await openFile(path);
  const { size } = await file.stat();
  if (size <= MAX_INLINE_BYTES) return PARSERS[kind](hideSecrets(await file.readFile("utf8"), secrets)) as Parsed<K>;
  // The file is closed after it.
  return (await texts.add(() => parseInThread({ kind, descriptor: file.fd, secrets }))) as Parsed<K>;
}

async function parseInThread(order: ParseOrder): Promise<Parsed<Kind>> {
  clearTimeout(idleTimer);
  thread ??= startThread();
  const worker = thread;
  // The process may end while the thread waits for work, but not while it works.
  worker.ref();
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    worker.postMessage(order);
    const [answer] = (await once(worker, "message")) as [ParseAnswer];
    if ("parsed" in answer) return answer.parsed;
    const { code, ...options } = answer.failure;
    throw new ConversionError(code, options);
  } catch (error) {
    if (error instanceof ConversionError) throw error;
    // The thread has ended.
    thread = undefined;
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY")
      throw new ConversionError("too_large", { ...TOO_LARGE_TO_OPEN, detail: String(error), cause: error });
    throw error;
  } finally {
    worker.unref();
    idleTimer = setTimeout(stopThread, IDLE_MS).unref();
  }
}

function startThread(): Worker {
  const worker = new Worker(new URL("parse-worker.ts", import.meta.url), {
    execArgv: [],
    // It reads none of the variables, some of which are secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // Without a listener, an error while nothing is parsed would end the process.
  worker.on("error", () => {
    if (thread === worker) thread = undefined;
  });
  return worker;
}

function stopThread(): void {
  void thread?.terminate();
  thread = undefined;
}
