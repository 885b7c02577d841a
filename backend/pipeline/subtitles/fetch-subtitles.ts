/** Fetches the subtitles of one language: a file, or the segments of an HLS playlist. */
import PQueue from "p-queue";
import { ConversionError } from "../../../common/errors.ts";
import type { ConversionWork } from "../conversion.ts";
import { fetchRemoteFile, type RemoteFile } from "../fetch/remote-file.ts";
import { RequestPauses } from "../fetch/request-pauses.ts";
import { retry } from "../fetch/retry.ts";
import type { Exit } from "../exits/exit.ts";
import { notGiven, type SubtitleSource } from "../probe/subtitle-list.ts";
import type { Cue } from "./cue.ts";
import { withoutRepeats } from "./cues.ts";
import { decodeText } from "./decode-text.ts";
import { cuesOfSegments, segmentAddresses } from "./hls-segments.ts";
import { parseCues } from "./parse-cues.ts";

/** Ten hours of automatic subtitles, which repeat their lines and time each word, have about 8 MB. */
const MAX_BYTES = 10_000_000;
/** Requests of one host are also counted by the host semaphore. */
const SEGMENTS_AT_A_TIME = 4;

/** Subtitles that go into a file, on the time line of the whole video. */
export interface Subtitles {
  readonly language: string;
  readonly cues: readonly Cue[];
}

/** What these codes say of a video is here true of its subtitles only. */
const MISSING: ReadonlySet<string> = new Set(["unavailable", "too_large"]);

function withoutSubtitles(error: unknown): unknown {
  if (!(error instanceof ConversionError) || !MISSING.has(error.code)) return error;
  return new ConversionError("no_subtitles", { detail: error.detail, cause: error });
}

type Get = (url: string) => Promise<RemoteFile>;

/** YouTube answers 200 with an empty body now and then, and gives the file to the next request. */
async function getWithText(get: Get, url: string): Promise<RemoteFile> {
  const first = await get(url);
  const file = first.body.length === 0 ? await get(url) : first;
  if (file.body.length === 0) throw notGiven("two empty answers");
  return file;
}

async function getSegments(get: Get, addresses: readonly string[], language: string): Promise<readonly Cue[]> {
  const queue = new PQueue({ concurrency: SEGMENTS_AT_A_TIME });
  try {
    const files = await Promise.all(addresses.map((url) => queue.add(() => get(url))));
    if (files.length > 0 && files.every(({ body }) => body.length === 0)) throw notGiven("empty segments");
    return cuesOfSegments(files.map(({ body, contentType }) => decodeText(body, contentType, language)));
  } finally {
    queue.clear();
  }
}

/** @returns the cues of a file, or those of the segments that it lists */
async function getCues(get: Get, { url, language }: SubtitleSource): Promise<readonly Cue[]> {
  const { body, url: finalUrl, contentType } = await getWithText(get, url);
  const text = decodeText(body, contentType, language);
  const addresses = segmentAddresses(text, finalUrl);
  const cues = addresses ? await getSegments(get, addresses, language) : parseCues(text);
  if (cues.length > 0) return cues;
  throw new ConversionError("no_subtitles", { detail: `no text in ${body.length} bytes of ${language}` });
}

/**
 * @param exit that of the extraction; the site may refuse the address to any other
 * @returns at least one cue
 * @throws ConversionError "no_subtitles" when the file is missing, too large or without text; "site_blocked" when the
 *   site answers with nothing; else what {@link fetchRemoteFile} throws
 * @throws TooManyRequests when the site asks for longer pauses than allowed; `signal.reason` when aborted
 */
export async function fetchSubtitles(
  { pipeline, listener, signal }: ConversionWork,
  source: SubtitleSource,
  exit: Exit | undefined,
): Promise<Subtitles> {
  const { hostSemaphore, limits } = pipeline;
  using session = pipeline.guard.open(2 * MAX_BYTES, { exit });
  using pauses = new RequestPauses({ maxMs: limits.maxSiteWaitMs, onPause: (untilMs) => listener.waiting?.(untilMs) });
  const request = { maxBytes: MAX_BYTES, timeoutMs: limits.stallTimeoutMs, hostSemaphore };
  const get: Get = (url) => retry(() => fetchRemoteFile(session, { ...request, url }, signal), pauses, signal);
  const cues = await getCues(get, source).catch((error: unknown) => {
    throw withoutSubtitles(error);
  });
  return { language: source.language, cues: source.isAutomatic ? withoutRepeats(cues) : cues };
}
