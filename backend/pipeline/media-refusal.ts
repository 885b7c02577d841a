/** What follows when a site does not give the media that it listed a moment ago, or not yet. */
import { pause } from "../../common/waiting.ts";
import { ConversionError } from "../../common/errors.ts";
import { isYouTubeLink } from "../../common/hosts.ts";
import type { ConversionWork } from "./conversion.ts";
import { SiteBusy, SiteRefusal, TooManyRequests } from "./errors/site-refusal.ts";
import { LONG_ADVERTISEMENT } from "./errors/wording.ts";
import { extractShared } from "./probe/extraction.ts";
import type { VideoInfo } from "./probe/info.ts";
import { afterMediaRefusal } from "./probe/youtube.ts";

/** A site that is not YouTube and goes on refusing is asked again after this time at the earliest. */
const LEAST_BUSY_MS = 5 * 60_000;

/** The addresses of metadata that was read longer ago may have ended. */
const FRESH_MS = 5_000;

const mayHaveEnded = ({ readAtMs }: VideoInfo): boolean => readAtMs !== undefined && readAtMs + FRESH_MS < Date.now();

/** The media is not given. Other clients may be given theirs; the cause is thrown where there are none. */
export class MediaRefused extends Error {
  /** The metadata that listed the media. */
  readonly info: VideoInfo;

  constructor(cause: ConversionError, info: VideoInfo) {
    super("media was refused", { cause });
    this.info = info;
  }

  /** Whether a new extraction may get addresses that still work. */
  get mayHaveEnded(): boolean {
    return mayHaveEnded(this.info);
  }
}

/**
 * For sites other than YouTube, which refuses clients and not addresses.
 * @returns reads the video anew when the addresses of its metadata may have ended; later calls get the same
 */
export function readAgainOnce(work: ConversionWork, info: VideoInfo): () => Promise<VideoInfo> | undefined {
  const { pipeline, request } = work;
  const { url, folder } = request;
  let again: Promise<VideoInfo> | undefined;
  const read = async (): Promise<VideoInfo> => {
    await pipeline.extractions?.forgetRefused(pipeline, url, info);
    return extractShared(work, url, folder);
  };
  if (isYouTubeLink(url)) return () => undefined;
  return () => (again ??= mayHaveEnded(info) ? read() : undefined);
}

/**
 * Waits for the end of an advertisement before the video, and tells the listener.
 * @throws MediaRefused when it lasts too long; other clients may be shown none
 * @throws `signal.reason` when aborted
 */
export async function untilAvailable({ listener, pipeline, signal }: ConversionWork, info: VideoInfo): Promise<void> {
  const { availableAtMs = 0 } = info;
  const waitMs = availableAtMs - Date.now();
  if (waitMs <= 0) return;
  if (waitMs > pipeline.limits.maxAdvertisementMs)
    throw new MediaRefused(
      new ConversionError("busy", { ...LONG_ADVERTISEMENT, detail: `media is given in ${waitMs} ms` }),
      info,
    );
  listener.waiting?.(availableAtMs);
  await pause(waitMs, signal);
  listener.waiting?.(null);
}

/**
 * Translates the failure of a conversion whose metadata was read.
 * @param info of the extraction that listed the media
 * @returns MediaRefused for a refusal that another client may not meet; SiteBusy when the site asks to wait for longer
 *   than a worker does; else the given error
 */
async function asMediaRefusal(
  { pipeline, request }: ConversionWork,
  info: VideoInfo,
  error: unknown,
): Promise<unknown> {
  const youtube = isYouTubeLink(request.url) ? pipeline.youtube : undefined;
  if (error instanceof SiteRefusal && error.refuses === "exit") {
    if (youtube) return afterMediaRefusal(youtube, info, error);
    const askedMs = error instanceof TooManyRequests ? error.retryAfterMs : undefined;
    if (askedMs === undefined) return error;
    return new SiteBusy(Date.now() + Math.max(LEAST_BUSY_MS, askedMs), { detail: error.detail, cause: error });
  }
  // YouTube has just listed the video: an address that leads to nothing says nothing about it.
  if (youtube && error instanceof ConversionError && error.code === "unavailable" && !error.reason)
    return new MediaRefused(
      new ConversionError("site_blocked", { detail: error.detail, isTransient: false, cause: error }),
      info,
    );
  const isRefused = error instanceof ConversionError && error.code === "site_blocked" && !error.isTransient;
  const hasEnded = error instanceof SiteRefusal && error.refuses === "client";
  return isRefused || hasEnded ? new MediaRefused(error, info) : error;
}

/** Runs a step that the site may refuse. @throws what {@link asMediaRefusal} makes of its error */
export async function withMediaRefusals<T>(
  work: ConversionWork,
  info: VideoInfo,
  step: () => T | Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw await asMediaRefusal(work, info, error);
  }
}
