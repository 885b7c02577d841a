/**
 * Sessions: which browser is signed in as whom, and until when. An ended session stays as a mark
 * until its time is up, so that a request that was under way cannot write it back to life.
 */
import { Schema, type Connection, type Model } from "mongoose";
import type { Domain } from "../domain.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";

export interface StoredSession {
  _id: string;
  /** Null: a sign-in is under way. */
  userId: string | null;
  /** The device that signed in; its cookie and the session's count only together. */
  deviceId: string | null;
  /** What the cookie layer keeps. */
  data: Record<string, unknown>;
  createdAt: Date;
  /** Moves on as long as the session is used. */
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
  { versionKey: false, collection: "sessions", autoCreate: false, autoIndex: false, minimize: false },
);
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 });

export async function openSessionModel(connection: Connection): Promise<SessionModel> {
  const model = connection.model<StoredSession>("Session", schema);
  await model.createIndexes();
  return model;
}

/** A session that counts: neither over nor past its time. */
function valid(): { endedAt: null; expiresAt: { $gt: Date } } {
  return { endedAt: null, expiresAt: { $gt: new Date() } };
}

export async function findSession(domain: Domain, id: string): Promise<StoredSession | null> {
  return domain.sessions.findOne({ _id: id, ...valid() }).lean<StoredSession>();
}

/** Those of the sessions that still count. */
export async function validSessions(domain: Domain, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const found = await domain.sessions
    .find({ _id: { $in: [...ids] }, ...valid() }, { _id: 1 })
    .lean<{ _id: string }[]>();
  return new Set(found.map(({ _id }) => _id));
}

/** Writes a session that is new or goes on; one that has ended stays ended. */
export async function keepSession(
  domain: Domain,
  id: string,
  data: Record<string, unknown>,
  expiresAt: Date,
): Promise<void> {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  try {
    await domain.sessions.updateOne(
      { _id: id, endedAt: null },
      {
        $set: { data, expiresAt, userId: text(data["userId"]), deviceId: text(data["deviceId"]) },
        $setOnInsert: { createdAt: new Date() },
      },
      { upsert: true },
    );
  } catch (error) {
    // There is one of this name, and it has ended: that is what the condition is for.
    if (!isDuplicateKeyError(error)) throw error;
  }
}

/** Ends sessions and closes their sockets. */
async function end(domain: Domain, condition: object): Promise<void> {
  const ended = await domain.sessions.find({ ...condition, endedAt: null }, { _id: 1 }).lean<{ _id: string }[]>();
  const sessionIds = ended.map(({ _id }) => _id);
  await domain.sessions.updateMany({ _id: { $in: sessionIds } }, { $set: { endedAt: new Date(), data: {} } });
  if (sessionIds.length > 0) domain.bus.publish("session:ended", { sessionIds });
}

export function endSession(domain: Domain, id: string): Promise<void> {
  return end(domain, { _id: id });
}

/** Signs a user out everywhere. */
export function endAllSessions(domain: Domain, userId: string): Promise<void> {
  return end(domain, { userId });
}

/** Removes what is past its time. @returns how many */
export async function forgetOldSessions(domain: Domain, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await domain.sessions.deleteMany({ expiresAt: { $lte: now } });
  return deletedCount;
}
