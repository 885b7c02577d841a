/** Backups and restores of a domain without a server, on a real database and real folders. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { BACKUP_DAYS, TOMBSTONE_DAYS } from "../../common/retention-policy.ts";
import { CreateFollow } from "../../common/follows.ts";
import { newViewer } from "../dev/testing/test-domain.ts";
import { saveSession } from "../domain/accounts/sessions.ts";
import { usageOf } from "../domain/accounts/usage.ts";
import { createFollow } from "../domain/follows/follows.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { createSelection } from "../domain/jobs/selections.ts";
import { findTape, followAllSongs } from "../domain/jobs/tapes.ts";
import { BackupError } from "./backup-error.ts";
import { listBackups, newestBackup, removeOldBackups } from "./backup-folder.ts";
import { pathsIn } from "./manifest.ts";
import { checkBackup } from "./restore-backup.ts";
import {
  allIn,
  backupsForTests,
  convert,
  databaseOf,
  readStored,
  restore,
  shownTo,
  signedIn,
} from "../dev/testing/backup-sites.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const KEYS = '["a key of at least thirty-two characters"]\n';

const { at, openSite, backUp } = backupsForTests();

it("brings follows back without their slots, so that a list that was followed anew is no conflict", async () => {
  const user = { ...(await signedIn(at.site, "user")), userId: "", tier: "pro" as const };
  const userId = (await at.site.domain.users.findOne().lean())?._id ?? "";
  const list = { title: "A list", entries: [{ link: "https://youtu.be/aaaaaaaaaa1", title: "A video" }] };
  const lists = { read: () => Promise.resolve(list), picture: () => Promise.resolve(null) };
  const input = CreateFollow.parse({ url: "https://www.youtube.com/@tapedeck/videos", newest: 1 });
  const { signal } = new AbortController();
  await createFollow(at.site.domain, lists, { ...user, userId }, input, signal);
  const backup = await backUp(at.site);
  const names = backup.manifest.collections.map(({ name }) => name);
  // A video whose job was added meanwhile is found to have one.
  expect(names.indexOf("follows")).toBeLessThan(names.indexOf("jobs"));
  const other = await openSite();
  await restore(backup, other);
  const withoutSlot = (await allIn(at.site, "follows")).map(({ place: _place, ...follow }) => follow);
  expect(withoutSlot).toHaveLength(1);
  expect(await allIn(other, "follows")).toEqual(withoutSlot);
});

it("brings a tape back that waits for its songs, and queues it when they have ended", async () => {
  const user = { ...(await signedIn(at.site, "user")), tier: "pro" as const };
  await at.site.domain.users.updateOne({ _id: user.userId }, { $set: { tier: "pro", grantedTier: "pro" } });
  const urls = ["https://youtu.be/aaaaaaaaaa1", "https://youtu.be/aaaaaaaaaa2"];
  const asked = { title: "Side A", urls, format: "mp3", asOneFile: true } as const;
  const { batchId } = await createSelection(at.site.domain, user, asked);
  const other = await openSite();
  await restore(await backUp(at.site), other);
  expect(await followAllSongs(other.domain)).toBe(0);
  expect(await findTape(other.domain, batchId)).toMatchObject({ status: "queued", tape: { waitsFor: 2 } });
  await other.domain.jobs.updateMany({ batchId }, { $set: { status: "canceled" } });
  await other.domain.selections.updateMany({}, { $set: { endedAt: new Date() } });
  expect(await followAllSongs(other.domain)).toBe(1);
  expect((await findTape(other.domain, batchId))?.tape).toEqual({ batchId, songs: 2 });
});

it("restores every record, file and key into an empty site, and signs everybody out", async () => {
  const viewer = newViewer();
  const user = await signedIn(at.site, "user");
  const jobs = [await convert(at.site, viewer, "aaaaaaaaaa1"), await convert(at.site, user, "aaaaaaaaaa2")];
  const waiting = await createConversion(at.site.domain, viewer, {
    youtubeUrl: "https://youtu.be/bbbbbbbbbb1",
    format: "mp4",
  });
  await saveSession(at.site.domain, "session", { userId: user.userId }, new Date(Date.now() + DAY_MS));
  await writeFile(path.join(at.site.dataDir, "session-keys.json"), KEYS);
  const backup = await backUp(at.site);
  expect(backup.manifest).toMatchObject({ goneFiles: 0, files: { length: 4 } });

  const other = await openSite();
  expect(await restore(backup, other)).toEqual({ jobsWithoutFile: 0, deletedAccounts: 0 });
  for (const name of ["users", "usage", "migrations"])
    expect(await allIn(other, name)).toEqual(await allIn(at.site, name));
  const withoutSlot = (await allIn(at.site, "jobs")).map(({ place: _place, ...job }) => job);
  expect(await allIn(other, "jobs")).toEqual(withoutSlot);
  for (const owner of [viewer, user]) expect(await shownTo(other, owner)).toEqual(await shownTo(at.site, owner));
  expect((await shownTo(other, viewer)).map(({ id }) => id)).toContain(waiting._id);
  expect(await usageOf(other.domain, user)).toEqual(await usageOf(at.site.domain, user));
  for (const { fileKey, thumbnailKey } of jobs)
    for (const key of [fileKey, thumbnailKey])
      expect(await readStored(other, key)).toBe(await readStored(at.site, key));
  expect(await readFile(path.join(other.dataDir, "session-keys.json"), "utf8")).toBe(KEYS);
  expect(await allIn(other, "sessions")).toEqual([]);
  expect(await allIn(other, "unfinished_restores")).toEqual([]);
});

it("writes folders and files of a backup for their owner only", async () => {
  await writeFile(path.join(at.site.dataDir, "session-keys.json"), KEYS, { mode: 0o644 });
  const { folder: made } = await backUp(at.site);
  const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);
  const { database, files, data, dataFile, collection } = pathsIn(made);
  expect(await Promise.all([made, database, files, data].map(modeOf))).toEqual(["700", "700", "700", "700"]);
  const kept = [dataFile("session-keys.json"), collection("jobs"), path.join(made, "manifest.json")];
  expect(await Promise.all(kept.map(modeOf))).toEqual(["600", "600", "600"]);
});

it("refuses to back up an empty database, which may be the wrong one", async () => {
  await databaseOf(at.site).collection("migrations").deleteMany({});
  await expect(backUp(at.site)).rejects.toThrow("There is nothing to back up");
  expect(await readdir(at.backups)).toEqual([]);
});

describe("a backup that is not complete", () => {
  it("leaves nothing when it is stopped", async () => {
    await convert(at.site, newViewer(), "aaaaaaaaaa1");
    const stopped = new BackupError("stopped");
    await expect(backUp(at.site, AbortSignal.abort(stopped))).rejects.toBe(stopped);
    expect(await readdir(at.backups)).toEqual([]);
  });

  it("is no backup after a kill, and the next one removes it", async () => {
    await mkdir(path.join(at.backups, ".draft-backup-2026", "files"), { recursive: true });
    expect(await listBackups(at.backups)).toEqual([]);
    await expect(newestBackup(at.backups)).rejects.toThrow("There is no backup in");
    const { folder: made } = await backUp(at.site);
    expect(await readdir(at.backups)).toEqual([path.basename(made)]);
    expect((await newestBackup(at.backups)).folder).toBe(made);
  });
});

describe("a restore", () => {
  it.each([
    ["a collection with a changed byte", (made: string) => flipByte(pathsIn(made).collection("users"))],
    ["a shortened file", async (made: string) => truncate(await onlyFile(made), 3)],
    ["a missing file", async (made: string) => rm(await onlyFile(made))],
    ["a shortened manifest", (made: string) => truncate(path.join(made, "manifest.json"), 20)],
  ])("refuses %s", async (_what, damage) => {
    await signedIn(at.site, "user");
    const job = await convert(at.site, newViewer(), "aaaaaaaaaa1");
    await at.site.store.remove(job.thumbnailKey ?? "");
    const { folder: made } = await backUp(at.site);
    await checkBackup(await newestBackup(at.backups));
    await damage(made);
    await expect(newestBackup(at.backups).then((backup) => checkBackup(backup))).rejects.toThrow(/is damaged/);
  });

  it.each<[string, (made: string) => string]>([
    ["a file", (made) => pathsIn(made).dataFile("session-keys.json")],
    ["a collection", (made) => pathsIn(made).collection("users")],
    ["the manifest", (made) => path.join(made, "manifest.json")],
    ["a folder", (made) => pathsIn(made).database],
  ])("refuses a link that leads out of the backup, and a pipe, in the place of %s", async (_what, partOf) => {
    await signedIn(at.site, "user");
    await writeFile(path.join(at.site.dataDir, "session-keys.json"), KEYS);
    const { folder: made } = await backUp(at.site);
    const part = partOf(made);
    // With the same content, so that its checksum is right.
    const outside = path.join(at.site.dataDir, "outside");
    await rename(part, outside);
    await symlink(outside, part);
    const checking = () => newestBackup(at.backups).then((backup) => checkBackup(backup));
    await expect(checking()).rejects.toThrow(/cannot be trusted: .* is a link, a pipe/);
    await rm(part);
    execFileSync("mkfifo", [part]);
    await expect(checking()).rejects.toThrow(/cannot be trusted: .* is a link, a pipe/);
  });

  it("refuses a backup of a newer version, and one that is older than the tombstones", async () => {
    const backup = await backUp(at.site);
    const newer = { ...backup, manifest: { ...backup.manifest, databaseVersion: 1_000 } };
    await expect(checkBackup(newer)).rejects.toThrow("restore it with the version of Tapedeck that made it");
    const endsAtMs = backup.manifest.createdAt.getTime() + TOMBSTONE_DAYS * DAY_MS;
    await checkBackup(backup, new Date(endsAtMs - 1));
    await expect(checkBackup(backup, new Date(endsAtMs))).rejects.toThrow(`older than ${TOMBSTONE_DAYS} days`);
  });
});

it("removes backups of more than 30 days", async () => {
  const { folder: made, manifest } = await backUp(at.site);
  const endsAtMs = manifest.createdAt.getTime() + BACKUP_DAYS * DAY_MS;
  expect(await removeOldBackups(at.backups, new Date(endsAtMs - 1))).toEqual([]);
  expect(await removeOldBackups(at.backups, new Date(endsAtMs))).toEqual([path.basename(made)]);
  expect(await readdir(at.backups)).toEqual([]);
});

async function flipByte(file: string): Promise<void> {
  const content = await readFile(file);
  content[content.length - 2] = (content.at(-2) ?? 0) ^ 1;
  await writeFile(file, content);
}

async function onlyFile(made: string): Promise<string> {
  const { files } = pathsIn(made);
  return path.join(files, (await readdir(files))[0] ?? "");
}
