/** Backups and restores of a domain without a server, on a real database and real folders. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import mongoose from "mongoose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { BACKUP_DAYS, TOMBSTONE_DAYS } from "../../common/retention-policy.ts";
import { openTestBilling } from "../dev/testing/billing/test-billing.ts";
import { openTestDomain, newViewer, type TestDomain } from "../dev/testing/test-domain.ts";
import { deleteAccount } from "../domain/accounts/delete-account.ts";
import { saveSession } from "../domain/accounts/sessions.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import { countUsage, usageAccountHook, usageOf } from "../domain/accounts/usage.ts";
import type { Viewer } from "../domain/accounts/viewer.ts";
import { claimDueAccounts } from "../domain/billing/read-back/reconcile.ts";
import { openModels } from "../domain/database/models.ts";
import type { Domain } from "../domain/domain.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import { presentJob } from "../domain/jobs/present.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { listJobs } from "../domain/jobs/read-jobs.ts";
import { beginProcessing, claimJob, describeJob, finishJob } from "../domain/jobs/work.ts";
import { migrate } from "../domain/migrations/migrate.ts";
import { checkDatabaseVersion } from "../runtime/database-version.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import type { FileStore } from "../storage/file-store.ts";
import { BackupError } from "./backup-error.ts";
import { listBackups, newestBackup, removeOldBackups, type Backup } from "./backup-folder.ts";
import { pathsIn } from "./manifest.ts";
import { checkBackup, restoreBackup } from "./restore-backup.ts";
import { tombstoneFileHook } from "./tombstone-file.ts";
import { writeBackup } from "./write-backup.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Memory of Linux as a file system. */
const OTHER_DISK = "/dev/shm";
const KEYS = '["a key of at least thirty-two characters"]\n';

/** A database and a data folder. */
interface Site {
  readonly domain: TestDomain & { readonly accountHooks: Domain["accountHooks"] };
  readonly dataDir: string;
  readonly store: FileStore;
}

let folder: string;
let backups: string;
const opened: Site[] = [];
let site: Site;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "backup-test-"));
  backups = path.join(folder, "backups");
  await mkdir(backups);
  site = await openSite();
});
afterEach(async () => {
  for (const { domain } of opened.splice(0)) await domain.close();
  await rm(folder, { recursive: true, force: true });
});

async function openSite(): Promise<Site> {
  const dataDir = await mkdtemp(path.join(folder, "data-"));
  const store = await openDiskStore(path.join(dataDir, "files"));
  const domain = await openTestDomain();
  const hooks = [usageAccountHook(domain.usage), tombstoneFileHook(dataDir, domain.tombstones, () => undefined)];
  const one = { domain: { ...domain, accountHooks: hooks, removeFile: store.remove.bind(store) }, dataDir, store };
  await migrate(databaseOf(one));
  opened.push(one);
  return one;
}

function databaseOf({ domain }: Site) {
  const { db } = domain.jobs.db;
  if (!db) throw new Error("not connected");
  return db;
}

async function backUp(from: Site, signal = new AbortController().signal): Promise<Backup> {
  return writeBackup(backups, {
    database: databaseOf(from),
    dataDir: from.dataDir,
    filesFolder: path.join(from.dataDir, "files"),
    signal,
  });
}

/** @param store where the files go instead */
async function restore(backup: Backup, to: Site, { isReplacing = false, store = to.store } = {}) {
  await checkBackup(backup);
  const openDomain = async (): Promise<Domain> => {
    await openModels(to.domain.jobs.db);
    return to.domain;
  };
  return restoreBackup(backup, { database: databaseOf(to), dataDir: to.dataDir, store, openDomain }, isReplacing);
}

