/**
 * Everything that expires goes. A real server gets one of each thing that it stores; then all dates in its database and
 * folders are moved back by 40 days, and later by 91 and 401. What is left is compared with what may stay, so that a
 * collection or folder without an end fails here.
 */
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import mongoose, { type mongo } from "mongoose";
import { afterAll, expect, it } from "vitest";
import { DELETE_ACCOUNT_PHRASE, SubscriptionSecret } from "../common/account-calls.ts";
import { ConversionError } from "../common/errors.ts";
import {
  BLOCK_LOG_DAYS,
  RECORD_DAYS,
  TOMBSTONE_DAYS,
  USAGE_LOG_DAYS,
  OPERATOR_LOG_DAYS,
} from "../common/retention-policy.ts";
import { ofFile } from "./dev/testing/of-file.ts";
import { ageDatabase, ageFolder, listFolder, readAllDocuments } from "./dev/testing/age-data.ts";
import { confirmWithCard } from "./dev/testing/billing/payer.ts";
import { REPOSITORY_ROOT } from "./dev/repository.ts";
import { startTestServer, type TestDevice, type TestServer } from "./dev/testing/test-server.ts";
import { untilAborted } from "./dev/testing/until-aborted.ts";
import { databaseOf } from "./domain/database/database-of.ts";
import type { Runtime } from "./runtime/runtime.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const SECRET_TITLE = "A title that nobody may read later";
const LEAVER = "leaver@example.org";
const PAYERS_WEBHOOK = "https://payer.invalid/";
const PAYERS_LANGUAGE = "de";
const PAYERS_TOKEN = "A program of the payer";

/** Records that may stay for good, by collection. All others must be gone, also those of collections added later. */
const MAY_STAY: Readonly<Record<string, (document: mongo.Document) => boolean>> = {
  // Accounts and what they paid, until their users delete them.
  users: ({ deletedAt }) => deletedAt === null,
  tokens: ({ name }) => name === PAYERS_TOKEN,
  feeds: ({ language }) => language === PAYERS_LANGUAGE,
  webhooks: ({ url }) => url === PAYERS_WEBHOOK,
  billing_accounts: ({ closedAt }) => closedAt === null,
  // The state of the database itself: no data of visitors.
  migrations: () => true,
  // Processes that run now.
  processes: ({ until }) => (until as Date).getTime() > Date.now(),
  // The number of changes to the block list.
  block_versions: () => true,
  // Whether workers take jobs.
  operator_switches: () => true,
  // These four go later, as the second test shows.
  operator_log: ({ at }) => (at as Date).getTime() > Date.now() - OPERATOR_LOG_DAYS * DAY_MS,
  block_log: ({ at }) => (at as Date).getTime() > Date.now() - BLOCK_LOG_DAYS * DAY_MS,
  account_tombstones: ({ deletedAt }) => (deletedAt as Date).getTime() > Date.now() - TOMBSTONE_DAYS * DAY_MS,
  usage: ({ completedAt }) => (completedAt as Date).getTime() > Date.now() - USAGE_LOG_DAYS * DAY_MS,
};
/** What may stay in DATA_DIR: folders, tombstones, and in development the keys of the identity provider. */
const MAY_STAY_ON_DISK =
  /^(files|scratch|extractor|extractor\/canaries|youtube-players.*|identity-provider\.json|deleted-accounts\.jsonl)$/;

/** Collections that may be empty before the clock moves: a log of the queue that is off, and the lock of a moment. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["agenda_logs", "migration_locks"]);

/** Texts that nothing may contain in the end. */
const secrets: string[] = [SECRET_TITLE, LEAVER];

/** Replaces the pipeline. The path of the link decides how the conversion ends. */
const convert: Runtime["convert"] = async ({ url, folder }, listener, signal) => {
  listener.found({ title: SECRET_TITLE, durationSeconds: 1 });
  const picture = join(folder, "picture.jpg");
  await writeFile(picture, `picture of ${SECRET_TITLE}`);
  listener.found({ thumbnailPath: picture });
  listener.progress({ stage: "download", percent: 10 });
  if (url.includes("held")) await untilAborted(signal);
  if (url.includes("private")) throw new ConversionError("private");
  const path = join(folder, "result.mp3");
  await writeFile(path, SECRET_TITLE);
  return { path, sizeBytes: SECRET_TITLE.length, durationSeconds: 1 };
};

const server = await ofFile(startTestServer({ PAYMENT_STAND_IN: "on", hasExtractor: false }, undefined, convert));
const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
afterAll(() => connection.close());

