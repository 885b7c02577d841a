/** Brings a database to the version that the code expects, one process at a time. */
import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { untilFound } from "../../../common/waiting.ts";
import { LeaseStore, type Lease } from "../database/lease-store.ts";
import { every } from "../every.ts";
import { MIGRATIONS, type Migration } from "./migrations.ts";

type Database = NonNullable<Connection["db"]>;
type Report = (line: string) => void;

/** Far longer than two renewals take; other processes wait so long for a process that was killed. */
const LOCK_MS = 30_000;
const LOCK_RETRY_MS = 200;
/** A database has one lock on its migrations. */
const LOCK_ID = "lock";

interface AppliedMigration {
  /** The version, as text. */
  _id: string;
  version: number;
  name: string;
  appliedAt: Date;
  tookMs: number;
}

const appliedIn = (database: Database) => database.collection<AppliedMigration>("migrations");

/** @returns the version of the newest migration that has run; 0 when none has */
export async function readDatabaseVersion(database: Database): Promise<number> {
  const [newest] = await appliedIn(database).find().sort({ version: -1 }).limit(1).toArray();
  return newest?.version ?? 0;
}

/**
 * Runs the migrations that have not run. When several processes try, one runs them and the others wait for it.
 * @param options.report prints a line about what is happening
 * @returns the migrations that this call has run
 * @throws Error when a migration fails, or when another process took the lock because this one did not renew it
 */
export async function migrate(
  database: Database,
  options: {
    readonly migrations?: readonly Migration[];
    readonly lockMs?: number;
    readonly report?: Report;
  } = {},
): Promise<Migration[]> {
  const { migrations = MIGRATIONS, lockMs = LOCK_MS, report = () => undefined } = options;
  const locks = new LeaseStore(database.collection<Lease>("migration_locks"), {
    leaseMs: lockMs,
    fields: { holder: "holder", until: "until" },
  });
  const holder = randomUUID();
  await acquireLock(locks, holder, report);
  const lost = new AbortController();
  const renewal = every(
    lockMs / 3,
    () => renewLock(locks, holder),
    (error) => lost.abort(error),
  );
  try {
    return await runMissing(database, migrations, lost.signal, report);
  } finally {
    await renewal.stop();
    await locks.release(LOCK_ID, holder);
  }
}

/** @param lost aborted when the lock is lost */
async function runMissing(
  database: Database,
  migrations: readonly Migration[],
  lost: AbortSignal,
  report: Report,
): Promise<Migration[]> {
  const done: Migration[] = [];
  const before = await readDatabaseVersion(database);
  for (const migration of migrations.filter(({ version }) => version > before)) {
    lost.throwIfAborted();
    const { version, name } = migration;
    report(`${version}: ${name} …`);
    const startedAtMs = Date.now();
    await migration.run(database);
    // Without the lock nothing is recorded: the new holder runs the same migration again and records it.
    lost.throwIfAborted();
    const tookMs = Date.now() - startedAtMs;
    await appliedIn(database).insertOne({ _id: String(version), version, name, appliedAt: new Date(), tookMs });
    done.push(migration);
  }
  return done;
}

/** Waits until the caller holds the lock. */
async function acquireLock(locks: LeaseStore<Lease>, holder: string, report: Report): Promise<void> {
  if (await locks.acquire(LOCK_ID, holder)) return;
  report("Another process is changing this database; waiting for it …");
  await untilFound(() => locks.acquire(LOCK_ID, holder), { everyMs: LOCK_RETRY_MS });
}

async function renewLock(locks: LeaseStore<Lease>, holder: string): Promise<void> {
  if (!(await locks.renew(LOCK_ID, holder)))
    throw new Error("the lock on migrations was taken by another process; run npm run migrate again");
}