/** Completes a job with a file and a thumbnail. */
async function convert({ domain, dataDir, store }: Site, viewer: Viewer, link: string): Promise<StoredJob> {
  const input = { youtubeUrl: `https://youtu.be/${link}`, format: "mp3" as const };
  const job = await createConversion(domain, viewer, input, `request-${link}`);
  const put = async (key: string, text: string): Promise<string> => {
    await writeFile(path.join(dataDir, "draft"), text);
    await store.put(key, path.join(dataDir, "draft"));
    return key;
  };
  await claimJob(domain, job._id, "worker");
  const thumbnailKey = await put(`${job._id}.1.jpg`, `picture of ${link}`);
  await describeJob(domain, job, { title: `Title of ${link}`, thumbnailKey });
  await beginProcessing(domain, job, { stage: "store", progress: 99 });
  const fileKey = await put(`${job._id}.1.mp3`, `sound of ${link}`);
  const done = await finishJob(domain, job, { fileKey, fileSize: 9 + link.length }, job.tier);
  if (!done) throw new Error("the job could not be finished");
  await countUsage(domain, done);
  return done;
}

async function signedIn({ domain }: Site, name: string): Promise<Viewer> {
  const viewer = newViewer();
  const { _id } = await signIn(domain, viewer.deviceId, {
    issuer: "https://id.example",
    subject: name,
    email: `${name}@example.com`,
  });
  return { ...viewer, userId: _id };
}

const allIn = (of: Site, collection: string) => databaseOf(of).collection(collection).find().sort({ _id: 1 }).toArray();
const shownTo = async (of: Site, viewer: Viewer) => (await listJobs(of.domain, viewer)).map((job) => presentJob(job));
const readStored = async ({ dataDir }: Site, key: string | undefined) =>
  readFile(path.join(dataDir, "files", key ?? ""), "utf8");

it("restores every record, file and key into an empty site, and signs everybody out", async () => {
  const viewer = newViewer();
  const user = await signedIn(site, "user");
  const jobs = [await convert(site, viewer, "aaaaaaaaaa1"), await convert(site, user, "aaaaaaaaaa2")];
  const waiting = await createConversion(site.domain, viewer, {
    youtubeUrl: "https://youtu.be/bbbbbbbbbb1",
    format: "mp4",
  });
  await saveSession(site.domain, "session", { userId: user.userId }, new Date(Date.now() + DAY_MS));
  await writeFile(path.join(site.dataDir, "session-keys.json"), KEYS);
  const backup = await backUp(site);
  expect(backup.manifest).toMatchObject({ goneFiles: 0, files: { length: 4 } });

  const other = await openSite();
  expect(await restore(backup, other)).toEqual({ jobsWithoutFile: 0, deletedAccounts: 0 });
  for (const name of ["users", "usage", "migrations"])
    expect(await allIn(other, name)).toEqual(await allIn(site, name));
  const withoutSlot = (await allIn(site, "jobs")).map(({ place: _place, ...job }) => job);
  expect(await allIn(other, "jobs")).toEqual(withoutSlot);
  for (const owner of [viewer, user]) expect(await shownTo(other, owner)).toEqual(await shownTo(site, owner));
  expect((await shownTo(other, viewer)).map(({ id }) => id)).toContain(waiting._id);
  expect(await usageOf(other.domain, user)).toEqual(await usageOf(site.domain, user));
  for (const { fileKey, thumbnailKey } of jobs)
    for (const key of [fileKey, thumbnailKey]) expect(await readStored(other, key)).toBe(await readStored(site, key));
  expect(await readFile(path.join(other.dataDir, "session-keys.json"), "utf8")).toBe(KEYS);
  expect(await allIn(other, "sessions")).toEqual([]);
  expect(await allIn(other, "unfinished_restores")).toEqual([]);
});

it("restores users without what lets them in as operators", async () => {
  const user = await signIn(site.domain, newViewer().deviceId, {
    issuer: "https://issuer",
    subject: "operator",
    email: "operator@example.org",
  });
  await site.domain.users.updateOne({ _id: user._id }, { $set: { isOperator: true } });
  const other = await openSite();
  await restore(await backUp(site), other);
  const restored = await other.domain.users.findById(user._id).lean();
  expect(restored).toMatchObject({ email: "operator@example.org" });
  expect(restored?.isOperator).toBeUndefined();
});

