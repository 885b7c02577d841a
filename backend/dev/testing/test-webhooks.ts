/** Messages to webhooks with real parts: database, queue, egress guard, and a program that fails and recovers. */
import { randomUUID } from "node:crypto";
import pino from "pino";
import { afterEach, beforeEach, expect } from "vitest";
import { parseHostEntry } from "../../../common/hosts.ts";
import type { WebhookDelivery } from "../../../common/webhook-calls.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import type { Domain } from "../../domain/domain.ts";
import { createConversion } from "../../domain/jobs/add-jobs.ts";
import { claimJob, failJob } from "../../domain/jobs/work.ts";
import type { DeliveryTiming } from "../../domain/webhooks/delivery-timing.ts";
import { listWebhooks } from "../../domain/webhooks/webhooks.ts";
import { startEgressGuard, type EgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { createWebhookSender } from "../../worker/webhook-sender.ts";
import { WEBHOOK_QUEUE, startWebhookWorker } from "../../worker/webhook-worker.ts";
import { startMessageReceiver, type MessageReceiver, type ReceivedMessage } from "./message-receiver.ts";
import { domainForTests } from "./test-domain.ts";
import { openTaskTickets } from "../../worker/task-tickets.ts";

export const DAY_MS = 24 * 60 * 60 * 1_000;
const LOG = pino({ level: "silent" });
/** Short delays; a busy machine may take seconds to answer. */
const TIMING: DeliveryTiming = { firstDelayMs: 20, maxDelayMs: 100, giveUpMs: DAY_MS, timeoutMs: 30_000 };

export const QUEUE = {
  concurrency: 4,
  lockMs: 60_000,
  pollMs: 50,
  onError: (error: Error) => expect.unreachable(error.message),
};

/** One database for the tests of a file; a program and an egress guard for each test. For the top of a test file. */
export function webhooksForTests() {
  const domain = domainForTests();
  let opened: AsyncDisposableStack;
  let program: MessageReceiver;
  let guard: EgressGuard;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    program = opened.use(await startMessageReceiver());
    guard = opened.use(await startEgressGuard({ allow: [] }));
  });
  afterEach(() => opened.disposeAsync());

  /** One of several processes on the same database. */
  async function startProcess(timing: Partial<DeliveryTiming> = {}, sweepMs = 3_600_000) {
    const tickets = await openTaskTickets(domain.users.db, domain.bus, WEBHOOK_QUEUE, {
      ...QUEUE,
      name: randomUUID(),
    });
    const ofProcess: Domain = {
      ...domain,
      webhookQueue: tickets,
      privateWebhookHosts: [parseHostEntry(program.host)],
    };
    const merged = { ...TIMING, ...timing };
    return {
      domain: ofProcess,
      async work() {
        const send = createWebhookSender(guard, merged.timeoutMs, ofProcess.privateWebhookHosts);
        const worker = await startWebhookWorker(ofProcess, tickets, { send, timing: merged, sweepMs, log: LOG });
        return opened.adopt(worker, (open) => open.stop());
      },
    };
  }

  async function newUser(): Promise<string> {
    const person = { issuer: "https://issuer", subject: randomUUID(), email: `${randomUUID()}@example.com` };
    return (await signIn(domain, randomUUID(), person))._id;
  }

  /** Lets a job of the user fail. @returns its id */
  async function endJob(of: Domain, userId: string): Promise<string> {
    const viewer = { deviceId: randomUUID(), userId, tier: "free" } as const;
    const { _id } = await createConversion(of, viewer, { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" });
    const claimed = await claimJob(of, _id, "worker");
    if (!claimed) throw new Error("the job was not claimed");
    await failJob(of, claimed, "private");
    return _id;
  }

  async function logOf(userId: string): Promise<readonly WebhookDelivery[]> {
    return (await listWebhooks(domain, userId))[0]?.deliveries ?? [];
  }

  async function untilEnded(userId: string): Promise<readonly WebhookDelivery[]> {
    await expect.poll(async () => (await logOf(userId)).map(({ state }) => state === "waiting")).not.toContain(true);
    return logOf(userId);
  }

  /** Moves the times of what waits into the past, as if an hour had gone by. */
  async function passTime(): Promise<void> {
    const past = new Date(Date.now() - 60 * 60 * 1_000);
    await domain.webhookRecords.deliveries.updateMany({ state: "waiting" }, { $set: { nextTryAt: past } });
    await domain.webhookRecords.webhooks.updateMany({ dueAt: { $exists: true } }, { $set: { dueAt: past } });
    await domain.webhookRecords.webhooks.updateMany({ pausedUntil: { $ne: null } }, { $set: { pausedUntil: past } });
    await domain.users.db
      .collection("webhook_tickets")
      .updateMany({ lockedAt: { $ne: null } }, { $set: { lockedAt: past } });
  }

  const allDeliveries = () => domain.webhookRecords.deliveries.find().lean();

  return {
    domain,
    /** Closed after the test. */
    get opened(): AsyncDisposableStack {
      return opened;
    },
    get program(): MessageReceiver {
      return program;
    },
    startProcess,
    newUser,
    endJob,
    logOf,
    untilEnded,
    allDeliveries,
    passTime,
  };
}

export const idsOf = (messages: readonly ReceivedMessage[]) => messages.map(({ id }) => id);
