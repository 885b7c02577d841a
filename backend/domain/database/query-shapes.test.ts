import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestBilling } from "../../dev/testing/billing/test-billing.ts";
import { openTestDomain, newViewer, type TestDomain } from "../../dev/testing/test-domain.ts";
import { createInProcessBus } from "../bus.ts";
import { openTickets } from "../../worker/tickets.ts";
import { sweep } from "../../worker/sweeper.ts";
import { deleteAccount, purgeDeleted } from "../accounts/delete-account.ts";
import { exportAccount } from "../accounts/export-account.ts";
import { signIn } from "../accounts/sign-in.ts";
import { changeTier } from "../accounts/tier-sources.ts";
import { applyBlocks, findDueBlocks } from "../blocks/apply-blocks.ts";
import { addBlock, deleteEndedBlocks, readBlockVersion } from "../blocks/change-blocks.ts";
import { cancelBatch, createBatch } from "../jobs/batches.ts";
import { createSelection, queueMore } from "../jobs/selections.ts";
import { releaseStaleSlots } from "../jobs/active-limit.ts";
import { stillHasFile, isFileInUse, referenceFile, dropFileReference } from "../jobs/files.ts";
import { openModels } from "./models.ts";
import { QUERY_SHAPES, type QueryShape } from "./query-shapes.ts";
import { createConversion } from "../jobs/add-jobs.ts";
import { cancelOrRemove } from "../jobs/end-jobs.ts";
import { getJob, listJobs } from "../jobs/read-jobs.ts";
import { endAllSessions, findSession, saveSession, validSessions } from "../accounts/sessions.ts";
import { usageOf } from "../accounts/usage.ts";
import { measureUsualSeconds } from "../jobs/usual-seconds.ts";
import {
  beginProcessing,
  claimJob,
  describeJob,
  failJob,
  findReusable,
  finishJob,
  handBack,
  renewLease,
  saveProgress,
} from "../jobs/work.ts";
import { findAccounts } from "../operator/accounts.ts";
import { performAct } from "../operator/acts.ts";
import { reportBilling } from "../operator/billing-report.ts";
import { readFailures } from "../operator/failures.ts";
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
import { connectToNewDatabase, dropDatabase } from "../../dev/testing/test-connection.ts";

const LINK = "https://youtu.be/aaaaaaaaaa";
const nameOf = ({ collection, for: purpose }: QueryShape) => `${collection}: ${purpose}`;

