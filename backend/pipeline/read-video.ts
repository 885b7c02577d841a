/** Reads what a link leads to: the first step of every conversion. */
import { MAX_LINK_LENGTH } from "../../common/api.ts";
import { findingsOf, type Findings } from "../../common/findings.ts";
import { withoutTracking } from "../../common/links/page-address.ts";
import { postOf } from "../../common/links/video-of-post.ts";
import type { ConversionWork, Found, NamedVideo } from "./conversion.ts";
import { inSoundLanguage } from "./plan/sound-language.ts";
import { extractShared } from "./probe/extraction.ts";
import type { VideoInfo } from "./probe/info.ts";
import { originOf } from "./probe/video-origin.ts";
import { checkFreeSpace } from "./process/free-space.ts";

/** @param durationSeconds of the result, or of the video while that is not known; undefined when the site does not say */
export function aboutVideo(info: VideoInfo & Findings, durationSeconds: number | undefined): Found {
  const about: Found = { title: info.title, origin: originOf(info), ...findingsOf(info) };
  if (durationSeconds !== undefined) about.durationSeconds = durationSeconds;
  if (info.exit) about.exit = info.exit.name;
  return about;
}

/** @returns undefined where the id may be that of a whole of which the link is a part */
export function nameOf({ videoId, clip, durationSeconds }: VideoInfo, link: string): NamedVideo | undefined {
  if (videoId === undefined || clip || postOf(link).number !== undefined) return undefined;
  return { videoId, name: `${videoId} ${Math.round(durationSeconds ?? 0)}` };
}

/** @returns where the video is: its own page, which is the same by whatever link it was asked for */
export function pageOf(info: VideoInfo, link: string): string {
  const url = nameOf(info, link) && URL.parse(info.pageUrl ?? "");
  const page = url ? withoutTracking(url) : link;
  return /^https?:/.test(page) && page.length <= MAX_LINK_LENGTH ? page : link;
}

/**
 * Extracts the metadata of the link and passes them to the listener.
 * @returns the video with the chosen sound alone
 * @throws ConversionError "storage" when the disk is full, and what extracting throws
 */
export async function readVideo(work: ConversionWork): Promise<VideoInfo> {
  const { request, listener, pipeline } = work;
  const { url, choices, folder } = request;
  await checkFreeSpace(folder, pipeline.limits.minFreeDiskBytes);
  const info = inSoundLanguage(await extractShared(work, url, folder), choices?.soundLanguage);
  // The title is shown even for a video that cannot be converted.
  listener.found(aboutVideo(info, info.durationSeconds));
  const named = nameOf(info, url);
  if (named) await listener.named?.(named);
  return info;
}
