/** Writes all stored data about a user as JSON, piece by piece, so that a long history takes little memory. */
import type { Domain } from "../domain.ts";
import { readFeed } from "../feeds/feeds.ts";
import { eachJob } from "../jobs/find-jobs.ts";
import type { StoredFollow } from "../follows/follow-model.ts";
import type { StoredSelection } from "../jobs/selection-model.ts";
import { presentJob } from "../jobs/present.ts";
import type { StoredSession } from "./sessions.ts";
import type { StoredToken } from "./token-model.ts";
import { presentToken } from "./tokens.ts";
import type { StoredUser } from "./user-model.ts";

/** Records that are in memory at a time. */
export const EXPORT_BATCH = 100;

/** @returns the text of a JSON object with all stored data about a user, without secrets such as session ids */
export async function* exportAccount(domain: Domain, userId: string): AsyncGenerator<string> {
  const user = await domain.users.findById(userId).lean<StoredUser>();
  const hookExports = await Promise.all(domain.accountHooks.map(async (hook) => (await hook.export?.(userId)) ?? {}));
  yield* writeObject({
    exportedAt: new Date().toISOString(),
    user: user && {
      id: user._id,
      issuer: user.issuer,
      subject: user.subject,
      email: user.email,
      firstName: user.firstName,
      tier: user.tier,
      grantedTier: user.grantedTier,
      tierChangedAt: user.tierChangedAt,
      isOperator: user.isOperator,
      createdAt: user.createdAt,
    },
    conversions: exportJobs(domain, userId),
    selections: exportSelections(domain, userId),
    follows: exportFollows(domain, userId),
    sessions: exportSessions(domain, userId),
    tokens: exportTokens(domain, userId),
    feed: await readFeed(domain, userId),
    ...Object.assign({}, ...hookExports),
  });
}

async function* exportJobs(domain: Domain, userId: string): AsyncGenerator<object> {
  for await (const job of eachJob(domain, { userId }, { sort: { createdAt: -1 }, batchSize: EXPORT_BATCH }))
    yield {
      ...presentJob(job),
      chapters: job.chapters,
      sourceUrl: job.sourceUrl,
      deviceId: job.deviceId,
      tier: job.tier,
    };
}

async function* exportSelections(domain: Domain, userId: string): AsyncGenerator<object> {
  const selections = domain.selections.find({ userId }).lean<StoredSelection[]>();
  for await (const selection of selections.cursor({ batchSize: 1 }) as AsyncIterable<StoredSelection>) {
    const { _id: batchId, deviceId, title, links, tracks, asOneFile, total, queued, format, choices } = selection;
    const { createdAt, endedAt } = selection;
    yield { batchId, deviceId, title, links, tracks, asOneFile, total, queued, format, choices, createdAt, endedAt };
  }
}

async function* exportFollows({ follows }: Domain, userId: string): AsyncGenerator<object> {
  // Codes of the videos that a list had say nothing to anybody.
  const owned = follows.find({ userId }, { _id: 0, userId: 0, seen: 0, place: 0, call: 0 }).lean<StoredFollow[]>();
  for await (const follow of owned.cursor({ batchSize: EXPORT_BATCH }) as AsyncIterable<StoredFollow>) yield follow;
}

async function* exportSessions(domain: Domain, userId: string): AsyncGenerator<object> {
  const sessions = domain.sessions.find({ userId, endedAt: null }).lean<StoredSession[]>();
  for await (const session of sessions.cursor({ batchSize: EXPORT_BATCH }) as AsyncIterable<StoredSession>) {
    const { deviceId, createdAt, expiresAt } = session;
    yield { deviceId, createdAt, expiresAt };
  }
}

async function* exportTokens(domain: Domain, userId: string): AsyncGenerator<object> {
  const tokens = domain.tokens.find({ userId }).lean<StoredToken[]>();
  for await (const token of tokens.cursor({ batchSize: EXPORT_BATCH }) as AsyncIterable<StoredToken>)
    yield presentToken(token);
}

/** @param fields values for JSON; an async iterable becomes a list */
async function* writeObject(fields: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let separator = "{\n";
  for (const [name, value] of Object.entries(fields)) {
    yield `${separator}  ${JSON.stringify(name)}: `;
    if (isAsyncIterable(value)) yield* writeList(value);
    else yield JSON.stringify(value, null, 2);
    separator = ",\n";
  }
  yield "\n}\n";
}

async function* writeList(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = "[\n    ";
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ",\n    ";
  }
  yield separator.startsWith("[") ? "[]" : "\n  ]";
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
