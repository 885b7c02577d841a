import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestBilling } from "../../dev/testing/billing/test-billing.ts";
import { openTestDomain, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import { sweep } from "../../worker/sweeper.ts";
import { deleteAccount, purgeDeleted } from "../accounts/delete-account.ts";
import { exportAccount } from "../accounts/export-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import { changeTier } from "../accounts/tier-sources.ts";
import { applyBlocks, findDueBlocks } from "../blocks/apply-blocks.ts";
import { addBlock, deleteEndedBlocks, readBlockVersion } from "../blocks/change-blocks.ts";
import { CreateFollow } from "../../../common/follows.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { readFeedFigures } from "../feeds/figures.ts";
import { readFollowFigures } from "../follows/figures.ts";
import { changeFollow, createFollow, listFollows, removeFollow } from "../follows/follows.ts";
import { lookAtNext } from "../follows/looks.ts";
import { cancelBatch, createBatch } from "../jobs/batches.ts";
import { createSelection, queueMore } from "../jobs/selections.ts";
import { releaseStaleSlots } from "../jobs/active-limit.ts";
import { stillHasFile, isFileInUse, referenceFile, dropFileReference } from "../jobs/files.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { createFileLink, openLinkedFile, revokeFileLink } from "../jobs/file-links.ts";
import { cancelOrRemove } from "../jobs/end-jobs.ts";
import { getJob, listJobs } from "../jobs/read-jobs.ts";
import { endAllSessions, findSession, saveSession, validSessions } from "../accounts/sessions.ts";
import { watchTiers } from "../accounts/tier-watch.ts";
import { createFeed, findTape, openFeed, readFeed, revokeFeed } from "../feeds/feeds.ts";
import { createToken, identifyByToken } from "../accounts/tokens.ts";
import { usageByDay, usageOf } from "../accounts/usage.ts";
import { handleEvent, postponeEvents } from "../billing/events/events.ts";
import { measureUsualSeconds } from "../jobs/usual-seconds.ts";
import {
  beginProcessing,
  claimJob,
  describeJob,
  failJob,
  findReusable,
  findSameVideo,
  finishJob,
  handBack,
  renewLease,
  saveProgress,
} from "../jobs/work.ts";
import { findAccounts } from "../operator/accounts.ts";
import { performAct } from "../operator/acts.ts";
import { reportBilling } from "../operator/billing-report.ts";
import { readFailures } from "../operator/failures.ts";
import { readSites } from "../operator/site-figures.ts";
import { readHistory } from "../operator/history.ts";
import { operatorsAmong, setOperator } from "../operator/operators.ts";
import { readRunningJobs } from "../operator/running-jobs.ts";
import { announceMissedEnds } from "../webhooks/announce-end.ts";
import { claimLostWebhooks, deleteOldDeliveries, deliverMessages, sendTest } from "../webhooks/deliver.ts";
import { disableWebhook } from "../webhooks/disable-webhook.ts";
import {
  createWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  removeWebhook,
  webhookAccountHook,
} from "../webhooks/webhooks.ts";
import { reclaimAllJobs, reclaimJobIfLost } from "../jobs/maintenance.ts";

const LINK = "https://youtu.be/aaaaaaaaaa";
interface Query {
  readonly collection: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort: Readonly<Record<string, 1 | -1>> | undefined;
  /** Reads no more documents than this, so the order has to come from the index. */
  readonly limit: number | undefined;
}

/** Collections that stay small: an operator writes them by hand. They may be read as a whole. */
const SMALL = new Set(["blocks", "block_versions", "operator_switches"]);

/** Few jobs, so they may be sorted without an index: those of a batch, and those that workers have. */
const areFew = ({ batchId, status }: Query["filter"]): boolean =>
  batchId !== undefined || JSON.stringify(status) === JSON.stringify({ $in: ["pending", "processing"] });

const textOf = ({ collection, filter, sort, limit }: Query): string =>
  `${collection} ${JSON.stringify(filter)} sort ${JSON.stringify(sort)} limit ${limit}`;

/** @returns the same text for queries that differ in their values only */
function shapeOf({ collection, filter, sort, limit }: Query): string {
  const shape = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.every((one) => typeof one !== "object") ? "value" : value.map(shape);
    if (typeof value !== "object" || value === null || value instanceof Date) return "value";
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]));
  };
  return JSON.stringify([collection, shape(filter), sort, limit !== undefined]);
}

