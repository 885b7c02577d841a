/** Deletes accounts again that a restored backup has brought back. */
import path from "node:path";
import type { mongo } from "mongoose";
import { finishDeletions, purgeDeleted, repeatDeletion } from "../domain/accounts/delete-account.ts";
import { isTombstoneKept, type AccountTombstone } from "../domain/accounts/tombstones.ts";
import type { StoredUser } from "../domain/accounts/user-model.ts";
import type { Domain } from "../domain/domain.ts";
import { hashSecret } from "../domain/hash-secret.ts";
import { listBackups } from "./backup-folder.ts";
import { readDocuments } from "./read-documents.ts";
import { joinTombstones, readTombstoneFile } from "./tombstone-file.ts";
import { verifyCollection } from "./verify-backup.ts";

const COLLECTION = "account_tombstones";

export interface TombstoneSources {
  /** The database that is about to be replaced. */
  readonly database: mongo.Db;
  readonly dataDir: string;
  /** The backup that is restored; all backups beside it are read too. */
  readonly backup?: string;
}

/**
 * Collects all tombstones that can be found.
 * @throws BackupError when the tombstones of a backup in the folder are damaged: a deletion could be missed
 */
export async function collectTombstones({ database, dataDir, backup }: TombstoneSources): Promise<AccountTombstone[]> {
  const found = await database.collection<AccountTombstone>(COLLECTION).find().toArray();
  // Accounts deleted by a version that wrote no tombstones.
  const deleted = database.collection<StoredUser>("users").find({ deletedAt: { $ne: null } });
  for await (const { _id, deletedAt } of deleted)
    if (deletedAt !== null) found.push({ _id, deletedAt, deviceHashes: [] });
  found.push(...(await readTombstoneFile(dataDir)));
  if (backup !== undefined) found.push(...(await readFromBackups(path.dirname(backup))));
  return joinTombstones(found).filter((tombstone) => isTombstoneKept(tombstone));
}

async function readFromBackups(backups: string): Promise<AccountTombstone[]> {
  const found: AccountTombstone[] = [];
  for (const { folder, manifest } of await listBackups(backups)) {
    if (!manifest.collections.some(({ name }) => name === COLLECTION)) continue;
    await verifyCollection(folder, manifest, COLLECTION);
    for await (const document of readDocuments(folder, COLLECTION)) found.push(document as unknown as AccountTombstone);
  }
  return found;
}

/**
 * Stores the tombstones in the database and deletes their accounts there, as far as they exist.
 * @returns number of accounts that were deleted again
 */
export async function replayDeletions(domain: Domain, tombstones: readonly AccountTombstone[]): Promise<number> {
  const byAccount = await findDevices(domain, tombstones);
  let count = 0;
  for (const tombstone of tombstones) {
    const { _id, deletedAt, deviceHashes } = tombstone;
    await domain.tombstones.updateOne(
      { _id },
      { $setOnInsert: { deletedAt }, $addToSet: { deviceHashes: { $each: deviceHashes } } },
      { upsert: true },
    );
    const user = await domain.users.findById(_id).lean<StoredUser>();
    // The account was deleted before the backup was made.
    if (user && user.deletedAt !== null) continue;
    for (const deviceId of byAccount.get(_id) ?? []) await giveBack(domain, deviceId, tombstone);
    const isKnown = user !== null || (await domain.jobs.exists({ userId: _id })) !== null;
    if (!isKnown && (await domain.usage.exists({ userId: _id })) === null) continue;
    await repeatDeletion(domain, tombstone);
    count += 1;
  }
  // The second clearing, as after every deletion.
  const afterLeases = new Date(Date.now() + domain.limits.leaseMs);
  let finished: number;
  do finished = await finishDeletions(domain, afterLeases);
  while (finished > 0);
  await purgeDeleted(domain);
  return count;
}

/** @returns by account, the devices of anonymous jobs that the account had later */
async function findDevices(
  domain: Domain,
  tombstones: readonly AccountTombstone[],
): Promise<ReadonlyMap<string, string[]>> {
  const owners = new Map<string, string[]>();
  for (const { _id, deviceHashes } of tombstones)
    for (const hash of deviceHashes) owners.set(hash, [...(owners.get(hash) ?? []), _id]);
  const found = new Map<string, string[]>();
  if (owners.size === 0) return found;
  const ofDevices = [{ $match: { userId: null } }, { $group: { _id: "$deviceId" } }];
  const addDevices = async (devices: AsyncIterable<{ _id: string }>): Promise<void> => {
    for await (const { _id: deviceId } of devices)
      for (const userId of owners.get(hashSecret(deviceId)) ?? [])
        found.set(userId, [...(found.get(userId) ?? []), deviceId]);
  };
  await addDevices(domain.jobs.aggregate<{ _id: string }>(ofDevices).cursor());
  await addDevices(domain.usage.aggregate<{ _id: string }>(ofDevices).cursor());
  return found;
}

/** Gives jobs that a device made before the deletion to the account, which is then deleted with them. */
async function giveBack(domain: Domain, deviceId: string, { _id, deletedAt }: AccountTombstone): Promise<void> {
  const ofDevice = { deviceId, userId: null };
  await domain.jobs.updateMany({ ...ofDevice, createdAt: { $lt: deletedAt } }, { $set: { userId: _id } });
  await domain.usage.updateMany({ ...ofDevice, completedAt: { $lt: deletedAt } }, { $set: { userId: _id } });
}
