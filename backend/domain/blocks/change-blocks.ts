/** What operators do with the block list. Knows nothing of who asks: a command, or a page. */
import { DAY_MS } from "../../../common/durations.ts";
import { UserError } from "../../../common/errors.ts";
import { BLOCK_LOG_DAYS } from "../../../common/retention-policy.ts";
import type { Domain } from "../domain.ts";
import type { BlockKind } from "../../../common/block-kinds.ts";
import type { BlockLogLine, BlockModels, StoredBlock } from "./block-model.ts";

/** The id of the one document that counts changes. */
const VERSION_ID = "list";
/** A page shows no more at once. */
const LOG_LINES = 200;

type BlockDomain = Pick<Domain, "blockRecords" | "bus">;

export interface NewBlock {
  readonly kind: BlockKind;
  /** In its stored form; see parse-value.ts. */
  readonly value: string;
  readonly reason: string;
  /** Who blocks: a person's name, for the log. */
  readonly by: string;
  /** Absent: until it is removed. */
  readonly until?: Date | undefined;
}

/**
 * Adds an entry, or changes the one that exists for this kind and value. All processes hear of it within a second; one
 * of them ends running jobs and deletes stored copies.
 */
export async function addBlock(
  domain: BlockDomain,
  { kind, value, reason, by, until }: NewBlock,
): Promise<StoredBlock> {
  const { entries } = domain.blockRecords;
  const _id = `${kind}:${value}`;
  const now = new Date();
  const exists = (await entries.exists({ _id })) !== null;
  // Before the change, so that there is no change without a line.
  await writeLog(domain.blockRecords, {
    at: now,
    by,
    action: exists ? "changed" : "added",
    kind,
    value,
    reason,
    until,
  });
  const changed = { kind, value, reason, by, until: until ?? null, state: "new" as const, dueAt: now };
  const entry = await entries
    .findOneAndUpdate(
      { _id },
      { $set: changed, $setOnInsert: { createdAt: now } },
      { upsert: true, returnDocument: "after" },
    )
    .lean<StoredBlock>();
  await announce(domain);
  return entry;
}

/**
 * Ends an entry. Deleted copies do not come back.
 * @throws UserError not_found
 */
export async function removeBlock(
  domain: BlockDomain,
  { kind, value, reason, by }: Omit<NewBlock, "reason" | "until"> & { readonly reason?: string | undefined },
): Promise<void> {
  const { entries } = domain.blockRecords;
  const _id = `${kind}:${value}`;
  if ((await entries.exists({ _id })) === null) throw new UserError("not_found", `${kind} ${value} is not blocked.`);
  await writeLog(domain.blockRecords, { at: new Date(), by, action: "removed", kind, value, reason });
  await entries.deleteOne({ _id });
  await announce(domain);
}

/** @returns all entries that have not ended, newest first */
export async function listBlocks(
  { blockRecords }: Pick<Domain, "blockRecords">,
  kind?: BlockKind,
): Promise<StoredBlock[]> {
  return blockRecords.entries
    .find({ ...(kind && { kind }), $or: [{ until: null }, { until: { $gt: new Date() } }] })
    .sort({ createdAt: -1 })
    .lean<StoredBlock[]>();
}

/** @returns the newest lines of the log, oldest first */
export async function readBlockLog(
  { blockRecords }: Pick<Domain, "blockRecords">,
  limit = LOG_LINES,
): Promise<BlockLogLine[]> {
  const lines = await blockRecords.log.find().sort({ at: -1, _id: -1 }).limit(limit).lean<BlockLogLine[]>();
  return lines.toReversed();
}

/** Deletes the entries whose time has passed. They have been without effect since then. @returns how many */
export async function deleteEndedBlocks(domain: BlockDomain, now: Date = new Date()): Promise<number> {
  const ended = await domain.blockRecords.entries.find({ until: { $ne: null, $lte: now } }).lean<StoredBlock[]>();
  let deleted = 0;
  for (const { _id, kind, value, until } of ended) {
    // The operator may have given it more time meanwhile, and several processes look for ended entries.
    const { deletedCount } = await domain.blockRecords.entries.deleteOne({ _id, until });
    if (deletedCount === 0) continue;
    deleted += 1;
    await writeLog(domain.blockRecords, { at: now, by: "server", action: "ended", kind, value });
  }
  if (deleted > 0) await announce(domain);
  return deleted;
}

/** Deletes lines of the log after their retention. @returns how many */
export async function deleteOldBlockLog({ blockRecords }: BlockDomain, now: Date = new Date()): Promise<number> {
  const before = new Date(now.getTime() - BLOCK_LOG_DAYS * DAY_MS);
  return (await blockRecords.log.deleteMany({ at: { $lte: before } })).deletedCount;
}

export async function writeLog({ log }: BlockModels, line: BlockLogLine): Promise<void> {
  await log.create(line);
}

/** @returns a number that grows with each change of the list */
export async function readBlockVersion({ versions }: BlockModels): Promise<number> {
  const found = await versions.findById(VERSION_ID).lean<{ version: number }>();
  return found?.version ?? 0;
}

/** Lets an entry hold for other codes of its video too. */
export async function extendBlock(domain: BlockDomain, _id: string, codes: readonly string[]): Promise<void> {
  await domain.blockRecords.entries.updateOne({ _id }, { $addToSet: { also: { $each: codes } } });
  await announce(domain);
}

/** Lets all processes read the list again: those on this bus at once, all others at their next look at the version. */
async function announce({ blockRecords, bus }: BlockDomain): Promise<void> {
  await blockRecords.versions.updateOne({ _id: VERSION_ID }, { $inc: { version: 1 } }, { upsert: true });
  bus.publish("blocks:changed", {});
}
