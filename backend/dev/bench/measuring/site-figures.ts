/** What the bench's site says of itself, between its process and the bench's. */
import { z } from "zod";

export const SiteOrigins = z.object({ unlimited: z.string(), shaped: z.record(z.string(), z.string()) });
export type SiteOrigins = z.infer<typeof SiteOrigins>;

export const SiteFigures = z.object({
  /** Over all connections, headers included. */
  sentBytes: z.number(),
  mostConnections: z.number(),
  /** Milliseconds since 1970 by address, without the origin. */
  firstAskedAtMs: z.record(z.string(), z.number()),
  /** Those of which anything was sent. */
  renditions: z.array(z.object({ name: z.string(), sentBytes: z.number(), sizeBytes: z.number() })),
});
export type SiteFigures = z.infer<typeof SiteFigures>;

/** A rendition of which less than this was sent has only been looked into. */
const CHOSEN_SHARE = 0.5;

/** The size of all that was chosen to be fetched. Pure. */
export function chosenBytes({ renditions }: SiteFigures): number {
  return renditions
    .filter(({ sentBytes, sizeBytes }) => sentBytes >= sizeBytes * CHOSEN_SHARE)
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