type ClipName = Parameters<TestServer["site"]["urlOf"]>[0];

async function convertTo(device: TestDevice, name: ClipName, status: "completed" | "failed"): Promise<string> {
  const live = await device.live();
  const { id } = await device.convert(server.site.urlOf(name));
  await live.untilStatus(id, status);
  secrets.push(id);
  return id;
}

async function beginCheckout(device: TestDevice): Promise<string> {
  const answer = await device.call("POST", "/api/create-subscription", { plan: "monthly" });
  return SubscriptionSecret.parse(await answer.json()).clientSecret;
}

/** An anonymous visitor, a user who pays, and one who deletes the account. */
async function visit(): Promise<void> {
  const visitor = await server.newDevice();
  const live = await visitor.live();
  await convertTo(visitor, "rain", "completed");
  await convertTo(visitor, "base-private", "failed");
  const held = await visitor.convert(server.site.urlOf("held"));
  await live.until(held.id, ({ status }) => status === "processing");
  await visitor.call("DELETE", `/api/conversions/${held.id}`);
  // A sign-in that is never finished.
  await (await visitor.visit("/api/login")).body?.cancel();

  const payer = await server.newDevice();
  await server.signIn(payer, { email: "payer@example.org" });
  await confirmWithCard(server.payments, await beginCheckout(payer));
  await expect
    .poll(async () => (await (await payer.call("GET", "/api/auth/user")).json()) as unknown)
    .toMatchObject({ tier: "pro" });
  await makeToken(payer, PAYERS_TOKEN);
  await makeFeed(payer, PAYERS_LANGUAGE);
  await makeWebhook(payer, PAYERS_WEBHOOK);
  await convertTo(payer, "cello", "completed");

  const leaver = await server.newDevice();
  await server.signIn(leaver, { email: LEAVER, firstName: "Lea" });
  await makeToken(leaver, "A program of the leaver");
  await makeFeed(leaver, "en");
  await makeWebhook(leaver, "https://leaver.invalid/");
  await convertTo(leaver, "rain", "completed");
  await beginCheckout(leaver);
  const deletion = await leaver.call("DELETE", "/api/account", { confirmation: DELETE_ACCOUNT_PHRASE });
  expect(deletion.status).toBe(200);
  await expect
    .poll(() => databaseOf(connection).collection("billing_events").countDocuments({ type: "customer.deleted" }))
    .toBe(1);
  // What is not delivered now comes after the dates were moved, and stays.
  await server.payments.webhooks.idle();
  for (const device of [visitor, payer, leaver]) device.close();
}

async function makeToken(device: TestDevice, name: string): Promise<void> {
  const answer = await device.call("POST", "/api/tokens", { name, scopes: ["read"] });
  expect(answer.status).toBe(201);
}

async function makeFeed(device: TestDevice, language: string): Promise<void> {
  const answer = await device.call("POST", "/api/feed", {}, { "accept-language": language });
  expect(answer.status).toBe(201);
}

/** Its program cannot be reached, so that messages wait. */
async function makeWebhook(device: TestDevice, url: string): Promise<void> {
  const answer = await device.call("POST", "/api/webhooks", { url });
  expect(answer.status).toBe(201);
}

/** What crashes and outages leave behind. */
async function plantLeftovers(): Promise<void> {
  const now = new Date();
  const doneTicket = { nextRunAt: null, lockedAt: null, lastFinishedAt: now, failedAt: now };
  const planted: Record<string, mongo.Document> = {
    tickets: { name: "convert", data: { jobId: "gone" }, ...doneTicket },
    billing_tickets: { name: "billing", data: { kind: "account", id: "gone" }, ...doneTicket },
    webhook_tickets: { name: "webhook", data: { kind: "webhook", id: "gone" }, ...doneTicket },
    webhook_deliveries: {
      _id: "gone",
      webhookId: "gone",
      userId: "gone",
      type: "job.completed",
      body: SECRET_TITLE,
      createdAt: now,
      state: "waiting",
      nextTryAt: now,
    },
    billing_events: {
      _id: "evt_never_handled",
      type: "charge.dispute.created",
      receivedAt: now,
      handledAt: null,
      dueAt: now,
    },
    makers: { _id: "key", workerId: "dead", jobId: "gone", expiresAt: now },
    processes: { _id: "dead", holder: "dead", until: now },
    file_removals: { _id: "gone.1.jpg", since: now },
    blocks: {
      _id: "host:gone.example",
      kind: "host",
      value: "gone.example",
      createdAt: now,
      until: now,
      state: "settled",
      dueAt: now,
    },
    selections: { _id: "gone", userId: "gone", title: SECRET_TITLE, links: [], endedAt: now, feedsUntil: now },
    follows: { _id: "gone", userId: "gone", title: SECRET_TITLE, nextLookAt: now },
    block_log: { at: now, by: "somebody", action: "added", kind: "host", value: "gone.example" },
    block_versions: { _id: "list", version: 1 },
    operator_log: { _id: "gone", at: now, by: "somebody", act: "pause", on: "", result: "done" },
    operator_switches: { _id: "intake", isPaused: false, since: now, by: "somebody" },
  };
  for (const [collection, document] of Object.entries(planted))
    await databaseOf(connection).collection(collection).insertOne(document);
  const { dataDir } = server.config;
  await mkdir(join(dataDir, "scratch", "preview-of-a-dead-process"), { recursive: true });
  for (const name of ["files/gone.1.mp3", "files/gone.1.jpg", "files/gone.2.mp3.partial"])
    await writeFile(join(dataDir, name), SECRET_TITLE);
  await writeFile(join(dataDir, "scratch", "preview-of-a-dead-process", "picture.jpg"), SECRET_TITLE);
}

