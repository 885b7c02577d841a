/** The dependencies of the domain's functions. Created once at the start and passed to each of them. */
import type { HostEntry } from "../../common/hosts.ts";
import type { Tier } from "../../common/tiers.ts";
import type { Bus } from "./bus.ts";
import type { JobModel } from "./jobs/job-model.ts";
import type { SessionModel } from "./accounts/sessions.ts";
import type { UsageModel } from "./accounts/usage-model.ts";
import type { UserModel } from "./accounts/user-model.ts";

/** The queue of tickets as the domain uses it. A ticket holds only the id of a waiting job. */
export interface TicketQueue {
  /**
   * Adds a ticket. Those with a higher priority are picked up first.
   * @param ticket.runAtMs earliest time of pick-up (Unix time in ms); at once when it is left out
   */
  enqueue(ticket: { jobId: string; priority: number; runAtMs?: number }): Promise<void>;
  /** Deletes the job's tickets. This does not interrupt a worker that has picked one up. */
  remove(jobId: string): Promise<void>;
  /** @returns the ids of those jobs that have no ticket */
  withoutTicket(jobIds: readonly string[]): Promise<string[]>;
}

export interface DomainLimits {
  /** Attempts of a job before a transient failure ends it. */
  readonly maxAttempts: number;
  /** Back-off before the second attempt; it doubles before each further one. */
  readonly retryBackoffMs: number;
  /** A worker that does not renew its lease for this long loses its job. */
  readonly leaseMs: number;
  /** Most jobs in a list: the newest ones; active jobs are listed beyond this limit. */
  readonly listLength: number;
  /** How long records of ended jobs are kept. */
  readonly historyMs: number;
  /** How long entries of the usage log are kept. */
  readonly usageLogMs: number;
  /** Most active jobs of one owner. */
  readonly activeJobs: Readonly<Record<Tier, number>>;
  /** How long records of deleted accounts are kept. */
  readonly accountPurgeMs: number;
}

export const DEFAULT_DOMAIN_LIMITS: DomainLimits = {
  maxAttempts: 3,
  retryBackoffMs: 2_000,
  leaseMs: 15_000,
  listLength: 200,
  historyMs: 30 * 24 * 60 * 60 * 1_000,
  usageLogMs: 90 * 24 * 60 * 60 * 1_000,
  activeJobs: { free: 3, pro: 40 },
  accountPurgeMs: 29 * 24 * 60 * 60 * 1_000,
};

/** For modules that store data about users, to take part in the deletion and the export of accounts. */
export interface AccountHook {
  /** Removes the user's data and cancels running work after the account was deleted. May be called twice. */
  onDeleted?(userId: string): Promise<void>;
  /** @returns the user's data for the export, under keys that no other hook uses */
  export?(userId: string): Promise<Record<string, unknown>>;
}

export interface Domain {
  readonly jobs: JobModel;
  readonly users: UserModel;
  readonly sessions: SessionModel;
  readonly usage: UsageModel;
  readonly accountHooks: readonly AccountHook[];
  readonly bus: Bus;
  readonly tickets: TicketQueue;
  readonly videoHosts: readonly HostEntry[];
  readonly limits: DomainLimits;
  /** Deletes a stored file. A missing file is no error. */
  removeFile(key: string): Promise<void>;
}
