/** Figures and addresses that the bench's site sends to the bench process. */
import { z } from "zod";

export const SiteOrigins = z.object({ unlimited: z.string(), shaped: z.record(z.string(), z.string()) });
export type SiteOrigins = z.infer<typeof SiteOrigins>;

export const SiteFigures = z.object({
  /** Bytes of all connections, with headers. */
  sentBytes: z.number(),
  requests: z.number(),
  mostConnections: z.number(),
  /** Time of the first request for an address (without origin), milliseconds since 1970. */
  firstAskedAtMs: z.record(z.string(), z.number()),
  /** Renditions of which at least one byte was sent. */
  renditions: z.array(z.object({ name: z.string(), sentBytes: z.number(), sizeBytes: z.number() })),
});
export type SiteFigures = z.infer<typeof SiteFigures>;

/** A rendition of which a smaller share was sent was only probed. */
const CHOSEN_SHARE = 0.5;

/** @returns total size of the renditions that were fetched, not only probed */
export function chosenBytes({ renditions }: SiteFigures): number {
  return renditions
    .filter(({ sentBytes, sizeBytes }) => sentBytes >= sizeBytes * CHOSEN_SHARE)
    .reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