/** @returns the filter with placeholders for its values */
function withoutValues(filter: unknown): unknown {
  if (Array.isArray(filter)) return filter.map(withoutValues);
  if (typeof filter !== "object" || filter === null || filter instanceof Date) return "value";
  const entries = Object.entries(filter).flatMap(([key, value]): [string, unknown][] => {
    // Conditions joined by $and are the same as one condition.
    if (key === "$and" && Array.isArray(value)) return value.flatMap((one: object) => Object.entries(one));
    return [[key, value]];
  });
  return Object.fromEntries(
    entries
      .map(([key, value]): [string, unknown] => [key, key === "$in" || key === "$nin" ? "value" : withoutValues(value)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
/** $in counts as one value, because it uses the same index. */
const shapeOf = (collection: string, filter: unknown, sort: unknown) =>
  JSON.stringify([collection, withoutValues(filter), sort ?? null]).replaceAll('{"$in":"value"}', '"value"');

describe("QUERY_SHAPES", () => {
  let domain: TestDomain;
  const queries = new Map<string, string>();

  beforeAll(async () => {
    domain = await openTestDomain();
    domain.jobs.db.set("debug", (collection: string, method: string, ...args: unknown[]) => {
      if (method === "createIndex" || method.startsWith("insert") || method === "bulkWrite") return;
      const [first, second, third] = args as Record<string, unknown>[];
      const filter = method === "aggregate" ? (first as unknown as { $match?: object }[])[0]?.$match : first;
      const sort = (method === "findOneAndUpdate" ? third : second)?.["sort"];
      queries.set(
        shapeOf(collection, filter ?? {}, sort),
        `${collection}.${method}(${JSON.stringify(filter)}, sort ${JSON.stringify(sort)})`,
      );
    });
    await makeEveryQuery(domain);
  });
  afterAll(() => domain.close());

  it("lists every query on jobs, users and sessions", () => {
    const listed = new Set(QUERY_SHAPES.map(({ collection, filter, sort }) => shapeOf(collection, filter, sort)));
    const missing = [...queries].filter(([text]) => !listed.has(text)).map(([, query]) => query);
    expect(missing).toEqual([]);
    expect(queries.size).toBeGreaterThan(30);
  });
});

describe("indexes", () => {
  let connection: Connection;

  beforeAll(async () => {
    connection = await connectToNewDatabase();
    await openModels(connection);
    await openTickets(connection, createInProcessBus(), {
      name: "shapes",
      concurrency: 1,
      lockMs: 1_000,
      pollMs: 1_000,
      onError: () => undefined,
    });
  });
  afterAll(async () => {
    await dropDatabase(connection);
  });

  const database = () => {
    if (!connection.db) throw new Error("not connected");
    return connection.db;
  };
  const keysIn = async (collection: string) =>
    (await database().collection(collection).indexes()).map(({ key }) => Object.keys(key as object).join());

  it.each(QUERY_SHAPES.map((shape) => [nameOf(shape), shape] as const))(
    "exist for %s and start with a field of its filter",
    async (_name, { collection, filter, sort, indexes, isSortedByIndex }) => {
      const existing = await keysIn(collection);
      for (const keys of indexes) {
        expect(existing).toContain(keys.join());
        const [first = ""] = keys;
        expect(Object.keys(filter).includes(first) || JSON.stringify(filter).includes(`"${first}"`)).toBe(true);
        expect(!isSortedByIndex || Object.keys(sort ?? {})[0] === keys.at(-1)).toBe(true);
      }
    },
  );

  it("are each used by a query", async () => {
    for (const collection of [
      "jobs",
      "users",
      "sessions",
      "usage",
      "account_tombstones",
      "selections",
      "webhooks",
      "webhook_deliveries",
      "billing_accounts",
      "billing_events",
      "makers",
      "blocks",
      "block_log",
      "operator_log",
    ] as const) {
      const used = new Set(
        QUERY_SHAPES.filter((shape) => shape.collection === collection).flatMap(({ indexes }) =>
          indexes.map((keys) => keys.join()),
        ),
      );
      expect((await keysIn(collection)).filter((keys) => keys !== "_id" && !used.has(keys))).toEqual([]);
    }
  });

  it("serve every query according to the server's query plan", async (context) => {
    const canExplain = await database()
      .collection("jobs")
      .find({})
      .explain()
      .then(
        () => true,
        () => false,
      );
    if (!canExplain) {
      context.skip(
        `this server does not support explain; the ${QUERY_SHAPES.length} shapes were compared with the indexes only`,
      );
      return;
    }
    const faults = (await Promise.all(QUERY_SHAPES.map((shape) => faultOf(database(), shape)))).filter(
      (fault) => fault !== null,
    );
    expect(faults).toEqual([]);
  });
});

/** @returns what is wrong with the server's plan for a query, or null */
async function faultOf(database: NonNullable<Connection["db"]>, shape: QueryShape): Promise<string | null> {
  const { collection, filter, sort, indexes, isSortedByIndex } = shape;
  const plan = (await database
    .collection(collection)
    .find(filter, sort ? { sort } : {})
    .explain("queryPlanner")) as { queryPlanner: { winningPlan: unknown } };
  const stages = stagesOf(plan.queryPlanner.winningPlan);
  const names = stages.map(({ stage }) => stage);
  if (names.includes("COLLSCAN")) return `${nameOf(shape)} reads the whole collection`;
  if (isSortedByIndex && names.includes("SORT")) return `${nameOf(shape)} sorts without the index`;
  // With few documents all matching indexes cost the same, so only the number of used indexes is checked.
  const used = stages.filter(({ keyPattern }) => keyPattern !== undefined).length;
  const isById = names.some((name) => name === "IDHACK" || name === "EXPRESS_IXSCAN");
  return isById || used >= indexes.length ? null : `${nameOf(shape)} uses ${used} of ${indexes.length} indexes`;
}

interface Stage {
  stage?: string;
  keyPattern?: Record<string, unknown>;
}

function stagesOf(plan: unknown): Stage[] {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf);
  if (typeof plan !== "object" || plan === null) return [];
  const own = "stage" in plan ? [plan as Stage] : [];
  return [...own, ...Object.entries(plan).flatMap(([key, value]) => (key === "keyPattern" ? [] : stagesOf(value)))];
}

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
  await finishJob(domain, claimed, { fileKey: "a-file", fileSize: 1 }, "free");
  await isFileInUse(domain, "a-file");
  await stillHasFile(domain, { _id: claimed._id, fileKey: "a-file" });
  await referenceFile(domain, [claimed], "a-file");
  await dropFileReference(domain, [claimed], "a-file");
  await releaseStaleSlots(domain, visitor, ["a-place"]);
  await measureUsualSeconds(domain, new Date());
  const second = await createConversion(domain, visitor, { youtubeUrl: `${LINK}2`, format: "mp3" });
  const held = await claimJob(domain, second._id, "worker");
  if (held) await handBack(domain, held);
  await listJobs({ ...domain, limits: { ...domain.limits, listLength: 1 } }, visitor);
  await usageOf(domain, visitor);
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
  await saveSession(domain, "a-session", { userId: user._id }, new Date(Date.now() + 60_000));
  await findSession(domain, "a-session");
  await validSessions(domain, ["a-session"]);
  await changeTier(domain, "nobody@example.org", "pro");
  await Readable.from(exportAccount(domain, user._id)).toArray();
  await makeEveryWebhookQuery(domain, user._id);
  const billing = await openTestBilling(domain);
  await reportBilling(billing);
  const parts = { blockContext: { siteHost: "tapedeck.example", videoHosts: [] }, billing };
  await setOperator(domain, "user@example.org", true);
  await operatorsAmong(domain, [user._id]);
  await performAct(domain, { userId: user._id }, { act: "resume" }, parts);
  await performAct(domain, { userId: user._id }, { act: "retry_job", jobId: first._id }, parts).catch(() => undefined);
  await findAccounts(domain, user._id, "user@example.org");
  await Promise.all([readFailures(domain), readHistory(domain), readRunningJobs(domain)]);
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
