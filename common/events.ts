/** Events that the server sends over the socket. The client sends only the handshake. */
import { z } from "zod";
import type { Usage } from "./api.ts";
import { WireJobs, type Job } from "./job.ts";
import type { OperatorState } from "./operator.ts";
import type { SiteStatus } from "./site-status.ts";
import { Tier } from "./tiers.ts";

export const SnapshotEvent = z.object({ asOf: z.iso.datetime(), jobs: WireJobs });
export const JobRemovedEvent = z.object({ id: z.string() });
/** The visitor signed in or out, or the tier changed. */
export const IdentityEvent = z.object({ tier: Tier, authenticated: z.boolean() });

export interface ServerEvents {
  snapshot: (event: z.infer<typeof SnapshotEvent>) => void;
  job: (job: Job) => void;
  "job:removed": (event: z.infer<typeof JobRemovedEvent>) => void;
  identity: (event: z.infer<typeof IdentityEvent>) => void;
  usage: (usage: Usage) => void;
  /** Sent to operators who look at their page, at most once in two seconds. */
  operator: (state: OperatorState) => void;
  /** Sent to every browser when it connects, and when a video site begins to fail or works again. */
  sites: (status: SiteStatus) => void;
}

export type ClientEvents = Record<string, never>;
