/** Jobs with equal keys share one conversion. */
import { createHash } from "node:crypto";
import type { Part } from "../../../common/choices.ts";
import { isSameInAllTiers, qualityFor } from "../../../common/tiers.ts";
import type { Domain } from "../domain.ts";
import type { CutSource, StoredJob } from "./job-model.ts";
import { type Viewer } from "../accounts/viewer.ts";
import { keyPartsOf, type Output } from "./output.ts";

/** @returns the key of the conversion that a viewer's request for a link needs */
export function keyOfRequest(domain: Domain, viewer: Viewer, sourceUrl: string, { format, choices }: Output): string {
  const { tier } = viewer;
  const quality = qualityFor(tier, format);
  return conversionKeyOf(domain, viewer, { sourceUrl, format, quality, tier, ...(choices ? { choices } : {}) });
}

/**
 * @param name site, id and length of the video, as the pipeline names it
 * @returns the key of all conversions of the video that are asked for as this one is, whatever link leads to it
 */
export const videoKeyOf = (domain: Domain, job: StoredJob, name: string): string =>
  conversionKeyOf(domain, job, { ...job, sourceUrl: `video ${name}` });

/**
 * Not the key of the part from the link: what is encoded a second time is no answer to a request for the first.
 * @returns the key of a cut, whose file is known by the file that it is made of
 */
export function keyOfCut({ fileKey }: Pick<CutSource, "fileKey">, { startSeconds, endSeconds }: Part): string {
  return createHash("sha256")
    .update(JSON.stringify(["cut", fileKey, startSeconds, endSeconds]))
    .digest("hex");
}

/**
 * Jobs with equal keys share one conversion. An instant answer shows that the video was converted before, so without
 * `sharesFiles` the keys of different visitors differ.
 */
export function conversionKeyOf(
  { limits }: Domain,
  { userId, deviceId }: Pick<Viewer, "userId" | "deviceId">,
  { sourceUrl, quality, tier, ...output }: Output & Pick<StoredJob, "sourceUrl" | "quality" | "tier">,
): string {
  const [format, ...choices] = keyPartsOf(output);
  const request = [sourceUrl, format, quality, ...choices];
  // Where the quality does not tell the tier, its limits still differ: one may fail where the other does not.
  if (isSameInAllTiers(output.format)) request.push(tier);
  return createHash("sha256")
    .update(JSON.stringify(limits.sharesFiles ? request : [...request, userId ?? deviceId]))
    .digest("hex");
}
