/** Restores into sites that hold something, or of backups that lack something, without a server. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { openTestBilling } from "../dev/testing/billing/test-billing.ts";
import { newViewer } from "../dev/testing/test-domain.ts";
import { deleteAccount } from "../domain/accounts/delete-account.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import { usageOf } from "../domain/accounts/usage.ts";
import { claimDueAccounts } from "../domain/billing/read-back/reconcile.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { createFileLink, findLinkedJob } from "../domain/jobs/file-links.ts";
import { listJobs } from "../domain/jobs/read-jobs.ts";
import { checkDatabaseVersion } from "../runtime/database-version.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import type { FileStore } from "../storage/file-store.ts";
import type { Backup } from "./backup-folder.ts";
import { pathsIn } from "./manifest.ts";
import {
  allIn,
  backupsForTests,
  convert,
  readStored,
  restore,
  shownTo,
  signedIn,
  type BackupSite,
} from "../dev/testing/backup-sites.ts";

/** Memory of Linux as a file system. */
const OTHER_DISK = "/dev/shm";
const KEYS = '["a key of at least thirty-two characters"]\n';
const DAY_MS = 24 * 60 * 60 * 1_000;

const { at, openSite, backUp } = backupsForTests();

it("restores users without what lets them in as operators", async () => {
  const user = await signIn(at.site.domain, newViewer().deviceId, {
    issuer: "https://issuer",
    subject: "operator",
    email: "operator@example.org",
  });
  await at.site.domain.users.updateOne({ _id: user._id }, { $set: { isOperator: true } });
  const other = await openSite();
  await restore(await backUp(at.site), other);
  const restored = await other.domain.users.findById(user._id).lean();
  expect(restored).toMatchObject({ email: "operator@example.org" });
  expect(restored?.isOperator).toBeUndefined();
});

it("restores no link to a file, which may have been revoked since", async () => {
  const viewer = newViewer();
  const job = await convert(at.site, viewer, "aaaaaaaaaa1");
  const { key } = await createFileLink(at.site.domain, viewer, job._id, { lasts: "once" });
  const other = await openSite();
  await restore(await backUp(at.site), other);
  expect(await findLinkedJob(at.site.domain, key)).toMatchObject({ _id: job._id });
  expect(await findLinkedJob(other.domain, key)).toBeNull();
});

it("makes every customer of the payment provider due to be read back at once", async () => {
  const nextReadAt = new Date(Date.now() + 7 * DAY_MS);
  const { accounts } = await openTestBilling(at.site.domain);
  await accounts.insertMany([
    { _id: "customer", customerId: "cus_1", nextReadAt, createdAt: new Date() },
    { _id: "visitor of the checkout", customerId: null, nextReadAt: null, createdAt: new Date() },
    { _id: "deleted", customerId: "cus_2", nextReadAt, closedAt: new Date(), createdAt: new Date() },
  ]);
  const other = await openSite();
  await restore(await backUp(at.site), other);
  expect(await claimDueAccounts(await openTestBilling(other.domain))).toEqual(["customer"]);
});

it.skipIf(!existsSync(OTHER_DISK))("copies the files to another disk, for their owner only", async () => {
  const job = await convert(at.site, newViewer(), "aaaaaaaaaa1");
  at.backups = await mkdtemp(path.join(OTHER_DISK, "backup-test-"));
  try {
    const { folder: made } = await backUp(at.site);
    const copy = await stat(pathsIn(made).file(job.fileKey ?? ""));
    const original = await stat(path.join(at.site.dataDir, "files", job.fileKey ?? ""));
    expect({ size: copy.size, mode: copy.mode & 0o777 }).toEqual({ size: original.size, mode: 0o600 });
    expect(copy.dev).not.toBe(original.dev);
  } finally {
    await rm(at.backups, { recursive: true });
  }
});

it("restores a job as expired whose file was deleted while the backup was made", async () => {
  const viewer = newViewer();
  const job = await convert(at.site, viewer, "aaaaaaaaaa1");
  await at.site.store.remove(job.fileKey ?? "");
  await at.site.store.remove(job.thumbnailKey ?? "");
  const backup = await backUp(at.site);
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
    at.site.domain,
    viewer,
    { youtubeUrl: "https://youtu.be/aaaaaaaaaa1", format: "mp3" },
    "one",
  );
  const stored = await at.site.domain.stored(first._id);
  // As if the first job was removed after it was read, and the second took its slot and repeated its request.
  const both = await withDocument(await backUp(at.site), "jobs", { ...stored, _id: `${first._id}-again` });
  const other = await openSite();
  await restore(both, other);
  const [one, two] = await allIn(other, "jobs");
  expect([one?.["place"], two?.["place"]]).toEqual([undefined, undefined]);
  expect([typeof one?.["requestKey"], typeof two?.["requestKey"]].toSorted()).toEqual(["string", "undefined"]);
});

describe("a restore", () => {
  it.each([
    ["a record", (to: BackupSite) => signedIn(to, "present")],
    ["a file", (to: BackupSite) => writeFile(path.join(to.dataDir, "files", "a.1.mp3"), "")],
    ["another key", (to: BackupSite) => writeFile(path.join(to.dataDir, "session-keys.json"), "[]")],
  ])("replaces %s only with --replace", async (_what, add) => {
    await writeFile(path.join(at.site.dataDir, "session-keys.json"), KEYS);
    const backup = await backUp(at.site);
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
    const job = await convert(at.site, newViewer(), "aaaaaaaaaa1");
    const backup = await backUp(at.site);
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
    const leaver = await signedIn(at.site, "leaver");
    const stayer = await signedIn(at.site, "stayer");
    const late = newViewer();
    const jobs = [await convert(at.site, leaver, "aaaaaaaaaa1"), await convert(at.site, late, "aaaaaaaaaa2")];
    const kept = await convert(at.site, stayer, "aaaaaaaaaa3");
    const backup = await backUp(at.site);
    const identity = { issuer: "https://id.example", subject: "late", email: "late@example.com" };
    const { _id } = await signIn(at.site.domain, late.deviceId, identity);
    for (const userId of [leaver.userId ?? "", _id]) await deleteAccount(at.site.domain, userId);
    return { backup, leaver, late, stayer, jobs, kept };
  }

  it.each([
    ["the database", true, async () => at.site],
    ["the data folder", false, (): Promise<BackupSite> => withDataDirOf(at.site)],
    [
      "a newer backup",
      false,
      async () => {
        await backUp(at.site);
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
    const leaver = await signedIn(at.site, "leaver");
    const backup = await backUp(at.site);
    await deleteAccount(at.site.domain, leaver.userId ?? "");
    const again = await signedIn(at.site, "leaver");
    // As if the new account was made while the backup was written, after the old one was read.
    const both = await withDocument(backup, "users", (await at.site.domain.users.findById(again.userId).lean()) ?? {});
    await restore(both, at.site, { isReplacing: true });
    expect(await at.site.domain.users.findById(again.userId).lean()).toMatchObject({ subject: "leaver" });
    expect(await at.site.domain.users.findById(leaver.userId).lean()).toMatchObject({ email: "" });
  });
});

/** An empty database with the data folder of another site, whose files are lost. */
async function withDataDirOf({ dataDir }: BackupSite): Promise<BackupSite> {
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