it("makes every customer of the payment provider due to be read back at once", async () => {
  const nextReadAt = new Date(Date.now() + 7 * DAY_MS);
  const { accounts } = await openTestBilling(site.domain);
  await accounts.insertMany([
    { _id: "customer", customerId: "cus_1", nextReadAt, createdAt: new Date() },
    { _id: "visitor of the checkout", customerId: null, nextReadAt: null, createdAt: new Date() },
    { _id: "deleted", customerId: "cus_2", nextReadAt, closedAt: new Date(), createdAt: new Date() },
  ]);
  const other = await openSite();
  await restore(await backUp(site), other);
  expect(await claimDueAccounts(await openTestBilling(other.domain))).toEqual(["customer"]);
});

it("writes folders and files of a backup for their owner only", async () => {
  await writeFile(path.join(site.dataDir, "session-keys.json"), KEYS, { mode: 0o644 });
  const { folder: made } = await backUp(site);
  const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
  const { database, files, data, dataFile, collection } = pathsIn(made);
  expect(await Promise.all([made, database, files, data].map(modeOf))).toEqual(["700", "700", "700", "700"]);
  const kept = [dataFile("session-keys.json"), collection("jobs"), path.join(made, "manifest.json")];
  expect(await Promise.all(kept.map(modeOf))).toEqual(["600", "600", "600"]);
});

it.skipIf(!existsSync(OTHER_DISK))("copies the files to another disk, for their owner only", async () => {
  const job = await convert(site, newViewer(), "aaaaaaaaaa1");
  backups = await mkdtemp(path.join(OTHER_DISK, "backup-test-"));
  try {
    const { folder: made } = await backUp(site);
    const copy = await stat(pathsIn(made).file(job.fileKey ?? ""));
    const original = await stat(path.join(site.dataDir, "files", job.fileKey ?? ""));
    expect({ size: copy.size, mode: copy.mode & 0o777 }).toEqual({ size: original.size, mode: 0o600 });
    expect(copy.dev).not.toBe(original.dev);
  } finally {
    await rm(backups, { recursive: true });
  }
});

it("restores a job as expired whose file was deleted while the backup was made", async () => {
  const viewer = newViewer();
  const job = await convert(site, viewer, "aaaaaaaaaa1");
  await site.store.remove(job.fileKey ?? "");
  await site.store.remove(job.thumbnailKey ?? "");
  const backup = await backUp(site);
  expect(backup.manifest).toMatchObject({ goneFiles: 1, files: [] });
  const other = await openSite();
  expect(await restore(backup, other)).toMatchObject({ jobsWithoutFile: 1 });
  const [listed] = await shownTo(other, viewer);
  expect(listed).toMatchObject({ id: job._id, status: "completed" });
  expect(listed).not.toHaveProperty("downloadUrl");
  expect(listed).not.toHaveProperty("thumbnailUrl");
});

it("restores jobs that were read with the same slot and the same request", async () => {
  const viewer = newViewer();
  const first = await createConversion(
    site.domain,
    viewer,
    { youtubeUrl: "https://youtu.be/aaaaaaaaaa1", format: "mp3" },
    "one",
  );
  const stored = await site.domain.stored(first._id);
  // As if the first job was removed after it was read, and the second took its slot and repeated its request.
  const both = await withDocument(await backUp(site), "jobs", { ...stored, _id: `${first._id}-again` });
  const other = await openSite();
  await restore(both, other);
  const [one, two] = await allIn(other, "jobs");
  expect([one?.["place"], two?.["place"]]).toEqual([undefined, undefined]);
  expect([typeof one?.["requestKey"], typeof two?.["requestKey"]].toSorted()).toEqual(["string", "undefined"]);
});

it("refuses to back up an empty database, which may be the wrong one", async () => {
  await databaseOf(site).collection("migrations").deleteMany({});
  await expect(backUp(site)).rejects.toThrow("There is nothing to back up");
  expect(await readdir(backups)).toEqual([]);
});

describe("a backup that is not complete", () => {
  it("leaves nothing when it is stopped", async () => {
    await convert(site, newViewer(), "aaaaaaaaaa1");
    const stopped = new BackupError("stopped");
    await expect(backUp(site, AbortSignal.abort(stopped))).rejects.toBe(stopped);
    expect(await readdir(backups)).toEqual([]);
  });

  it("is no backup after a kill, and the next one removes it", async () => {
    await mkdir(path.join(backups, ".draft-backup-2026", "files"), { recursive: true });
    expect(await listBackups(backups)).toEqual([]);
    await expect(newestBackup(backups)).rejects.toThrow("There is no backup in");
    const { folder: made } = await backUp(site);
    expect(await readdir(backups)).toEqual([path.basename(made)]);
    expect((await newestBackup(backups)).folder).toBe(made);
  });
});

