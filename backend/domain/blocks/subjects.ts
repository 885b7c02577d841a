/**
 * What a job is about, in the form in which the block list is compared with it: codes of its video, its channel and the
 * hosts it was fetched from. Jobs store codes and not names, so that a job's record tells nothing about a channel or a
 * media host beyond what its link tells.
 */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { isYouTubeHost } from "../../../common/hosts.ts";
import { postOf } from "../../../common/links/video-of-post.ts";
import type { VideoOrigin } from "../../../common/video-origin.ts";
import type { BlockKind } from "../../../common/block-kinds.ts";

/** Enough to tell all videos of the world apart. */
const CODE_LENGTH = 22;

export function subjectCode(kind: BlockKind, value: string): string {
  return createHash("sha256").update(`${kind}:${value}`).digest("base64url").slice(0, CODE_LENGTH);
}

/** @returns the host of a link in lower case, without brackets and final dot; undefined for a text that is no link */
export function hostOf(link: string): string | undefined {
  const host = URL.parse(link)
    ?.hostname.replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return host === "" ? undefined : host;
}

/** @returns codes of a host and of all domains that it is a part of */
export function hostSubjects(host: string): string[] {
  if (isIP(host) !== 0) return [subjectCode("host", host)];
  const labels = host.split(".");
  // A name of one label, such as "com", cannot be blocked.
  const names = labels.slice(0, Math.max(1, labels.length - 1)).map((_, index) => labels.slice(index).join("."));
  // The end of "1.203.0.113.7" is no domain that it is a part of.
  return names.filter((name) => isIP(name) === 0).map((name) => subjectCode("host", name));
}

/**
 * @param link canonical
 * @returns the video of a link, as entries of the block list name it: by its id at YouTube, else by the link itself
 */
export function videoOfLink(link: string): string {
  const url = URL.parse(link);
  const id = url && isYouTubeHost(url.hostname) && url.pathname === "/watch" ? url.searchParams.get("v") : null;
  return id === null ? link : `youtube:${id}`;
}

/** @param videoId site and its id, as an origin has it */
export const videoSubject = (videoId: string): string => subjectCode("video", videoId);

/**
 * @param link canonical
 * @param origin absent until the video has been extracted
 */
export function subjectsOf(link: string, origin?: VideoOrigin): string[] {
  // A post is blocked with all its videos.
  const videos = new Set([link, postOf(link).post].map(videoOfLink));
  const hosts = [hostOf(link) ?? [], origin?.hosts ?? []].flat();
  const subjects = [
    ...[...videos].map((video) => subjectCode("video", video)),
    ...(origin?.videoId === undefined ? [] : [videoSubject(origin.videoId)]),
    ...(origin?.channelIds ?? []).map((id) => subjectCode("channel", id)),
    ...hosts.flatMap(hostSubjects),
  ];
  return [...new Set(subjects)];
}