/** @returns every record and path that must not be there any more */
async function findLeftovers(): Promise<string[]> {
  const records = [...(await readAllDocuments(connection))].flatMap(([collection, documents]) =>
    documents
      .filter((document) => MAY_STAY[collection]?.(document) !== true)
      .map((document) => `${collection}: ${JSON.stringify(document)}`),
  );
  const paths = (await listFolder(server.config.dataDir)).filter((path) => !MAY_STAY_ON_DISK.test(path));
  return [...records, ...paths];
}

/** @returns where the texts stand that nothing may contain */
async function findSecrets(): Promise<string[]> {
  const { dataDir } = server.config;
  const places = new Map(
    [...(await readAllDocuments(connection))].map(([name, documents]) => [name, JSON.stringify(documents)]),
  );
  for (const path of await listFolder(dataDir))
    if ((await stat(join(dataDir, path))).isFile()) places.set(path, await readFile(join(dataDir, path), "utf8"));
  return secrets.flatMap((secret) =>
    [...places]
      .filter(([place, text]) => `${place} ${text}`.includes(secret))
      .map(([place]) => `${secret} in ${place}`),
  );
}

it("leaves nothing after 40 days but accounts, payments and the usage log", async () => {
  await visit();
  await server.stop();
  await plantLeftovers();
  const empty = [...(await readAllDocuments(connection))].filter(([, documents]) => documents.length === 0);
  expect(empty.map(([name]) => name).filter((name) => !MAY_BE_EMPTY.has(name))).toEqual([]);
  expect(await findLeftovers()).not.toEqual([]);
  const manual = await readFile(join(REPOSITORY_ROOT, "docker/README.md"), "utf8");
  const collections = [...(await readAllDocuments(connection)).keys()];
  expect(collections.filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);

  expect(RECORD_DAYS).toBeLessThan(40);
  await ageDatabase(connection, 40 * DAY_MS);
  await ageFolder(server.config.dataDir, 40 * DAY_MS);
  await server.start();
  await expect.poll(findLeftovers).toEqual([]);
  const users = (await readAllDocuments(connection)).get("users");
  expect(users).toMatchObject([{ email: "payer@example.org" }]);
});

it("leaves no usage log and no trace of conversions after 91 days, no tombstone after 401, no log of blocks later", async () => {
  // A file may go while it is looked for.
  await expect.poll(findSecrets).not.toEqual([]);
  await ageDatabase(connection, (USAGE_LOG_DAYS + 1 - 40) * DAY_MS, new Set(["processes"]));
  await expect.poll(findSecrets).toEqual([]);
  expect((await readAllDocuments(connection)).get("usage")).toEqual([]);
  const readTombstones = async () => (await readAllDocuments(connection)).get("account_tombstones");
  expect(await readTombstones()).toHaveLength(1);
  await ageDatabase(connection, (TOMBSTONE_DAYS - USAGE_LOG_DAYS) * DAY_MS, new Set(["processes"]));
  await expect.poll(readTombstones).toEqual([]);
  await expect.poll(async () => (await readAllDocuments(connection)).get("operator_log")).toEqual([]);
  const readBlockLog = async () => (await readAllDocuments(connection)).get("block_log");
  expect(await readBlockLog()).not.toEqual([]);
  await ageDatabase(connection, BLOCK_LOG_DAYS * DAY_MS, new Set(["processes"]));
  await expect.poll(readBlockLog).toEqual([]);
});
