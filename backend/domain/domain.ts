/** The dependencies of the domain's functions. Created once at the start and passed to each of them. */
import type { HostEntry } from "../../common/hosts.ts";
import type { Tier } from "../../common/tiers.ts";
import type { BlockList } from "./blocks/block-list.ts";
import type { BlockModels } from "./blocks/block-model.ts";
import type { Bus } from "./bus.ts";
import type { FileRemovalModel } from "./jobs/file-removals.ts";
import type { OperatorModels } from "./operator/operator-models.ts";
import type { JobJournal } from "./jobs/job-journal.ts";
import type { JobModel } from "./jobs/job-model.ts";
import type { SelectionModel } from "./jobs/selection-model.ts";
import type { SessionModel } from "./accounts/sessions.ts";
import type { TokenModel } from "./accounts/token-model.ts";
import type { TombstoneModel } from "./accounts/tombstones.ts";
import type { UsageModel } from "./accounts/usage-model.ts";
import type { UserModel } from "./accounts/user-model.ts";
import type { TaskQueue } from "./task-queue.ts";
import type { WebhookModels } from "./webhooks/webhook-model.ts";

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
  /**
   * Deletes tickets that were done before a moment and are still there.
   * @returns number of deleted tickets
   */
  deleteDone(before: Date): Promise<number>;
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
  /** Whether equal requests of different visitors share one conversion and its file. */
  readonly sharesFiles: boolean;
  /** A session ends at this age, however often it is used. */
  readonly sessionAgeMs: number;
  /** Most active jobs of the free plan from one network: a /24 of IPv4 or a /64 of IPv6. */
  readonly activeJobsPerNetwork: number;
  /** Most active jobs of all visitors of one plan. */
  readonly activeJobsPerTier: number;
  /** How long records of deleted accounts are kept. */
  readonly accountPurgeMs: number;
}

/**
 * Visitors of one network who can have as many jobs as they may at the same time. A job takes seconds, so this is enough
 * for an office or for the phones behind a carrier's address, and two workers need a few minutes for so many.
 */
export const OWNERS_PER_NETWORK = 20;

export const DEFAULT_DOMAIN_LIMITS: DomainLimits = {
  maxAttempts: 3,
  retryBackoffMs: 2_000,
  leaseMs: 15_000,
  listLength: 200,
  historyMs: 30 * 24 * 60 * 60 * 1_000,
  usageLogMs: 90 * 24 * 60 * 60 * 1_000,
  activeJobs: { free: 3, pro: 40 },
  sharesFiles: false,
  sessionAgeMs: 90 * 24 * 60 * 60 * 1_000,
  activeJobsPerNetwork: 3 * OWNERS_PER_NETWORK,
  // A queue of half an hour for six workers.
  activeJobsPerTier: 2_000,
  accountPurgeMs: 29 * 24 * 60 * 60 * 1_000,
};

/** For modules that store data about users, to take part in the deletion and the export of accounts. */
export interface AccountHook {
  /** Removes the user's data and cancels running work after the account was deleted. May be called twice. */
  onDeleted?(userId: string): Promise<void>;
  /**
   * @returns the user's data for the export, under keys that no other hook uses; a list that may be long is an async
   *   iterable
   */
  export?(userId: string): Promise<Record<string, unknown>>;
}

export interface Domain {
  readonly jobs: JobModel;
  readonly users: UserModel;
  readonly sessions: SessionModel;
  readonly tokens: TokenModel;
  readonly usage: UsageModel;
  readonly tombstones: TombstoneModel;
  readonly fileRemovals: FileRemovalModel;
  readonly selections: SelectionModel;
  /** The block list as this process knows it. */
  readonly blocks: BlockList;
  readonly blockRecords: BlockModels;
  readonly operatorRecords: OperatorModels;
  readonly webhookRecords: WebhookModels;
  readonly accountHooks: readonly AccountHook[];
  readonly bus: Bus;
  readonly journal: JobJournal;
  readonly tickets: TicketQueue;
  /** Webhooks that have messages to be sent. */
  readonly webhookQueue: TaskQueue<"webhook">;
  readonly videoHosts: readonly HostEntry[];
  /** Private hosts, with their ports, that webhooks may reach all the same: programs of tests. */
  readonly privateWebhookHosts?: readonly HostEntry[];
  readonly limits: DomainLimits;
  /** @returns whether the file is stored */
  isStored(key: string): Promise<boolean>;
  /** Deletes a stored file. A missing file is no error. */
  removeFile(key: string): Promise<void>;
}
