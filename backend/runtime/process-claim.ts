/**
 * Keeps processes off a database that must not use it at the same time. A process that runs alone (ROLE=all without
 * Redis) treats all jobs in the database as its own, so no other process may run beside it. Each process holds a lease
 * while it runs, and looks for leases of rivals before it changes anything.
 */
import type { Connection, mongo } from "mongoose";
import { untilFound } from "../../common/waiting.ts";
import { ConfigError } from "../config/config.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import { LeaseStore, type Lease } from "../domain/database/lease-store.ts";
import { every } from "../domain/every.ts";
import { hasEnded, nameThisProcess, ProcessName } from "./this-process.ts";

/** Id of the lease of a process that runs alone; a database has at most one. */
const SINGLE_PROCESS_ID = "alone";
/** How often a process that waits for the end of a lease checks it. */
const LOOK_MS = 200;
/** A lease that ended this long ago is deleted. */
const DELETE_AFTER_MS = 24 * 60 * 60 * 1_000;

export interface ProcessClaim {
  /** Rejects with a ConfigError when another process has taken over the database; this one must end. */
  readonly lost: Promise<never>;
  release(): Promise<void>;
}

export interface ClaimOptions {
  /** Name of this process, unique among all processes. */
  readonly holder: string;
  readonly isSingleProcess: boolean;
  readonly leaseMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Takes the lease of this process. Waits for at most `leaseMs` for a process of another machine that may have died;
 * whether a process of this machine lives is known.
 * @throws ConfigError while a process runs that must not run beside this one
 */
export async function claimDatabase(connection: Connection, options: ClaimOptions): Promise<ProcessClaim> {
  const claim = new LeasedClaim(databaseOf(connection).collection<Lease>("processes"), options);
  await claim.acquire();
  return claim;
}

class LeasedClaim implements ProcessClaim {
  readonly #processes: mongo.Collection<Lease>;
  readonly #leases: LeaseStore<Lease>;
  readonly #options: ClaimOptions;
  readonly #ownId: string;
  readonly #about = nameThisProcess();
  readonly #lost = Promise.withResolvers<never>();
  #renewal: ReturnType<typeof every> | undefined;

  constructor(processes: mongo.Collection<Lease>, options: ClaimOptions) {
    this.#processes = processes;
    this.#options = options;
    this.#leases = new LeaseStore(processes, {
      leaseMs: options.leaseMs,
      fields: { holder: "holder", until: "until" },
    });
    this.#ownId = options.isSingleProcess ? SINGLE_PROCESS_ID : options.holder;
    // It may reject before the caller awaits it.
    this.#lost.promise.catch(() => undefined);
  }

  get lost(): Promise<never> {
    return this.#lost.promise;
  }

  /** @throws ConfigError as `claimDatabase` */
  async acquire(): Promise<void> {
    const { holder, leaseMs, onError } = this.#options;
    do await this.#waitForRivals();
    while (!(await this.#leases.acquire(this.#ownId, holder, { about: this.#about })));
    try {
      // A rival may have looked for leases before this one was there.
      await this.#waitForRivals();
    } catch (error) {
      await this.#leases.release(this.#ownId, holder);
      throw error;
    }
    this.#renewal = every(Math.floor(leaseMs / 3), () => this.#renew(), onError);
  }

  async release(): Promise<void> {
    await this.#renewal?.stop();
    await this.#leases.release(this.#ownId, this.#options.holder);
  }

  async #renew(): Promise<void> {
    if (await this.#leases.renew(this.#ownId, this.#options.holder)) return;
    this.#lost.reject(
      new ConfigError(
        "Another Tapedeck has taken over this database, because this one stood still for too long; this one ends. " +
          "Its jobs go on there.",
      ),
    );
  }

  /** Resolves when no rival is left. @throws ConfigError when a rival is known to live */
  async #waitForRivals(): Promise<void> {
    await this.#leases.deleteEnded(DELETE_AFTER_MS);
    // A process that was suspended past the end of its lease then finds the lease gone, and ends.
    if (this.#options.isSingleProcess)
      await this.#processes.deleteMany({ ...this.#rivals(), until: { $lte: new Date() } });
    /** By holder, the end of the lease when it was first seen. */
    const firstEnds = new Map<string, number>();
    await untilFound(async () => (await this.#countRivals(firstEnds)) === 0, { everyMs: LOOK_MS });
  }

  async #countRivals(firstEnds: Map<string, number>): Promise<number> {
    let count = 0;
    for (const rival of await this.#processes.find({ ...this.#rivals(), until: { $gt: new Date() } }).toArray()) {
      const name = ProcessName.safeParse(rival.about).data;
      if (name && hasEnded(name)) {
        await this.#leases.release(rival._id, rival.holder);
        continue;
      }
      const endMs = rival.until.getTime();
      const isRenewed = endMs !== (firstEnds.get(rival.holder) ?? endMs);
      if (isRenewed || name?.machine === this.#about.machine) throw inUse(name);
      if (rival.until > this.#leases.running().$lte) continue;
      firstEnds.set(rival.holder, endMs);
      count += 1;
    }
    return count;
  }

  /** The leases of processes beside which this one must not run. */
  #rivals(): { readonly holder: { readonly $ne: string } } | { readonly _id: string } {
    const { isSingleProcess, holder } = this.#options;
    return isSingleProcess ? { holder: { $ne: holder } } : { _id: SINGLE_PROCESS_ID };
  }
}

function inUse(rival: ProcessName | undefined): ConfigError {
  const who = rival ? ` (process ${rival.pid} on ${rival.host})` : "";
  return new ConfigError(
    `The database is in use by another running Tapedeck${who}; stop it, or set MONGODB_URI to another database. ` +
      "Several processes work on one database only if all of them are given the same REDIS_URL.",
  );
}
