/** What the verbs on jobs work with. Made once by main and handed to each verb. */
import type { HostEntry } from "../../common/hosts.ts";
import type { Tier } from "../../common/tiers.ts";
import type { Bus } from "./bus.ts";
import type { JobModel } from "./jobs/job-model.ts";
import type { SessionModel } from "./accounts/sessions.ts";
import type { UsageModel } from "./accounts/usage-model.ts";
import type { UserModel } from "./accounts/user-model.ts";

/** The queue of tickets as the domain sees it: a ticket says no more than which job is waiting. */
export interface TicketQueue {
  /** Higher priority first. `runAtMs`: not before this time (Unix, milliseconds); default at once. */
  enqueue(ticket: { jobId: string; priority: number; runAtMs?: number }): Promise<void>;
  /** Forgets the job's tickets; one that is being worked on is not interrupted by this. */
  remove(jobId: string): Promise<void>;
  /** Those of the jobs that have no ticket. */
  withoutTicket(jobIds: readonly string[]): Promise<string[]>;
}

export interface DomainLimits {
  /** Starts of a job before a failure that may pass counts as final. */
  readonly maxAttempts: number;
  /** Wait before the second attempt; twice as long before each further one. */
  readonly retryBackoffMs: number;
  /** A worker that has not said so for this long no longer holds its job. */
  readonly leaseMs: number;
  /** Most jobs in a list; the newest are kept, and all that are active. */
  readonly listLength: number;
  /** Records of ended jobs are kept this long. */
  readonly historyMs: number;
  /** Entries of the log of usage are kept this long. */
  readonly usageLogMs: number;
  /** Most jobs that one owner may have waiting or running. */
  readonly activeJobs: Readonly<Record<Tier, number>>;
  /** What deleted accounts leave behind is removed after this long. */
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

/** Whoever else keeps something about a user joins here. */
export interface AccountHook {
  /** The account is gone: what was kept is removed, what runs on is cancelled. Safe to call twice. */
  onDeleted?(userId: string): Promise<void>;
  /** What is kept, under names of its own, for the user to take along. */
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
  /** Deletes a stored file; a file that is not there is no error. */
  removeFile(key: string): Promise<void>;
}
