/** Sites for tests of backups: databases and data folders without a server. */
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import { testFolder } from "./test-folder.ts";
import { domainForTests, newViewer, type TestDomain } from "./test-domain.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import { countUsage, usageAccountHook } from "../../domain/accounts/usage.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import { openModels } from "../../domain/database/models.ts";
import type { Domain } from "../../domain/domain.ts";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import { presentJob } from "../../domain/jobs/present.ts";
import { createConversion } from "../../domain/jobs/add-jobs.ts";
import { listJobs } from "../../domain/jobs/read-jobs.ts";
import { beginProcessing, claimJob, describeJob, finishJob } from "../../domain/jobs/work.ts";
import { migrate } from "../../domain/migrations/migrate.ts";
import { openDiskStore } from "../../storage/disk-store.ts";
import type { FileStore } from "../../storage/file-store.ts";
import type { Backup } from "../../backup/backup-folder.ts";
import { checkBackup, restoreBackup } from "../../backup/restore-backup.ts";
import { tombstoneFileHook } from "../../backup/tombstone-file.ts";
import { writeBackup } from "../../backup/write-backup.ts";

/** A database and a data folder. */
export interface BackupSite {
  readonly domain: TestDomain & { readonly accountHooks: Domain["accountHooks"] };
  readonly dataDir: string;
  readonly store: FileStore;
}

/** What each test has anew. */
interface Place {
  folder: string;
  backups: string;
  site: BackupSite;
}

/** For the top of a test file. */
export function backupsForTests() {
  /** One for the site of a test, one for where it is restored. */
  const domains = [domainForTests(), domainForTests()];
  const opened: BackupSite[] = [];
  // Filled before each test.
  const at = {} as Place;

  beforeEach(async () => {
    at.folder = await testFolder();
    at.backups = path.join(at.folder, "backups");
    await mkdir(at.backups);
    at.site = await openSite();
  });
  afterEach(async () => {
    // What a restore made beside the collections of the domain.
    for (const one of opened.splice(0))
      for (const collection of await databaseOf(one).collections()) await collection.deleteMany({});
  });

  /** Opens a site with nothing in it, at most two in a test. */
  async function openSite(): Promise<BackupSite> {
    const dataDir = await mkdtemp(path.join(at.folder, "data-"));
    const store = await openDiskStore(path.join(dataDir, "files"));
    const domain = domains[opened.length];
    if (!domain) throw new Error("a test has two sites");
    const hooks = [usageAccountHook(domain.usage), tombstoneFileHook(dataDir, domain.tombstones, () => undefined)];
    const one = { domain: { ...domain, accountHooks: hooks, removeFile: store.remove.bind(store) }, dataDir, store };
    await migrate(databaseOf(one));
    opened.push(one);
    return one;
  }

  async function backUp(from: BackupSite, signal = new AbortController().signal): Promise<Backup> {
    return writeBackup(at.backups, {
      database: databaseOf(from),
      dataDir: from.dataDir,
      filesFolder: path.join(from.dataDir, "files"),
      signal,
    });
  }

  return { at, openSite, backUp };
}

export function databaseOf({ domain }: BackupSite) {
  const { db } = domain.jobs.db;
  if (!db) throw new Error("not connected");
  return db;
}

/** @param store where the files go instead */
export async function restore(backup: Backup, to: BackupSite, { isReplacing = false, store = to.store } = {}) {
  await checkBackup(backup);
  const openDomain = async (): Promise<Domain> => {
    await openModels(to.domain.jobs.db);
    return to.domain;
  };
  return restoreBackup(backup, { database: databaseOf(to), dataDir: to.dataDir, store, openDomain }, isReplacing);
}

/** Completes a job with a file and a thumbnail. */
export async function convert(
  { domain, dataDir, store }: BackupSite,
  viewer: Viewer,
  link: string,
): Promise<StoredJob> {
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

export async function signedIn({ domain }: BackupSite, name: string): Promise<Viewer> {
  const viewer = newViewer();
  const { _id } = await signIn(domain, viewer.deviceId, {
    issuer: "https://id.example",
    subject: name,
    email: `${name}@example.com`,
  });
  return { ...viewer, userId: _id };
}

export const allIn = (of: BackupSite, collection: string) =>
  databaseOf(of).collection(collection).find().sort({ _id: 1 }).toArray();
export const shownTo = async (of: BackupSite, viewer: Viewer) =>
  (await listJobs(of.domain, viewer)).map((job) => presentJob(job));
export const readStored = async ({ dataDir }: BackupSite, key: string | undefined) =>
  readFile(path.join(dataDir, "files", key ?? ""), "utf8");
