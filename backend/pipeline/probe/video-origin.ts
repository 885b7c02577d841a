import type { VideoOrigin } from "../../../common/video-origin.ts";
import type { VideoInfo } from "./info.ts";
import { piecesOf } from "./pieces.ts";

/** The block list as the pipeline asks it. */
export interface VideoBlocks {
  /** @throws ConversionError "blocked" */
  requireVideo(link: string, origin: VideoOrigin): void;
  /** @param host a name, or an IP address in standard notation */
  refusesHost(host: string): boolean;
}

/** Sites have their media on a few hosts; a page with more is not believed. */
const MAX_HOSTS = 10;

export function originOf({ videoId, channelIds = [], pageUrl = "", renditions }: VideoInfo): VideoOrigin {
  const hosts = [hostOf(pageUrl), ...renditions.flatMap(piecesOf).map(({ url }) => hostOf(url))].filter(
    (host) => host !== undefined,
  );
  return { videoId, channelIds, hosts: [...new Set(hosts)].slice(0, MAX_HOSTS) };
}

/** @returns the host in lower case, without brackets and final dot; undefined for a text that is no address */
export function hostOf(url: string): string | undefined {
  return (
    URL.parse(url)
      ?.hostname.replace(/^\[|\]$/g, "")
      .replace(/\.$/, "") || undefined
  );
}
