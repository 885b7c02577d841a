/**
 * The private podcast feed of an account: what the account has converted to sound, as long as the files are kept. Whoever
 * has its key reads it, without an account, and can do nothing else. Only the hash of the key is stored.
 */
import { randomBytes } from "node:crypto";
import { UserError } from "../../../common/errors.ts";
import { CONTENT_TYPES, endingOf } from "../../../common/file-types.ts";
import { MAX_FEED_TAPES, type Feed } from "../../../common/feed-calls.ts";
import type { Language } from "../../../common/languages.ts";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";
import type { Domain } from "../domain.ts";
import { hashSecret } from "../hash-secret.ts";
import { findJob, findJobs } from "../jobs/find-jobs.ts";
import type { JobWithFile, StoredJob } from "../jobs/job-model.ts";
import { hasFile } from "../jobs/present.ts";
import type { StoredFeed } from "./feed-model.ts";

/** It lasts until it is revoked, and nobody types it: as long as the secret of a token. */
const KEY_BYTES = 32;
const KEY = /^[\w-]{43}$/;
/** The last reading is stored once in this time. */
const USE_MS = 5 * 60_000;

/** A tape of a feed: a completed job whose file is sound. */
export type Tape = JobWithFile;

export interface OpenedFeed {
  readonly userId: string;
  readonly language: Language;
  /** Newest first. */
  readonly tapes: readonly Tape[];
}

/**
 * Makes the feed of a user. The address of an earlier one stops working.
 * @returns the feed with its key, which cannot be read again
 * @throws UserError sign_in_required
 */
export async function createFeed(domain: Domain, userId: string, language: Language): Promise<Feed & { key: string }> {
  if (!(await domain.users.exists({ _id: userId, deletedAt: null }))) throw new UserError("sign_in_required");
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const stored = { hash: hashSecret(key), language, createdAt: new Date(), lastReadAt: null };
  const store = () => domain.feeds.replaceOne({ _id: userId }, stored, { upsert: true });
  await store().catch((error: unknown) => {
    // Another page has made the first one at the same time; the later one stays.
    if (isDuplicateKeyError(error)) return store();
    throw error;
  });
  domain.bus.publish("feed:changed", { userId });
  return { ...presentFeed({ _id: userId, ...stored }), key };
}

/** @returns null when the user has none */
export async function readFeed(domain: Domain, userId: string): Promise<Feed | null> {
  const feed = await domain.feeds.findById(userId).lean<StoredFeed>();
  return feed && presentFeed(feed);
}

/** Revokes the feed of a user, if there is one. */
export async function revokeFeed(domain: Domain, userId: string): Promise<void> {
  const { deletedCount } = await domain.feeds.deleteOne({ _id: userId });
  if (deletedCount > 0) domain.bus.publish("feed:changed", { userId });
}

export function presentFeed({ createdAt, lastReadAt }: StoredFeed): Feed {
  return { createdAt: createdAt.toISOString(), lastReadAt: lastReadAt?.toISOString() ?? null };
}

/** @returns the feed of a key with what is in it; null when there is none. @throws UserError access_blocked */
export async function openFeed(domain: Domain, key: string): Promise<OpenedFeed | null> {
  const feed = await findFeed(domain, key);
  if (!feed) return null;
  const { _id: userId, language } = feed;
  await rememberReading(domain, feed);
  const now = new Date();
  const found = await findJobs(
    domain,
    { userId, ...SOUND, isExpired: { $ne: true }, expiresAt: { $gt: now } },
    { sort: { createdAt: -1 }, limit: MAX_FEED_TAPES },
  );
  return { userId, language, tapes: found.filter((job) => isTape(domain, job, now.getTime())) };
}

/** @returns a tape of the feed; null when there is none, or none any more. @throws UserError access_blocked */
export async function findTape(domain: Domain, key: string, jobId: string): Promise<Tape | null> {
  const feed = await findFeed(domain, key);
  const job = feed && (await findJob(domain, { _id: jobId, userId: feed._id }));
  return job && isTape(domain, job, Date.now()) ? job : null;
}

async function findFeed(domain: Domain, key: string): Promise<StoredFeed | null> {
  if (!KEY.test(key)) return null;
  const feed = await domain.feeds.findOne({ hash: hashSecret(key) }).lean<StoredFeed>();
  if (!feed) return null;
  const user = await domain.users.findOne({ _id: feed._id, deletedAt: null }, { email: 1 }).lean<{ email: string }>();
  if (!user) return null;
  domain.blocks.requireViewer({ deviceId: "", userId: feed._id, email: user.email });
  return feed;
}

async function rememberReading(domain: Domain, { _id, hash, lastReadAt }: StoredFeed): Promise<void> {
  const nowMs = Date.now();
  if (lastReadAt !== null && nowMs - lastReadAt.getTime() < USE_MS) return;
  await domain.feeds.updateOne({ _id, hash }, { $set: { lastReadAt: new Date(nowMs) } });
}

/** Jobs that may be tapes. An archive of the files of chapters cannot be played. */
const SOUND = {
  status: "completed",
  format: { $in: ["mp3", "original", "flac", "wav"] },
  "choices.chapterFiles": { $ne: true },
} as const;

function isTape(domain: Domain, job: StoredJob, nowMs: number): job is Tape {
  return (
    job.status === "completed" &&
    job.fileKey !== undefined &&
    job.isBlocked !== true &&
    hasFile(job, nowMs) &&
    CONTENT_TYPES[endingOf(job)].startsWith("audio/") &&
    domain.blocks.refusalOf(job) === undefined
  );
}
