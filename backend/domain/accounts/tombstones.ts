/**
 * Tombstones of deleted accounts: a restored backup may contain an account that was deleted after the backup was made,
 * and its tombstone says that it has to be deleted again. They hold no personal data: a random user id, a time, and
 * hashes of random device ids.
 */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import { DAY_MS } from "../../../common/durations.ts";
import { TOMBSTONE_DAYS } from "../../../common/retention-policy.ts";
import type { Domain } from "../domain.ts";
import { hashSecret } from "../hash-secret.ts";

export interface AccountTombstone {
  /** The id of the deleted user. */
  _id: string;
  deletedAt: Date;
  /**
   * Hashes of the devices whose jobs the account had. In an older backup these jobs may still be the device's own,
   * because the user signed in later.
   */
  deviceHashes: string[];
}

export type TombstoneModel = Model<AccountTombstone>;

const schema = new Schema<AccountTombstone>(
  {
    _id: { type: String, required: true },
    deletedAt: { type: Date, required: true },
    deviceHashes: { type: [String], default: [] },
  },
  storedIn("account_tombstones"),
);
schema.index({ deletedAt: 1 });

export const openTombstoneModel = opensModel("AccountTombstone", schema);

/** @returns whether a tombstone is younger than the retention of tombstones */
export function isTombstoneKept({ deletedAt }: Pick<AccountTombstone, "deletedAt">, now: Date = new Date()): boolean {
  return deletedAt.getTime() > now.getTime() - TOMBSTONE_DAYS * DAY_MS;
}

/** Records that an account was deleted, with the devices of the jobs that it has now. Can be repeated. */
export async function recordTombstone(
  domain: Domain,
  { _id, deletedAt }: Pick<AccountTombstone, "_id" | "deletedAt">,
): Promise<void> {
  const ofUser = [{ $match: { userId: _id } }, { $group: { _id: "$deviceId" } }];
  const devices = [
    ...(await domain.jobs.aggregate<{ _id: string }>(ofUser)),
    ...(await domain.usage.aggregate<{ _id: string }>(ofUser)),
  ];
  const deviceHashes = [...new Set(devices.map((device) => hashSecret(device._id)))];
  await domain.tombstones.updateOne(
    { _id },
    { $setOnInsert: { deletedAt }, $addToSet: { deviceHashes: { $each: deviceHashes } } },
    { upsert: true },
  );
}

/**
 * Deletes tombstones that are older than any backup that may be restored.
 * @returns number of deleted tombstones
 */
export async function deleteOldTombstones(domain: Domain, now: Date = new Date()): Promise<number> {
  const { deletedCount } = await domain.tombstones.deleteMany({
    deletedAt: { $lte: new Date(now.getTime() - TOMBSTONE_DAYS * DAY_MS) },
  });
  return deletedCount;
}
