/** The dependencies of the domain's functions. Created once at the start and passed to each of them. */
import type { HostEntry } from "../../common/hosts.ts";
import type { BlockList } from "./blocks/block-list.ts";
import type { BlockModels } from "./blocks/block-model.ts";
import type { Bus } from "./bus.ts";
import type { FeedModel } from "./feeds/feed-model.ts";
import type { FollowModel } from "./follows/follow-model.ts";
import type { FileRemovalModel } from "./jobs/file-removals.ts";
import type { OperatorModels } from "./operator/operator-models.ts";
import type { DomainLimits } from "./limits.ts";
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

/** The queue of tickets as the domain uses it. A ticket holds the id of a waiting job, and what its turn depends on. */
export interface TicketQueue {
  /**
   * Adds a ticket. Those with a higher priority are picked up first.
   * @param ticket.site of the job's link; see `siteOf`
   * @param ticket.runAtMs earliest time of pick-up (Unix time in ms); at once when it is left out
   */
  enqueue(ticket: { jobId: string; site: string; priority: number; runAtMs?: number }): Promise<void>;
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
  readonly feeds: FeedModel;
  readonly usage: UsageModel;
  readonly tombstones: TombstoneModel;
  readonly fileRemovals: FileRemovalModel;
  readonly selections: SelectionModel;
  readonly follows: FollowModel;
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
