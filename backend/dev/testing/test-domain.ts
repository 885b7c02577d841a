/** A domain for tests: a real database of its own, a bus in process, and a queue that tests can read. */
import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { parseHostList } from "../../../common/hosts.ts";
import { BlockList } from "../../domain/blocks/block-list.ts";
import { openBlockModels } from "../../domain/blocks/block-model.ts";
import { createInProcessBus, type BusEvents, type Topic } from "../../domain/bus.ts";
import { DEFAULT_DOMAIN_LIMITS, type Domain, type DomainLimits, type TicketQueue } from "../../domain/domain.ts";
import { openFileRemovalModel } from "../../domain/jobs/file-removals.ts";
import { SILENT_JOURNAL } from "../../domain/jobs/job-journal.ts";
import { openJobModel, type StoredJob } from "../../domain/jobs/job-model.ts";
import { openSelectionModel } from "../../domain/jobs/selection-model.ts";
import { openSessionModel } from "../../domain/accounts/sessions.ts";
import { openTokenModel } from "../../domain/accounts/token-model.ts";
import { openTombstoneModel } from "../../domain/accounts/tombstones.ts";
import { openUsageModel } from "../../domain/accounts/usage-model.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";
import { openOperatorModels } from "../../domain/operator/operator-models.ts";
import type { Task } from "../../domain/task-queue.ts";
import { openWebhookModels } from "../../domain/webhooks/webhook-model.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import { dropDatabase, testDatabaseUri } from "./test-connection.ts";

export interface Ticket {
  readonly jobId: string;
  readonly priority: number;
  readonly runAtMs?: number;
}

export interface TestDomain extends Domain {
  /** Tickets in the order in which they were added. */
  readonly waiting: Ticket[];
  /** Webhooks in the order in which they were queued. */
  readonly queuedWebhooks: Task<"webhook">[];
  /** Keys of the files that are stored; empty unless a test adds some, so that all requests go by the queue. */
  readonly storedFiles: Set<string>;
  /** Keys of the files that were deleted. */
  readonly removedFiles: string[];
  /** Messages published on a topic so far. */
  published<T extends Topic>(topic: T): Promise<BusEvents[T][]>;
  stored(id: string): Promise<StoredJob | null>;
  close(): Promise<void>;
}

/** @param database name of another test domain's database, to act as a second process on it; a new one by default */
export async function openTestDomain(
  limits: Partial<DomainLimits> = {},
  database = `test-${randomUUID()}`,
): Promise<TestDomain> {
  const connection = await mongoose.createConnection(testDatabaseUri(database)).asPromise();
  const jobs = await openJobModel(connection);
  const bus = createInProcessBus();
  const record = new Map<Topic, unknown[]>();
  for (const topic of [
    "job",
    "job:removed",
    "job:stop",
    "identity",
    "session:ended",
    "usage",
    "block:refused",
  ] as const) {
    const messages: unknown[] = [];
    record.set(topic, messages);
    bus.subscribe(topic, (message) => messages.push(message));
  }
  const waiting: Ticket[] = [];
  const queuedWebhooks: Task<"webhook">[] = [];
  const storedFiles = new Set<string>();
  const removedFiles: string[] = [];
  return {
    jobs,
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    tokens: await openTokenModel(connection),
    usage: await openUsageModel(connection),
    tombstones: await openTombstoneModel(connection),
    fileRemovals: await openFileRemovalModel(connection),
    selections: await openSelectionModel(connection),
    blocks: new BlockList((kind) => bus.publish("block:refused", { kind })),
    blockRecords: await openBlockModels(connection),
    operatorRecords: await openOperatorModels(connection),
    webhookRecords: await openWebhookModels(connection),
    accountHooks: [],
    bus,
    journal: SILENT_JOURNAL,
    tickets: createTicketList(waiting),
    webhookQueue: {
      enqueue(task) {
        queuedWebhooks.push(task);
        return Promise.resolve();
      },
    },
    videoHosts: parseHostList("youtube.com,youtu.be,video.example"),
    // Most tests add many jobs and need one conversion; those about these limits set them.
    limits: {
      ...DEFAULT_DOMAIN_LIMITS,
      sharesFiles: true,
      activeJobs: { free: 1_000, pro: 1_000 },
      activeJobsPerTier: 100_000,
      ...limits,
    },
    isStored: (key) => Promise.resolve(storedFiles.has(key)),
    removeFile: (key) => {
      storedFiles.delete(key);
      removedFiles.push(key);
      return Promise.resolve();
    },
    waiting,
    queuedWebhooks,
    storedFiles,
    removedFiles,
    async published<T extends Topic>(topic: T) {
      // The bus delivers in the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      return [...(record.get(topic) ?? [])] as BusEvents[T][];
    },
    stored: (id) => jobs.findById(id).lean<StoredJob>(),
    async close() {
      await bus.close();
      await dropDatabase(connection);
    },
  };
}

/** Behaves like the real queue. */
function createTicketList(waiting: Ticket[]): TicketQueue {
  return {
    enqueue(ticket) {
      waiting.push(ticket);
      return Promise.resolve();
    },
    remove(jobId) {
      const kept = waiting.filter((ticket) => ticket.jobId !== jobId);
      waiting.splice(0, waiting.length, ...kept);
      return Promise.resolve();
    },
    withoutTicket(jobIds) {
      const ids = new Set(waiting.map((ticket) => ticket.jobId));
      return Promise.resolve(jobIds.filter((id) => !ids.has(id)));
    },
    deleteDone: () => Promise.resolve(0),
  };
}

/** A visitor of a new device, on the free plan unless given otherwise. */
export function newViewer(more: Partial<Viewer> = {}): Viewer {
  return { deviceId: randomUUID(), userId: null, tier: "free", ...more };
}
