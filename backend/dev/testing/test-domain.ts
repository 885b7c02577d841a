/** The domain without its surroundings: real database, a name of its own, and a queue that can be looked into. */
import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { inject } from "vitest";
import { parseHostList } from "../../../common/hosts.ts";
import { createInProcessBus, type BusMessages, type Topic } from "../../domain/bus.ts";
import { DEFAULT_DOMAIN_LIMITS, type Domain, type DomainLimits, type TicketQueue } from "../../domain/domain.ts";
import { openJobModel, type StoredJob } from "../../domain/jobs/job-model.ts";
import { openSessionModel } from "../../domain/accounts/sessions.ts";
import { openUsageModel } from "../../domain/accounts/usage-model.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";

export interface Ticket {
  readonly jobId: string;
  readonly priority: number;
  readonly runAtMs?: number;
}

export interface TestDomain extends Domain {
  /** What is waiting, in the order in which it was put in. */
  readonly waiting: Ticket[];
  /** Keys of the files that were deleted. */
  readonly removedFiles: string[];
  /** What was said on a topic so far. */
  published<T extends Topic>(topic: T): Promise<BusMessages[T][]>;
  stored(id: string): Promise<StoredJob | null>;
  close(): Promise<void>;
}

/** @param database that of another one, to be as another process is; its own unless named */
export async function openTestDomain(
  limits: Partial<DomainLimits> = {},
  database = `test-${randomUUID()}`,
): Promise<TestDomain> {
  const uri = `${inject("mongodbUri").replace(/\/$/, "")}/${database}`;
  const connection = await mongoose.createConnection(uri).asPromise();
  const jobs = await openJobModel(connection);
  const bus = createInProcessBus();
  const record = new Map<Topic, unknown[]>();
  for (const topic of ["job", "job:removed", "job:canceled", "identity", "session:ended", "usage"] as const) {
    const messages: unknown[] = [];
    record.set(topic, messages);
    bus.subscribe(topic, (message) => messages.push(message));
  }
  const waiting: Ticket[] = [];
  const removedFiles: string[] = [];
  return {
    jobs,
    users: await openUserModel(connection),
    sessions: await openSessionModel(connection),
    usage: await openUsageModel(connection),
    accountHooks: [],
    bus,
    tickets: createTicketList(waiting),
    videoHosts: parseHostList("youtube.com,youtu.be,video.example"),
    // Many at once is what tests like; those about the limit set it.
    limits: { ...DEFAULT_DOMAIN_LIMITS, activeJobs: { free: 1_000, pro: 1_000 }, ...limits },
    removeFile: (key) => {
      removedFiles.push(key);
      return Promise.resolve();
    },
    waiting,
    removedFiles,
    async published<T extends Topic>(topic: T) {
      // What was published so far is delivered in the loop's next turn.
      await new Promise((resolve) => setImmediate(resolve));
      return [...(record.get(topic) ?? [])] as BusMessages[T][];
    },
    stored: (id) => jobs.findById(id).lean<StoredJob>(),
    async close() {
      await bus.close();
      await connection.dropDatabase();
      await connection.close();
    },
  };
}

/** Keeps to the same promises as the real queue. */
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
  };
}

/** Somebody who has never been here, on the free plan unless said otherwise. */
export function newViewer(more: Partial<Viewer> = {}): Viewer {
  return { deviceId: randomUUID(), userId: null, tier: "free", ...more };
}