/** @returns the conditions of a filter, those that `$and` joins too */
function conditionsOf(filter: object): [string, unknown][] {
  return Object.entries(filter).flatMap(([key, value]): [string, unknown][] =>
    key === "$and" ? (value as object[]).flatMap(conditionsOf) : [[key, value]],
  );
}

/** Whether an index finds the documents that a condition matches: a negation matches nearly all of them. */
const isSelective = (condition: unknown): boolean =>
  typeof condition !== "object" ||
  condition === null ||
  condition instanceof Date ||
  !Object.keys(condition).every((operator) => ["$ne", "$nin", "$exists", "$not"].includes(operator));

/** @returns the indexes that serve a filter, by their keys; none if one part of it reads the whole collection */
function servingIndexes(filter: object, indexes: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const conditions = conditionsOf(filter);
  const fields = new Set(conditions.filter(([, condition]) => isSelective(condition)).map(([field]) => field));
  const own = indexes.filter(([first = ""]) => fields.has(first));
  if (own.length > 0) return own;
  const [, branches] = conditions.find(([key]) => key === "$or") ?? [];
  if (!Array.isArray(branches)) return [];
  const ofBranches = branches.map((branch: object) => servingIndexes(branch, indexes));
  return ofBranches.some((served) => served.length === 0) ? [] : ofBranches.flat();
}

/** @returns what is wrong with a query; undefined if an index serves it */
function faultOf(query: Query, indexes: readonly (readonly string[])[]): string | undefined {
  if (SMALL.has(query.collection)) return undefined;
  const serving = servingIndexes(query.filter, indexes);
  if (serving.length === 0) return `reads the whole collection: ${textOf(query)}`;
  const [order] = Object.keys(query.sort ?? {});
  if (
    query.limit === undefined ||
    order === undefined ||
    areFew(query.filter) ||
    serving.some((keys) => keys.at(-1) === order)
  )
    return undefined;
  return `sorts all that it finds: ${textOf(query)}`;
}

/** @param plan of MongoDB, or of the PostgreSQL below FerretDB, whose index of ids also has the key of a shard */
const readsAll = (plan: string): boolean =>
  /"COLLSCAN"|"Seq Scan"|"Index Cond":"\(shard_key_value = '\d+'::bigint\)"/.test(plan);

