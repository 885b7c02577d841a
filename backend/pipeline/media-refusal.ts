/** What follows when a site does not give the media that it listed a moment ago, or not yet. */
import { pause } from "../../common/waiting.ts";
import { ConversionError } from "../../common/errors.ts";
import { isYouTubeHost } from "../../common/hosts.ts";
import { SiteBusy, SiteRefusal, TooManyRequests } from "./errors/site-refusal.ts";
import { LONG_ADVERTISEMENT } from "./errors/wording.ts";
import type { Pipeline, PipelineLimits } from "./pipeline.ts";
import type { VideoInfo } from "./probe/info.ts";
import { afterMediaRefusal } from "./probe/youtube.ts";
import type { Exit } from "./exits/exit.ts";

/** A site that is not YouTube and goes on refusing is asked again after this time at the earliest. */
const LEAST_BUSY_MS = 5 * 60_000;

/** The media is not given. Other clients may be given theirs; the cause is thrown where there are none. */
export class MediaRefused extends Error {
  /** Through which the media was asked for. */
  readonly exit: Exit | undefined;

  constructor(cause: ConversionError, exit: Exit | undefined) {
    super("media was refused", { cause });
    this.exit = exit;
  }
}

/**
 * Waits for the end of an advertisement before the video.
 * @param onWait called with the end in milliseconds since 1970, and with null when it has come
 * @throws MediaRefused when it lasts too long; other clients may be shown none
 * @throws `signal.reason` when aborted
 */
export async function untilAvailable(
  { availableAtMs = 0, exit }: VideoInfo,
  { maxAdvertisementMs }: PipelineLimits,
  onWait: (untilMs: number | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const waitMs = availableAtMs - Date.now();
  if (waitMs <= 0) return;
  if (waitMs > maxAdvertisementMs)
    throw new MediaRefused(
      new ConversionError("busy", { ...LONG_ADVERTISEMENT, detail: `media is given in ${waitMs} ms` }),
      exit,
    );
  onWait(availableAtMs);
  await pause(waitMs, signal);
  onWait(null);
}

/**
 * Translates the failure of a conversion whose metadata was read.
 * @param info of the extraction that listed the media
 * @returns MediaRefused for a refusal that another client may not meet; SiteBusy when the site asks to wait for longer
 *   than a worker does; else the given error
 */
export async function asMediaRefusal(
  pipeline: Pipeline,
  url: string,
  info: VideoInfo,
  error: unknown,
): Promise<unknown> {
  if (error instanceof SiteRefusal && error.refuses === "exit") {
    if (pipeline.youtube && isYouTubeHost(new URL(url).hostname))
      return afterMediaRefusal(pipeline.youtube, info, error);
    const askedMs = error instanceof TooManyRequests ? error.retryAfterMs : undefined;
    if (askedMs === undefined) return error;
    return new SiteBusy(Date.now() + Math.max(LEAST_BUSY_MS, askedMs), { detail: error.detail, cause: error });
  }
  const isRefused = error instanceof ConversionError && error.code === "site_blocked" && !error.isTransient;
  return isRefused ? new MediaRefused(error, info.exit) : error;
}
