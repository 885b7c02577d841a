/**
 * A file in the data folder with the tombstones of deleted accounts, beside those in the database: a restore needs them
 * most when the database is lost. Each line is one tombstone.
 */
import { appendFile, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isTombstoneKept, type AccountTombstone } from "../domain/accounts/tombstones.ts";
import type { AccountHook, Domain } from "../domain/domain.ts";
import { writeWhole } from "./checked-file.ts";

const fileIn = (dataDir: string) => path.join(dataDir, "deleted-accounts.jsonl");

const Line = z.object({
  userId: z.string().min(1),
  deletedAt: z.iso.datetime().transform((text) => new Date(text)),
  deviceHashes: z.array(z.string()),
});

/** @returns the tombstones, one for each account; none when there is no file */
export async function readTombstoneFile(dataDir: string): Promise<AccountTombstone[]> {
  const text = await readFile(fileIn(dataDir), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return joinTombstones(text.split("\n").flatMap(readLine));
}

/** Adds tombstones to the file. */
export async function appendTombstones(dataDir: string, tombstones: readonly AccountTombstone[]): Promise<void> {
  if (tombstones.length === 0) return;
  // Begins with a line end, because a process that was killed may have left half a line.
  await appendFile(fileIn(dataDir), `\n${tombstones.map(writeLine).join("\n")}\n`, { mode: 0o600, flush: true });
}

/** Removes repeated and old lines. The caller is the only process that writes to the data folder. */
export async function tidyTombstoneFile(dataDir: string): Promise<void> {
  const kept = (await readTombstoneFile(dataDir)).filter((tombstone) => isTombstoneKept(tombstone));
  const draft = `${fileIn(dataDir)}.draft`;
  await rm(draft, { force: true });
  if (kept.length === 0) return rm(fileIn(dataDir), { force: true });
  await writeWhole(draft, `${kept.map(writeLine).join("\n")}\n`);
  await rename(draft, fileIn(dataDir));
}

/**
 * Writes the tombstone of each deleted account to the file.
 * @param onError called when it cannot be written; the deletion goes on, because the database has the tombstone too
 */
export function tombstoneFileHook(
  dataDir: string,
  tombstones: Domain["tombstones"],
  onError: (error: unknown) => void,
): AccountHook {
  return {
    async onDeleted(userId) {
      const tombstone = await tombstones.findById(userId).lean<AccountTombstone>();
      if (tombstone) await appendTombstones(dataDir, [tombstone]).catch(onError);
    },
  };
}

/** @returns one tombstone for each account, with the earliest time and all devices */
export function joinTombstones(tombstones: readonly AccountTombstone[]): AccountTombstone[] {
  const joined = new Map<string, AccountTombstone>();
  for (const { _id, deletedAt, deviceHashes } of tombstones) {
    const known = joined.get(_id) ?? { _id, deletedAt, deviceHashes: [] };
    joined.set(_id, {
      _id,
      deletedAt: deletedAt < known.deletedAt ? deletedAt : known.deletedAt,
      deviceHashes: [...new Set([...known.deviceHashes, ...deviceHashes])],
    });
  }
  return [...joined.values()];
}

function writeLine({ _id, deletedAt, deviceHashes }: AccountTombstone): string {
  return JSON.stringify({ userId: _id, deletedAt: deletedAt.toISOString(), deviceHashes });
}

/** @returns nothing for an empty line, and for half a line that a killed process has left */
function readLine(line: string): AccountTombstone[] {
  try {
    const { userId, ...rest } = Line.parse(JSON.parse(line));
    return [{ _id: userId, ...rest }];
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
    throw error;
  }
}
