/**
 * Sessions: which browser is signed in as which user, and until when. The record of an ended session stays until the
 * session expires, so that a request that was already running cannot store the session again.
 */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import type { Domain } from "../domain.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";

export interface StoredSession {
  _id: string;
  /** Null while a sign-in is in progress. */
  userId: string | null;
  /** The device that signed in; the session is valid only together with its cookie. */
  deviceId: string | null;
  /** Data of koa-session. */
  data: Record<string, unknown>;
  /** The time of the sign-in. */
  createdAt: Date;
  /** Extended while the session is used. */
  expiresAt: Date;
  endedAt: Date | null;
}

export type SessionModel = Model<StoredSession>;

const schema = new Schema<StoredSession>(
  {
    _id: { type: String, required: true },
    userId: { type: String, default: null },
    deviceId: { type: String, default: null },
    data: { type: Schema.Types.Mixed, default: {} },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    endedAt: { type: Date, default: null },
  },
  { ...storedIn("sessions"), minimize: false },
);
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 });

export const openSessionModel = opensModel("Session", schema);

/** Selects sessions that have neither ended nor expired, and are not too old. */
function isValid({ limits }: Domain) {
  const nowMs = Date.now();
  return {
    endedAt: null,
    expiresAt: { $gt: new Date(nowMs) },
    createdAt: { $gt: new Date(nowMs - limits.sessionAgeMs) },
  };
}

export async function findSession(domain: Domain, id: string): Promise<StoredSession | null> {
  return domain.sessions.findOne({ _id: id, ...isValid(domain) }).lean<StoredSession>();
}

/** @returns those of the ids whose sessions are valid */
export async function validSessions(domain: Domain, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await domain.sessions
    .find({ _id: { $in: [...ids] }, ...isValid(domain) }, { _id: 1 })
    .lean<{ _id: string }[]>();
  return new Set(found.map(({ _id }) => _id));
}

/** Creates or updates a session. Does nothing if the session has ended. */
export async function saveSession(
  domain: Domain,
  id: string,
  data: Record<string, unknown>,
  expiresAt: Date,
): Promise<void> {
  const stringOrNull = (value: unknown) => (typeof value === "string" ? value : null);
  try {
    await domain.sessions.updateOne(
      { _id: id, endedAt: null },
      {
        $set: { data, expiresAt, userId: stringOrNull(data["userId"]), deviceId: stringOrNull(data["deviceId"]) },
        $setOnInsert: { createdAt: new Date() },
      },
      { upsert: true },
    );
  } catch (error) {
    // The session exists but has ended, so the update did not match and the upsert failed.
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/** Ends sessions and publishes `session:ended`, which closes their sockets. */
async function endSessions(domain: Domain, condition: object): Promise<void> {
  const ended = await domain.sessions.find({ ...condition, endedAt: null }, { _id: 1 }).lean<{ _id: string }[]>();
  const sessionIds = ended.map(({ _id }) => _id);
  await domain.sessions.updateMany({ _id: { $in: sessionIds } }, { $set: { endedAt: new Date(), data: {} } });
  if (sessionIds.length > 0) domain.bus.publish("session:ended", { sessionIds });
}

export function endSession(domain: Domain, id: string): Promise<void> {
  return endSessions(domain, { _id: id });
}

/** Signs a user out everywhere. */
export function endAllSessions(domain: Domain, userId: string): Promise<void> {
  return endSessions(domain, { userId });
}

/**
 * Deletes expired sessions.
 * @returns number of deleted sessions
 */
export async function deleteExpiredSessions(domain: Domain, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await domain.sessions.deleteMany({ expiresAt: { $lte: now } });
  return deletedCount;
}