describe("a restore", () => {
  it.each([
    ["a collection with a changed byte", (made: string) => flipByte(pathsIn(made).collection("users"))],
    ["a shortened file", async (made: string) => truncate(await onlyFile(made), 3)],
    ["a missing file", async (made: string) => rm(await onlyFile(made))],
    ["a shortened manifest", (made: string) => truncate(path.join(made, "manifest.json"), 20)],
  ])("refuses %s", async (_what, damage) => {
    await signedIn(site, "user");
    const job = await convert(site, newViewer(), "aaaaaaaaaa1");
    await site.store.remove(job.thumbnailKey ?? "");
    const { folder: made } = await backUp(site);
    await checkBackup(await newestBackup(backups));
    await damage(made);
    await expect(newestBackup(backups).then((backup) => checkBackup(backup))).rejects.toThrow(/is damaged/);
  });

  it("refuses a backup of a newer version, and one that is older than the tombstones", async () => {
    const backup = await backUp(site);
    const newer = { ...backup, manifest: { ...backup.manifest, databaseVersion: 1_000 } };
    await expect(checkBackup(newer)).rejects.toThrow("restore it with the version of Tapedeck that made it");
    const endsAtMs = backup.manifest.createdAt.getTime() + TOMBSTONE_DAYS * DAY_MS;
    await checkBackup(backup, new Date(endsAtMs - 1));
    await expect(checkBackup(backup, new Date(endsAtMs))).rejects.toThrow(`older than ${TOMBSTONE_DAYS} days`);
  });

  it.each([
    ["a record", (to: Site) => signedIn(to, "present")],
    ["a file", (to: Site) => writeFile(path.join(to.dataDir, "files", "a.1.mp3"), "")],
    ["another key", (to: Site) => writeFile(path.join(to.dataDir, "session-keys.json"), "[]")],
  ])("replaces %s only with --replace", async (_what, add) => {
    await writeFile(path.join(site.dataDir, "session-keys.json"), KEYS);
    const backup = await backUp(site);
    const other = await openSite();
    await add(other);
    const users = await allIn(other, "users");
    await expect(restore(backup, other)).rejects.toThrow("add --replace to go on");
    expect(await allIn(other, "users")).toEqual(users);
    await restore(backup, other, { isReplacing: true });
    expect(await allIn(other, "users")).toEqual([]);
    expect(await readFile(path.join(other.dataDir, "session-keys.json"), "utf8")).toBe(KEYS);
  });

  it("that was interrupted keeps servers away until it is repeated", async () => {
    const job = await convert(site, newViewer(), "aaaaaaaaaa1");
    const backup = await backUp(site);
    const other = await openSite();
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC", syscall: "write" });
    const failure = new ConversionError("storage", { cause: full });
    const fullStore = { ...other.store, put: () => Promise.reject(failure) } as unknown as FileStore;
    await expect(restore(backup, other, { store: fullStore })).rejects.toThrow(/is full .* no server starts on it/);
    const start = () => checkDatabaseVersion(other.domain.jobs.db, true);
    await expect(start()).rejects.toThrow(`run \`npm run restore -- ${backup.folder}\` again`);
    await restore(backup, other);
    await start();
    expect(await readStored(other, job.fileKey)).toBe("sound of aaaaaaaaaa1");
  });
});

