/** Events that the server sends over the socket. The client sends only the handshake. */
import { z } from "zod";
import type { Usage } from "./api.ts";
import { Job } from "./job.ts";
import { Tier } from "./tiers.ts";

export const SnapshotEvent = z.object({ asOf: z.iso.datetime(), jobs: z.array(Job) });
export const JobRemovedEvent = z.object({ id: z.string() });
/** The visitor signed in or out, or the tier changed. */
export const IdentityEvent = z.object({ tier: Tier, authenticated: z.boolean() });

export interface ServerEvents {
  snapshot: (event: z.infer<typeof SnapshotEvent>) => void;
  job: (job: Job) => void;
  "job:removed": (event: z.infer<typeof JobRemovedEvent>) => void;
  identity: (event: z.infer<typeof IdentityEvent>) => void;
  usage: (usage: Usage) => void;
}

export type ClientEvents = Record<string, never>;
