/** A domain for tests: a real database of its own, a bus in process, and a queue that tests can read. */
import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { beforeAll, beforeEach } from "vitest";
import { parseHostList } from "../../../common/hosts.ts";
import { BlockList } from "../../domain/blocks/block-list.ts";
import { openBlockModels } from "../../domain/blocks/block-model.ts";
import { createInProcessBus, type BusEvents, type Topic } from "../../domain/bus.ts";
import type { Domain, TicketQueue } from "../../domain/domain.ts";
import { DEFAULT_DOMAIN_LIMITS, type DomainLimits } from "../../domain/limits.ts";
import { openFeedModel } from "../../domain/feeds/feed-model.ts";
import { openFollowModel } from "../../domain/follows/follow-model.ts";
import { openFileRemovalModel } from "../../domain/jobs/file-removals.ts";
import { SILENT_JOURNAL } from "../../domain/jobs/job-journal.ts";
import { openJobModel, type JobDocument } from "../../domain/jobs/job-model.ts";
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
import { connectToNewDatabase, dropDatabase } from "./test-connection.ts";

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
  stored(id: string): Promise<JobDocument | null>;
  close(): Promise<void>;
}

/**
 * Opens one database for the tests of a file, with its indexes. Each test finds it empty; all else of the domain is new
 * for each test. For the top of a test file.
 */
export function domainForTests(limits: Partial<DomainLimits> = {}): TestDomain {
  let connection: Connection;
  let stored: Stored;
  // Filled before each test.
  const domain = {} as TestDomain;
  beforeAll(async () => {
    connection = await connectToNewDatabase();
    stored = await openStored(connection);
    return () => dropDatabase(connection);
  });
  beforeEach(() => {
    Object.assign(domain, domainAround(stored, limits));
    return async () => {
      await domain.close();
      await emptyDatabase(connection);
    };
  });
  return domain;
}

/** @returns a second process on the database of `domain`, with a bus, a queue and lists of its own; nothing to be closed */
export function besideDomain(domain: TestDomain, limits: Partial<DomainLimits> = {}): TestDomain {
  return domainAround(domain, limits);
}

/** Opens a new database with its indexes, which is removed when it is closed. */
export async function openTestDomain(limits: Partial<DomainLimits> = {}): Promise<TestDomain & AsyncDisposable> {
  const connection = await connectToNewDatabase();
  const domain = domainAround(await openStored(connection), limits);
  const close = async (): Promise<void> => {
    await domain.close();
    await dropDatabase(connection);
  };
  return { ...domain, close, [Symbol.asyncDispose]: close };
}

type Stored = Awaited<ReturnType<typeof openStored>>;

/** Opens the models and creates their indexes. */
async function openStored(connection: Connection) {
  return {
    jobs: await openJobModel(connection),
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    tokens: await openTokenModel(connection),
    feeds: await openFeedModel(connection),
    usage: await openUsageModel(connection),
    tombstones: await openTombstoneModel(connection),
    fileRemovals: await openFileRemovalModel(connection),
    selections: await openSelectionModel(connection),
    follows: await openFollowModel(connection),
    blockRecords: await openBlockModels(connection),
    operatorRecords: await openOperatorModels(connection),
    webhookRecords: await openWebhookModels(connection),
  };
}

/** Removes all documents and leaves collections and indexes. */
async function emptyDatabase(connection: Connection): Promise<void> {
  await Promise.all(Object.values(connection.collections).map((collection) => collection.deleteMany({})));
}

/** A domain on these models, all else of it new. */
function domainAround(stored: Stored, limits: Partial<DomainLimits>): TestDomain {
  const bus = createInProcessBus();
  const record = new Map<Topic, unknown[]>();
  for (const topic of [
    "job",
    "job:removed",
    "job:stop",
    "identity",
    "session:ended",
    "usage",
    "feed:changed",
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
    jobs: stored.jobs,
    users: stored.users,
    sessions: stored.sessions,
    tokens: stored.tokens,
    feeds: stored.feeds,
    usage: stored.usage,
    tombstones: stored.tombstones,
    fileRemovals: stored.fileRemovals,
    selections: stored.selections,
    follows: stored.follows,
    blockRecords: stored.blockRecords,
    operatorRecords: stored.operatorRecords,
    webhookRecords: stored.webhookRecords,
    blocks: new BlockList((kind) => bus.publish("block:refused", { kind })),
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
    stored: (id) => stored.jobs.findById(id).lean<JobDocument>(),
    close: () => bus.close(),
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
