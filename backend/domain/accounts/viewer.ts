/** The viewer of a request or socket, and what the viewer may see. */
import type { Tier } from "../../../common/tiers.ts";
import type { TokenScope } from "../../../common/token-calls.ts";
import type { Audience } from "../bus.ts";
import type { Call } from "../call.ts";
import type { StoredJob } from "../jobs/job-model.ts";

export interface Viewer {
  readonly deviceId: string;
  /** Null when not signed in. */
  readonly userId: string | null;
  /** Of the user. */
  readonly email?: string;
  readonly tier: Tier;
  /** Present when the account may use the operator's page; never for a program. */
  readonly isOperator?: true;
  /** Present when signed in by a browser. */
  readonly sessionId?: string;
  /** Present for a program that acts for the user. */
  readonly token?: { readonly id: string; readonly scopes: readonly TokenScope[] };
  /** A code for the network of the request; see network.ts. Absent where no limit of networks applies. */
  readonly network?: string;
  /** The call by which the viewer asks. Absent for a socket. */
  readonly call?: Call;
}

/** @returns the database filter for the jobs that a viewer may see and change */
export function visibleTo(
  viewer: Pick<Viewer, "deviceId" | "userId">,
): Pick<StoredJob, "userId"> & Partial<Pick<StoredJob, "deviceId">> {
  return viewer.userId === null ? { deviceId: viewer.deviceId, userId: null } : { userId: viewer.userId };
}

/** @returns the owner of a job as the bus names it */
export function audienceOf(job: { deviceId: string; userId: string | null }): Audience {
  return job.userId === null ? { deviceId: job.deviceId } : { deviceId: job.deviceId, userId: job.userId };
}

/**
 * A user's jobs are sent to the user's room only, so that a device receives nothing after its user has signed out.
 * @returns the socket rooms that receive the events of a job
 */
export function audienceRooms(audience: Audience): string[] {
  return audience.userId === undefined ? [`device:${audience.deviceId}`] : [`user:${audience.userId}`];
}

/** @returns the rooms that a viewer's sockets join */
export function viewerRooms(viewer: Viewer): string[] {
  const rooms = [`device:${viewer.deviceId}`];
  if (viewer.userId === null) return rooms;
  rooms.push(`user:${viewer.userId}`);
  if (viewer.sessionId !== undefined) rooms.push(`session:${viewer.sessionId}`);
  if (viewer.token) rooms.push(`token:${viewer.token.id}`);
  return rooms;
}
