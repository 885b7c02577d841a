/** Who a `Cookie` header proves to be: the one answer for calls and for sockets. */
import type { DeviceCookies } from "./device-cookie.ts";
import type { Domain } from "../domain.ts";
import { createSessionCookieReader } from "./session-cookie.ts";
import { findSession } from "./sessions.ts";
import type { StoredUser } from "./user-model.ts";
import type { Viewer } from "./viewer.ts";

/** What the cookies of a browser prove by their signatures alone, before any look into the database. */
export interface BrowserProof {
  readonly deviceId: string | null;
  /** The session may have ended. */
  readonly sessionId: string | null;
}

/** @param keys what cookies are signed with, newest first */
export function createProofReader(
  devices: DeviceCookies,
  keys: readonly string[],
): (cookieHeader: string | undefined) => BrowserProof {
  const readSessionId = createSessionCookieReader(keys);
  return (cookieHeader) => ({ deviceId: devices.read(cookieHeader), sessionId: readSessionId(cookieHeader) });
}

/** Null: no device, so nobody. */
export type IdentifyViewer = (cookieHeader: string | undefined) => Promise<Viewer | null>;

/**
 * A session counts only beside the device that signed in, so that neither cookie is worth anything
 * in another browser's jar. Whatever does not hold leaves an anonymous device.
 */
export function createIdentifyViewer(domain: Domain, devices: DeviceCookies, keys: readonly string[]): IdentifyViewer {
  const prove = createProofReader(devices, keys);
  return async (cookieHeader) => {
    const { deviceId, sessionId } = prove(cookieHeader);
    if (deviceId === null) return null;
    const anonymous: Viewer = { deviceId, userId: null, tier: "free" };
    if (sessionId === null) return anonymous;
    const session = await findSession(domain, sessionId);
    if (!session || session.userId === null || session.deviceId !== deviceId) return anonymous;
    const user = await domain.users.findOne({ _id: session.userId, deletedAt: null }).lean<StoredUser>();
    return user ? { deviceId, userId: user._id, tier: user.tier, sessionId } : anonymous;
  };
}