describe("a restore of a backup that has a deleted account", () => {
  /** Signs in after the backup, so that the backup has the first job as the device's own. */
  async function deleteAfterBackup() {
    const leaver = await signedIn(site, "leaver");
    const stayer = await signedIn(site, "stayer");
    const late = newViewer();
    const jobs = [await convert(site, leaver, "aaaaaaaaaa1"), await convert(site, late, "aaaaaaaaaa2")];
    const kept = await convert(site, stayer, "aaaaaaaaaa3");
    const backup = await backUp(site);
    const identity = { issuer: "https://id.example", subject: "late", email: "late@example.com" };
    const { _id } = await signIn(site.domain, late.deviceId, identity);
    for (const userId of [leaver.userId ?? "", _id]) await deleteAccount(site.domain, userId);
    return { backup, leaver, late, stayer, jobs, kept };
  }

  it.each([
    ["the database", true, async () => site],
    ["the data folder", false, (): Promise<Site> => withDataDirOf(site)],
    [
      "a newer backup",
      false,
      async () => {
        await backUp(site);
        return openSite();
      },
    ],
  ])("deletes it again, as %s knows of it", async (_where, isReplacing, target) => {
    const { backup, leaver, late, stayer, jobs, kept } = await deleteAfterBackup();
    const to = await target();
    if (isReplacing) await rm(path.join(to.dataDir, "deleted-accounts.jsonl"));
    expect(await restore(backup, to, { isReplacing: true })).toMatchObject({ deletedAccounts: 2 });
    expect(await listJobs(to.domain, leaver)).toEqual([]);
    expect(await listJobs(to.domain, late)).toEqual([]);
    expect(await usageOf(to.domain, leaver)).toMatchObject({ totalConversions: 0 });
    expect(await usageOf(to.domain, late)).toMatchObject({ totalConversions: 0 });
    expect(await to.domain.users.findById(leaver.userId).lean()).toMatchObject({ email: "", isCleared: true });
    for (const { fileKey } of jobs) expect(await to.store.stat(fileKey ?? "")).toBeNull();
    expect((await listJobs(to.domain, stayer)).map(({ _id }) => _id)).toEqual([kept._id]);
    expect(await readStored(to, kept.fileKey)).toBe("sound of aaaaaaaaaa3");
    // A backup of the restored site knows the deletions too.
    expect(await to.domain.tombstones.countDocuments()).toBe(2);
  });

  it("lets the person who signed in again be a new user", async () => {
    const leaver = await signedIn(site, "leaver");
    const backup = await backUp(site);
    await deleteAccount(site.domain, leaver.userId ?? "");
    const again = await signedIn(site, "leaver");
    // As if the new account was made while the backup was written, after the old one was read.
    const both = await withDocument(backup, "users", (await site.domain.users.findById(again.userId).lean()) ?? {});
    await restore(both, site, { isReplacing: true });
    expect(await site.domain.users.findById(again.userId).lean()).toMatchObject({ subject: "leaver" });
    expect(await site.domain.users.findById(leaver.userId).lean()).toMatchObject({ email: "" });
  });
});

it("removes backups of more than 30 days", async () => {
  const { folder: made, manifest } = await backUp(site);
  const endsAtMs = manifest.createdAt.getTime() + BACKUP_DAYS * DAY_MS;
  expect(await removeOldBackups(backups, new Date(endsAtMs - 1))).toEqual([]);
  expect(await removeOldBackups(backups, new Date(endsAtMs))).toEqual([path.basename(made)]);
  expect(await readdir(backups)).toEqual([]);
});

/** An empty database with the data folder of another site, whose files are lost. */
async function withDataDirOf({ dataDir }: Site): Promise<Site> {
  const { domain } = await openSite();
  await rm(path.join(dataDir, "files"), { recursive: true });
  const store = await openDiskStore(path.join(dataDir, "files"));
  return { domain: { ...domain, removeFile: store.remove.bind(store) }, dataDir, store };
}

/** Adds a document to a backup. */
async function withDocument({ folder: made, manifest }: Backup, name: string, document: object): Promise<Backup> {
  const file = pathsIn(made).collection(name);
  const content = Buffer.concat([await readFile(file), mongoose.mongo.BSON.serialize(document)]);
  await writeFile(file, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const collections = manifest.collections.map((part) =>
    part.name === name ? { ...part, documents: part.documents + 1, bytes: content.length, sha256 } : part,
  );
  return { folder: made, manifest: { ...manifest, collections } };
}

async function flipByte(file: string): Promise<void> {
  const content = await readFile(file);
  content[content.length - 2] = (content.at(-2) ?? 0) ^ 1;
  await writeFile(file, content);
}

async function onlyFile(made: string): Promise<string> {
  const { files } = pathsIn(made);
  return path.join(files, (await readdir(files))[0] ?? "");
}
