/**
 * The preview of a link before it is converted. Previews need the tools of a worker, so they are made behind a port
 * that takes and returns plain data and may be in another process.
 */
import type { Preview } from "../../../common/api.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Tier } from "../../../common/tiers.ts";
import type { Domain } from "../domain.ts";
import { canonicalLink } from "./link-policy.ts";
import type { Viewer } from "../accounts/viewer.ts";

export interface Previews {
  /**
   * Reads the metadata of the video behind a link.
   * @param link canonical, accepted by the link policy
   * @param choices the estimates are for them; title and length are those of the whole video
   * @throws ConversionError when the video cannot be converted
   * @throws UserError unavailable_now when too many previews are being made
   * @throws signal.reason when aborted; nothing is left running then
   */
  create(link: string, tier: Tier, choices: ConversionChoices, signal: AbortSignal): Promise<Preview>;
}

/**
 * Checks a link and makes its preview.
 * @throws UserError access_blocked
 * @throws ConversionError when the link policy refuses the link, or its video is blocked; also what {@link Previews.create} throws
 */
export async function previewLink(
  domain: Domain,
  previews: Previews,
  viewer: Viewer,
  { youtubeUrl, choices = {} }: { readonly youtubeUrl: string; readonly choices?: ConversionChoices },
  signal: AbortSignal,
): Promise<Preview> {
  domain.blocks.requireViewer(viewer);
  const link = canonicalLink(youtubeUrl, domain.videoHosts);
  domain.blocks.requireLink(link);
  return previews.create(link, viewer.tier, choices, signal);
}
