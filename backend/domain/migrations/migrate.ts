/** Brings a database to the version that the code expects, one process at a time. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Connection } from "mongoose";
import { acquireLease, releaseLease, renewLease, type Lease } from "../database/database-lease.ts";
import { every } from "../every.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";

type Database = NonNullable<Connection["db"]>;

/** Far longer than two renewals may take; a process that was killed is waited for no longer. */
const LOCK_MS = 30_000;
const LOCK_RETRY_MS = 200;

interface AppliedMigration {
  /** The version, as text. */
  _id: string;
  version: number;
  name: string;
  appliedAt: Date;
  tookMs: number;
}

/** There is one lock. */
const LOCK_ID = "lock";

const applied = (database: Database) => database.collection<AppliedMigration>("migrations");
const locks = (database: Database) => database.collection<Lease>("migration_locks");

/** The newest migration that has run; 0: none. */
export async function readDatabaseVersion(database: Database): Promise<number> {
  const [newest] = await applied(database).find().sort({ version: -1 }).limit(1).toArray();
  return newest?.version ?? 0;
}

/**
 * Runs what has not run. Of several processes that try, one does it and the others wait for it.
 * @returns the migrations that this call has run
 * @throws Error when a migration fails, or when the lock was lost to somebody who thought us dead
 */
export async function migrate(
  database: Database,
  options: {
    readonly migrations?: readonly Migration[];
    readonly lockMs?: number;
    readonly report?: (line: string) => void;
  } = {},
): Promise<Migration[]> {
  const { migrations = MIGRATIONS, lockMs = LOCK_MS, report = () => undefined } = options;
  const holder = randomUUID();
  await takeLock(database, holder, lockMs, report);
  const lost = new AbortController();
  const renewal = every(
    lockMs / 3,
    () => renew(database, holder, lockMs),
    (error) => lost.abort(error),
  );
  try {
    const done: Migration[] = [];
    const before = await readDatabaseVersion(database);
    for (const migration of migrations.filter(({ version }) => version > before)) {
      lost.signal.throwIfAborted();
      report(`${migration.version}: ${migration.name} …`);
      const startedAtMs = Date.now();
      await migration.run(database);
      // Not ours any more: somebody else runs the same, which is meant to be harmless, and writes it down.
      lost.signal.throwIfAborted();
      const { version, name } = migration;
      await applied(database).insertOne({
        _id: String(version),
        version,
        name,
        appliedAt: new Date(),
        tookMs: Date.now() - startedAtMs,
      });
      done.push(migration);
    }
    return done;
  } finally {
    await renewal.stop();
    await releaseLease(locks(database), { _id: LOCK_ID, holder });
  }
}

async function takeLock(
  database: Database,
  holder: string,
  lockMs: number,
  report: (line: string) => void,
): Promise<void> {
  if (await acquireLease(locks(database), { _id: LOCK_ID, holder }, lockMs)) return;
  report("Another process is changing this database; waiting for it …");
  do await delay(LOCK_RETRY_MS);
  while (!(await acquireLease(locks(database), { _id: LOCK_ID, holder }, lockMs)));
}

async function renew(database: Database, holder: string, lockMs: number): Promise<void> {
  if (!(await renewLease(locks(database), { _id: LOCK_ID, holder }, lockMs)))
    throw new Error("the lock on migrations was taken by another process; run npm run migrate again");
}
