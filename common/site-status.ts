/** Which video sites fail for most visitors at the moment, as the home page says it. */
import { z } from "zod";

/** Why a site fails: it refuses our requests, or it has changed and our tool does not understand it any more. */
export const SiteFailureReason = z.enum(["refusing", "changed"]);
export type SiteFailureReason = z.infer<typeof SiteFailureReason>;

export const Site = z.enum(["youtube"]);
export type Site = z.infer<typeof Site>;

export const SiteFailure = z.object({ site: Site, reason: SiteFailureReason });
export type SiteFailure = z.infer<typeof SiteFailure>;

/**
 * GET /api/site-status; pushed as `sites`. A page ignores sites and reasons that it does not know, because the server
 * may be of a newer version.
 */
export const SiteStatus = z.object({
  failing: z
    .array(z.unknown())
    .transform((failures): SiteFailure[] => failures.flatMap((failure) => SiteFailure.safeParse(failure).data ?? [])),
});
/** Empty while every site works, or nothing is known. */
export type SiteStatus = z.infer<typeof SiteStatus>;
