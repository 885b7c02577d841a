/**
 * Looking at a link before converting it. Who does the looking is behind a port: it needs the tools
 * of a worker, and takes and gives plain data, so that it may be in another process.
 */
import type { Preview } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Domain } from "../domain.ts";
import { judgeLink } from "./link-policy.ts";
import type { Viewer } from "../accounts/viewer.ts";

export interface Previews {
  /**
   * @param link in its canonical form, accepted by the link policy
   * Throws ConversionError for what is the link's own failure, UserError unavailable_now when too
   * many are being looked at, and `signal.reason` when aborted; nothing is left running then.
   */
  look(link: string, tier: Tier, signal: AbortSignal): Promise<Preview>;
}

/** Of a process that has no tools and knows of none that has. */
export const UNAVAILABLE_PREVIEWS: Previews = {
  look: () => Promise.reject(new UserError("unavailable_now")),
};

/** @throws ConversionError when the link policy refuses the link, and as {@link Previews.look} does */
export function previewLink(
  domain: Domain,
  previews: Previews,
  viewer: Viewer,
  youtubeUrl: string,
  signal: AbortSignal,
): Promise<Preview> {
  return previews.look(judgeLink(youtubeUrl, domain.videoHosts), viewer.tier, signal);
}
