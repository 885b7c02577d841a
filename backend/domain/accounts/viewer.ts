/** Who is looking, and what they may see: the same answer for calls and for sockets. */
import type { Tier } from "../../../common/tiers.ts";
import type { Audience } from "../bus.ts";
import type { StoredJob } from "../jobs/job-model.ts";

export interface Viewer {
  readonly deviceId: string;
  /** Null: not signed in. */
  readonly userId: string | null;
  readonly tier: Tier;
  /** By which they are signed in. */
  readonly sessionId?: string;
}

/** The jobs a viewer may see and act on, as a database filter. */
export function visibleTo(
  viewer: Pick<Viewer, "deviceId" | "userId">,
): Pick<StoredJob, "userId"> & Partial<Pick<StoredJob, "deviceId">> {
  return viewer.userId === null ? { deviceId: viewer.deviceId, userId: null } : { userId: viewer.userId };
}

export function audienceOf(job: { deviceId: string; userId: string | null }): Audience {
  return job.userId === null ? { deviceId: job.deviceId } : { deviceId: job.deviceId, userId: job.userId };
}

/**
 * The rooms whose sockets hear of a job. A signed-in user's jobs go to the user alone, so that a
 * device hears nothing more of them once its user has signed out.
 */
export function roomsOf(audience: Audience): string[] {
  return audience.userId === undefined ? [`device:${audience.deviceId}`] : [`user:${audience.userId}`];
}

/** The rooms a viewer's sockets sit in. */
export function roomsFor(viewer: Viewer): string[] {
  return viewer.userId === null
    ? [`device:${viewer.deviceId}`]
    : [
        `device:${viewer.deviceId}`,
        `user:${viewer.userId}`,
        ...(viewer.sessionId === undefined ? [] : [`session:${viewer.sessionId}`]),
      ];
}