describe("the queries of the domain", () => {
  let domain: TestDomain;
  const queries = new Map<string, Query>();
  const indexes = new Map<string, readonly (readonly string[])[]>();

  beforeAll(async () => {
    domain = await openTestDomain();
    domain.jobs.db.set("debug", (collection: string, method: string, ...args: unknown[]) => {
      if (method === "createIndex" || method.startsWith("insert") || method === "bulkWrite") return;
      const [first, second, third] = args as Record<string, unknown>[];
      const filter = method === "aggregate" ? (first as unknown as { $match?: object }[])[0]?.$match : first;
      const options = (method === "findOneAndUpdate" ? third : second) as Partial<Query> | undefined;
      const limit = method === "findOne" || method === "findOneAndUpdate" ? 1 : options?.limit;
      const query = { collection, filter: { ...filter }, sort: options?.sort, limit };
      queries.set(shapeOf(query), query);
    });
    await makeEveryQuery(domain);
    domain.jobs.db.set("debug", false);
    for (const collection of new Set([...queries.values()].map((query) => query.collection))) {
      const found = await domain.jobs.db.collection(collection).indexes();
      indexes.set(
        collection,
        found.map(({ key }) => Object.keys(key as object)),
      );
    }
  });
  afterAll(() => domain.close());

  it("are each served by an index", () => {
    expect(queries.size).toBeGreaterThan(30);
    const faults = [...queries.values()].map((query) => faultOf(query, indexes.get(query.collection) ?? []));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it("use every index", () => {
    const used = new Set(
      [...queries.values()].flatMap(({ collection, filter }) =>
        servingIndexes(filter, indexes.get(collection) ?? []).map((keys) => `${collection} ${keys.join()}`),
      ),
    );
    const all = [...indexes].flatMap(([collection, ofIt]) => ofIt.map((keys) => `${collection} ${keys.join()}`));
    expect(all.filter((index) => !index.endsWith(" _id") && !used.has(index))).toEqual([]);
  });

  it("read no whole collection by the plans of a server that explains them", async (context) => {
    const { db } = domain.jobs.db;
    if (!db) throw new Error("not connected");
    const planOf = async ({ collection, filter, sort }: Pick<Query, "collection" | "filter" | "sort">) =>
      JSON.stringify(await db.collection(collection).find(filter, { sort }).explain("queryPlanner"));
    const served = { collection: "jobs", filter: { _id: "a", status: "queued" }, sort: undefined };
    const plan = await planOf(served).catch(() => undefined);
    if (plan === undefined || readsAll(plan))
      return context.skip("this server does not plan as MongoDB does; the queries were compared with the indexes");
    expect(readsAll(await planOf({ ...served, filter: { without: "an index" } }))).toBe(true);
    const scans: string[] = [];
    for (const query of queries.values())
      if (!SMALL.has(query.collection) && readsAll(await planOf(query))) scans.push(textOf(query));
    expect(scans).toEqual([]);
  });
});

it.each([
  ["no condition", {}, false],
  ["another field", { age: 1 }, false],
  ["a negation", { owner: { $ne: "a" } }, false],
  ["a value", { owner: "a" }, true],
  ["a range beside a negation", { owner: { $gt: "a" }, age: { $ne: 1 } }, true],
  ["a value joined by $and", { $and: [{ age: 1 }, { owner: "a" }] }, true],
  ["a choice of two fields of which one has an index", { $or: [{ owner: "a" }, { age: 1 }] }, false],
  ["a choice of two fields with an index each", { $or: [{ owner: "a" }, { place: 1 }] }, true],
])("an index serves %s or not: %j", (_, filter, isServed) =>
  expect(
    faultOf({ collection: "any", filter, sort: undefined, limit: undefined }, [["owner", "age"], ["place"]]) ===
      undefined,
  ).toBe(isServed),
);

async function makeEveryWebhookQuery(domain: TestDomain, userId: string): Promise<void> {
  const { id } = await createWebhook(domain, userId, { url: "https://program.example/" });
  for (const answers of [[200], [503, 503]]) {
    const job = await createConversion(domain, newViewer({ userId }), { youtubeUrl: `${LINK}5`, format: "mp3" });
    const claimed = await claimJob(domain, job._id, "worker");
    if (claimed) await failJob(domain, claimed, "private");
    const send = () => Promise.resolve({ status: answers.shift() ?? 200 });
    const timing = { firstDelayMs: 0, maxDelayMs: 0, giveUpMs: 60_000, timeoutMs: 1_000 };
    await deliverMessages(domain, id, { send, timing, signal: new AbortController().signal });
  }
  const webhook = await findWebhook(domain, userId, id);
  await sendTest(domain, webhook, () => Promise.resolve({ status: 200 }));
  // More than the log keeps.
  const [sent] = await domain.webhookRecords.deliveries.find({ userId }).lean();
  await domain.webhookRecords.deliveries.insertMany(
    Array.from({ length: 60 }, () => ({ ...sent, _id: randomUUID(), state: "delivered" })),
  );
  await sendTest(domain, webhook, () => Promise.resolve({ status: 200 }));
  await announceMissedEnds(domain);
  await claimLostWebhooks(domain, new Date(Date.now() + 120_000));
  await disableWebhook(domain, id, "gone");
  await enableWebhook(domain, userId, id);
  await listWebhooks(domain, userId);
  await Readable.from(
    exportAccount({ ...domain, accountHooks: [webhookAccountHook(domain.webhookRecords)] }, userId),
  ).toArray();
  await removeWebhook(domain, userId, id);
  await webhookAccountHook(domain.webhookRecords).onDeleted?.(userId);
  await deleteOldDeliveries(domain);
}

async function makeEveryFollowQuery(domain: TestDomain, viewer: Viewer & { userId: string }): Promise<void> {
  const { signal } = new AbortController();
  const found = { title: "A list", entries: [{ link: `${LINK}8`, title: "A video" }] };
  const lists = { read: () => Promise.resolve(found), picture: () => Promise.resolve(null) };
  const input = CreateFollow.parse({ url: "https://video.example/list", newest: 1 });
  const { id } = await createFollow(domain, lists, viewer, input, signal);
  for (const hours of [1, 3]) {
    await lookAtNext(domain, { lists, signal, now: new Date(Date.now() + hours * 3_600_000) });
    await domain.jobs.updateMany({ userId: viewer.userId }, { $set: { status: "failed", error: { code: "live" } } });
  }
  await listFollows(domain, viewer);
  await changeFollow(domain, viewer, id, { isPaused: false, perDay: 2 });
  await readFollowFigures(domain);
  await readFeedFigures(domain);
  await removeFollow(domain, viewer.userId, id);
}

/** Calls every function that queries the database. */
async function makeEveryQuery(domain: TestDomain): Promise<void> {
  const visitor = newViewer();
  const first = await createConversion(domain, visitor, { youtubeUrl: `${LINK}1`, format: "mp3" }, randomUUID());
  const claimed = await claimJob(domain, first._id, "worker");
  if (!claimed) throw new Error("a job could not be claimed");
  await renewLease(domain, claimed);
  await describeJob(domain, claimed, { title: "A title" });
  await beginProcessing(domain, claimed, { stage: "download", progress: 1 });
  await saveProgress(domain, claimed, { stage: "download", progress: 2 });
  await reclaimJobIfLost(domain, claimed._id);
  await findReusable(domain, claimed);
  await findSameVideo(domain, { subject: "a-code", videoKey: "a-key" });
  await finishJob(domain, claimed, { fileKey: "a-file", fileSize: 1 }, "free");
  await isFileInUse(domain, "a-file");
  await stillHasFile(domain, { _id: claimed._id, fileKey: "a-file" });
  const { key } = await createFileLink(domain, visitor, claimed._id, { lasts: "once" });
  await openLinkedFile(domain, key, key);
  await revokeFileLink(domain, visitor, claimed._id);
  await referenceFile(domain, [claimed], "a-file");
  await dropFileReference(domain, [claimed], "a-file");
  await releaseStaleSlots(domain, visitor, ["a-place"]);
  await measureUsualSeconds(domain, new Date());
  const stranger = newViewer({ network: "a network" });
  const strangers = await createConversion(domain, stranger, { youtubeUrl: `${LINK}6`, format: "mp3" });
  // As a process of an older version leaves it: ended, with its slot.
  await domain.jobs.updateOne({ _id: strangers._id }, { $set: { status: "failed" } });
  await createConversion(domain, stranger, { youtubeUrl: `${LINK}7`, format: "mp3" });
  const second = await createConversion(domain, visitor, { youtubeUrl: `${LINK}2`, format: "mp3" });
  const held = await claimJob(domain, second._id, "worker");
  if (held) await handBack(domain, held);
  await listJobs({ ...domain, limits: { ...domain.limits, listLength: 1 } }, visitor);
  await usageOf(domain, visitor);
  await usageByDay(domain, visitor);
  const user = await signIn(domain, visitor.deviceId, {
    issuer: "https://issuer",
    subject: "a-user",
    email: "user@example.org",
  });
  const member = { ...visitor, userId: user._id, tier: "pro" as const };
  await releaseStaleSlots(domain, member, ["a-place"]);
  const batch = await createBatch(domain, member, { urls: [`${LINK}3`], format: "mp3" });
  await cancelBatch(domain, member, batch.batchId);
  await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro" } });
  const urls = Array.from({ length: 21 }, (_, index) => `https://youtu.be/bbbbbbbbb${index + 10}`);
  const selection = await createSelection(domain, member, { title: "A list", urls, format: "mp3" }, randomUUID());
  await queueMore(domain, selection.batchId);
  await cancelBatch(domain, member, selection.batchId);
  await createBatch(domain, newViewer({ tier: "pro" }), { urls: [`${LINK}4`], format: "mp3" });
  await listJobs({ ...domain, limits: { ...domain.limits, listLength: 1 } }, member);
  await getJob(domain, member, first._id);
  await cancelOrRemove(domain, member, first._id);
  await usageOf(domain, member);
  await usageByDay(domain, member);
  await makeEveryFollowQuery(domain, member);
  await saveSession(domain, "a-session", { userId: user._id }, new Date(Date.now() + 60_000));
  await findSession(domain, "a-session");
  await validSessions(domain, ["a-session"]);
  await changeTier(domain, "nobody@example.org", "pro");
  await Readable.from(exportAccount(domain, user._id)).toArray();
  await makeEveryWebhookQuery(domain, user._id);
  const { secret } = await createToken(domain, user._id, { name: "a program", scopes: ["read"] });
  await identifyByToken(domain, secret);
  const feed = await createFeed(domain, user._id, "en");
  await openFeed(domain, feed.key);
  await findTape(domain, feed.key, first._id);
  await readFeed(domain, user._id);
  await revokeFeed(domain, user._id);
  await watchTiers(domain, 60_000, () => undefined).stop();
  const billing = await openTestBilling(domain);
  const event = {
    _id: "an-event",
    type: "invoice.paid",
    customerId: "a-customer",
    receivedAt: new Date(0),
    dueAt: new Date(0),
  };
  await billing.events.create(event);
  await handleEvent(billing, event._id);
  await postponeEvents(billing, { customerId: event.customerId }, 0, "busy");
  await reportBilling(billing);
  const parts = { blockContext: { siteHost: "tapedeck.example", videoHosts: [] }, billing };
  await setOperator(domain, "user@example.org", true);
  await operatorsAmong(domain, [user._id]);
  await performAct(domain, { userId: user._id }, { act: "resume" }, parts);
  await performAct(domain, { userId: user._id }, { act: "retry_job", jobId: first._id }, parts).catch(() => undefined);
  await findAccounts(domain, user._id, "user@example.org");
  await Promise.all([readFailures(domain), readSites(domain), readHistory(domain), readRunningJobs(domain)]);
  await endAllSessions(domain, user._id);
  await deleteAccount(domain, user._id);
  await reclaimAllJobs(domain);
  for (const [kind, value] of [
    ["host", "video.example"],
    ["device", visitor.deviceId],
    ["user", "a@b.example"],
  ] as const)
    await addBlock(domain, { kind, value, reason: "test", by: "test", until: new Date(Date.now() + 60_000) });
  await applyBlocks(domain, await findDueBlocks(domain));
  await readBlockVersion(domain.blockRecords);
  await deleteEndedBlocks(domain, new Date(Date.now() + 120_000));
  await sweep(domain, 0);
  await sweep({ ...domain, limits: { ...domain.limits, historyMs: -60_000, leaseMs: -60_000 } }, 0);
  await purgeDeleted({ ...domain, limits: { ...domain.limits, accountPurgeMs: -60_000 } });
}
