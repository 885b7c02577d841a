/**
 * Which processes work on a database. One that runs alone (ROLE=all without Redis) takes for its own
 * whatever is under way there, so it must not run beside any other. Each process holds a lease while
 * it runs and looks for the others' leases before it changes anything.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Connection } from "mongoose";
import { ConfigError } from "../config/config.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import { LeaseStore, type Lease } from "../domain/database/lease-store.ts";
import { every } from "../domain/every.ts";
import { hasEnded, nameThisProcess, ProcessName } from "./this-process.ts";

/** The name of the lease of a process that runs alone: there is one of it in each database. */
const ALONE = "alone";
/** How often a process that waits for another one's lease looks at it. */
const LOOK_MS = 200;
/** A lease that ran out so long ago will not be taken up again by its holder. */
const FORGET_AFTER_MS = 24 * 60 * 60 * 1_000;

export interface ProcessClaim {
  /** Rejects with a ConfigError when another process has taken over; this one must end. */
  readonly lost: Promise<never>;
  release(): Promise<void>;
}

/**
 * Waits for at most `leaseMs` for a process of another machine that may have died; one of this
 * machine is known to live or not.
 * @param options.holder names the caller among all processes
 * @throws ConfigError while another process is at work beside which this one must not run
 */
export async function claimDatabase(
  connection: Connection,
  options: {
    readonly holder: string;
    readonly isAlone: boolean;
    readonly leaseMs: number;
    readonly onError: (error: unknown) => void;
  },
): Promise<ProcessClaim> {
  const { holder, isAlone, leaseMs, onError } = options;
  const processes = databaseOf(connection).collection<Lease>("processes");
  const leases = new LeaseStore(processes, { leaseMs, fields: { holder: "holder", until: "until" } });
  const ownId = isAlone ? ALONE : holder;
  const about = nameThisProcess();
  const rivalsOf = isAlone ? { holder: { $ne: holder } } : { _id: ALONE };

  /** Resolves when no process is left beside which the caller must not run. */
  async function outlastRivals(): Promise<void> {
    await leases.deleteEnded(FORGET_AFTER_MS);
    // A process that lost its lease while it was suspended finds it gone and ends.
    if (isAlone) await processes.deleteMany({ ...rivalsOf, until: { $lte: new Date() } });
    const firstSeen = new Map<string, number>();
    for (;;) {
      const rivals: Lease[] = [];
      for (const rival of await processes.find({ ...rivalsOf, until: { $gt: new Date() } }).toArray()) {
        const name = ProcessName.safeParse(rival.about).data;
        if (name && hasEnded(name)) {
          await leases.release(rival._id, rival.holder);
          continue;
        }
        const untilMs = rival.until.getTime();
        const isRenewed = untilMs !== (firstSeen.get(rival.holder) ?? untilMs);
        if (isRenewed || name?.machine === about.machine) throw refusal(name);
        firstSeen.set(rival.holder, untilMs);
        rivals.push(rival);
      }
      if (rivals.length === 0) return;
      await delay(LOOK_MS);
    }
  }

  do await outlastRivals();
  while (!(await leases.acquire(ownId, holder, { about })));
  try {
    // One of the other kind may have looked before our lease was there.
    await outlastRivals();
  } catch (error) {
    await leases.release(ownId, holder);
    throw error;
  }

  const lost = Promise.withResolvers<never>();
  // The caller may not be listening yet.
  lost.promise.catch(() => undefined);
  const renewal = every(
    Math.floor(leaseMs / 3),
    async () => {
      if (await leases.renew(ownId, holder)) return;
      lost.reject(
        new ConfigError(
          "Another Tapedeck has taken over this database, because this one stood still for too long; this one ends. Its jobs go on there.",
        ),
      );
    },
    onError,
  );
  return {
    lost: lost.promise,
    async release() {
      await renewal.stop();
      await leases.release(ownId, holder);
    },
  };
}

function refusal(rival: ProcessName | undefined): ConfigError {
  const who = rival ? ` (process ${rival.pid} on ${rival.host})` : "";
  return new ConfigError(
    `The database is in use by another running Tapedeck${who}; stop it, or set MONGODB_URI to another database. Several processes work on one database only if all of them are given the same REDIS_URL.`,
  );
}
