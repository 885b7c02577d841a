/** Identifies the viewer by token or cookies, for requests and sockets alike. */
import type { IncomingHttpHeaders } from "node:http";
import type { DeviceCookies } from "./device-cookie.ts";
import type { Domain } from "../domain.ts";
import type { OldCookies } from "./old-cookies.ts";
import { createSessionCookieReader } from "./session-cookie.ts";
import { findSession } from "./sessions.ts";
import { identifyByToken } from "./tokens.ts";
import type { StoredUser } from "./user-model.ts";
import type { Viewer } from "./viewer.ts";

/** The ids in a browser's cookies whose signatures are valid. The database has not been asked. */
export interface VerifiedCookies {
  readonly deviceId: string | null;
  /** The session may have ended or expired. */
  readonly sessionId: string | null;
}

/** Reads the ids from a `Cookie` header. */
export type VerifyCookies = (cookieHeader: string | undefined) => VerifiedCookies;

export interface VerifierParts {
  readonly devices: DeviceCookies;
  readonly oldCookies: OldCookies;
  /** Signing keys, newest first. */
  readonly keys: readonly string[];
  /** Whether the site uses https. */
  readonly isSecure: boolean;
}

export function createCookieVerifier({ devices, oldCookies, keys, isSecure }: VerifierParts): VerifyCookies {
  const readSessionId = createSessionCookieReader(keys, isSecure);
  return (cookieHeader) => {
    const header = oldCookies.translate(cookieHeader);
    return { deviceId: devices.read(header), sessionId: readSessionId(header) };
  };
}

/** The headers that say who sends a request. */
export type Credentials = Pick<IncomingHttpHeaders, "cookie" | "authorization">;

/** @returns the token of the header; null if it has none */
export function bearerOf({ authorization }: Credentials): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}

/**
 * @returns null without a token or a valid device cookie
 * @throws UserError invalid_token, pro_required; a bad token is never replaced by cookies
 */
export type IdentifyViewer = (credentials: Credentials) => Promise<Viewer | null>;

/**
 * A session is valid only together with the device that signed in, so that one stolen cookie alone is useless. Without
 * a valid session the viewer is the anonymous device.
 */
export function createIdentifyViewer(domain: Domain, verify: VerifyCookies): IdentifyViewer {
  return async (credentials) => {
    const bearer = bearerOf(credentials);
    if (bearer !== null) return identifyByToken(domain, bearer);
    const { deviceId, sessionId } = verify(credentials.cookie);
    if (deviceId === null) return null;
    const anonymous: Viewer = { deviceId, userId: null, tier: "free" };
    if (sessionId === null) return anonymous;
    const session = await findSession(domain, sessionId);
    if (!session || session.userId === null || session.deviceId !== deviceId) return anonymous;
    const user = await domain.users.findOne({ _id: session.userId, deletedAt: null }).lean<StoredUser>();
    if (!user) return anonymous;
    const viewer: Viewer = { deviceId, userId: user._id, email: user.email, tier: user.tier, sessionId };
    return user.isOperator === true ? { ...viewer, isOperator: true } : viewer;
  };
}
