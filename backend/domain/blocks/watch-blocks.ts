import PQueue from "p-queue";
import type { Domain } from "../domain.ts";
import { every } from "../every.ts";
import { applyBlocks, findDueBlocks } from "./apply-blocks.ts";
import { readBlockVersion } from "./change-blocks.ts";
import type { StoredBlock } from "./block-model.ts";

export interface BlockWatch {
  stop(): Promise<void>;
}

/**
 * Keeps the list in memory up to date, and applies the entries that are due. Polls the version of the list and the due
 * entries: a command in another process has no way to this process but the database, and a single server of MongoDB has
 * no change streams. A change that comes by the bus is read at once. Nothing else applies entries, so a process never
 * applies one that it does not refuse yet.
 * @param pollMs longest time until a change is in force here
 * @returns when the list has been read for the first time
 */
export async function watchBlocks(
  domain: Domain,
  pollMs: number,
  onError: (error: unknown) => void,
): Promise<BlockWatch> {
  let known = -1;
  const looks = new PQueue({ concurrency: 1 });
  const applications = new PQueue({ concurrency: 1 });

  async function look(): Promise<void> {
    // Both before the list: it then has every entry that is applied here, and a change in between is read again at the
    // next look.
    const due = await findDueBlocks(domain);
    const version = await readBlockVersion(domain.blockRecords);
    if (version !== known || due.length > 0) await loadBlocks(domain);
    known = version;
    // Not awaited: deleting many copies takes longer than the next change may wait.
    if (due.length > 0) applications.add(() => applyBlocks(domain, due)).catch(onError);
  }
  const lookNext = (): Promise<void> => looks.add(look);
  await lookNext();
  const unsubscribe = domain.bus.subscribe("blocks:changed", () => void lookNext().catch(onError));
  const poll = every(pollMs, lookNext, onError);
  return {
    async stop() {
      unsubscribe();
      await poll.stop();
      await looks.onIdle();
      await applications.onIdle();
    },
  };
}

async function loadBlocks({ blockRecords, blocks, users }: Domain): Promise<void> {
  const entries = await blockRecords.entries
    .find({}, { kind: 1, value: 1, until: 1, also: 1 })
    .lean<Pick<StoredBlock, "kind" | "value" | "until" | "also">[]>();
  const addresses = entries.flatMap(({ kind, value }) => (kind === "user" && value.includes("@") ? value : []));
  const named = await users.find({ email: { $in: addresses }, deletedAt: null }, { email: 1 }).lean<Named[]>();
  blocks.replace(entries, new Map(named.map(({ _id, email }) => [_id, email])));
}

interface Named {
  readonly _id: string;
  readonly email: string;
}
