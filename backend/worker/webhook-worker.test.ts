/** Messages to webhooks with real parts: database, queue, egress guard, and a program that fails and recovers. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import pino from "pino";
import { Stripe } from "stripe";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseHostEntry } from "../../common/hosts.ts";
import { JobMessage, type WebhookDelivery } from "../../common/webhook-calls.ts";
import { startMessageReceiver, type MessageReceiver, type ReceivedMessage } from "../dev/testing/message-receiver.ts";
import { testDatabaseUri } from "../dev/testing/test-connection.ts";
import { openTestDomain, type TestDomain } from "../dev/testing/test-domain.ts";
import type { WebhookOrder } from "../dev/testing/test-webhook-process.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import type { Domain } from "../domain/domain.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { claimJob, failJob } from "../domain/jobs/work.ts";
import { announceMissedEnds } from "../domain/webhooks/announce-end.ts";
import { claimLostWebhooks, deleteOldDeliveries, type DeliveryTiming } from "../domain/webhooks/deliver.ts";
import type { StoredWebhook } from "../domain/webhooks/webhook-model.ts";
import { createWebhook, listWebhooks } from "../domain/webhooks/webhooks.ts";
import { startEgressGuard, type EgressGuard } from "../pipeline/guard/egress-guard.ts";
import { openTickets } from "./tickets.ts";
import { createWebhookSender } from "./webhook-sender.ts";
import { openWebhookTickets } from "./webhook-tickets.ts";
import { startWebhookWorker } from "./webhook-worker.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const LOG = pino({ level: "silent" });
/** Short delays; a busy machine may take seconds to answer. */
const TIMING: DeliveryTiming = { firstDelayMs: 20, maxDelayMs: 100, giveUpMs: DAY_MS, timeoutMs: 30_000 };

const QUEUE = {
  concurrency: 4,
  lockMs: 60_000,
  pollMs: 50,
  onError: (error: Error) => expect.unreachable(error.message),
};

let opened: AsyncDisposableStack;
let program: MessageReceiver;
let domain: TestDomain;
let guard: EgressGuard;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  program = opened.use(await startMessageReceiver());
  domain = opened.adopt(await openTestDomain(), (open) => open.close());
  guard = opened.use(await startEgressGuard({ allow: [parseHostEntry(program.host)] }));
});
afterEach(() => opened.disposeAsync());

/** One of several processes on the same database. */
async function startProcess(timing: Partial<DeliveryTiming> = {}, sweepMs = 3_600_000) {
  const tickets = await openWebhookTickets(domain.users.db, domain.bus, {
    ...QUEUE,
    name: randomUUID(),
  });
  const ofProcess: Domain = {
    ...domain,
    webhookQueue: tickets,
    videoHosts: [...domain.videoHosts, parseHostEntry(program.host)],
  };
  const merged = { ...TIMING, ...timing };
  return {
    domain: ofProcess,
    async work() {
      const send = createWebhookSender(guard, merged.timeoutMs);
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

const idsOf = (messages: readonly ReceivedMessage[]) => messages.map(({ id }) => id);
const allDeliveries = () => domain.webhookRecords.deliveries.find().lean();

it("sends a message again until the program takes it, signed so that Stripe's own library accepts it", async () => {
  program.answerWith(503, 500, 200);
  const process = await startProcess();
  await process.work();
  const userId = await newUser();
  const { secret } = await createWebhook(process.domain, userId, { url: program.url });
  const jobId = await endJob(process.domain, userId);
  expect(await untilEnded(userId)).toMatchObject([
    { id: `${jobId}.1`, type: "job.failed", state: "delivered", tries: 3, status: 200, nextTryAt: null },
  ]);
  expect(idsOf(program.messages)).toEqual([`${jobId}.1`, `${jobId}.1`, `${jobId}.1`]);
  const stripe = new Stripe("sk_test_unused");
  for (const { body, signature, headers } of program.messages) {
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(stripe.webhooks.constructEvent(body, signature, secret)).toMatchObject({ id: `${jobId}.1` });
    expect(() => stripe.webhooks.constructEvent(`${body} `, signature, secret)).toThrow("signature");
    expect(JobMessage.parse(JSON.parse(body))).toMatchObject({
      type: "job.failed",
      job: { id: jobId, status: "failed", error: { code: "private" } },
    });
  }
  // The text has the title of the video.
  expect(await allDeliveries()).toMatchObject([expect.not.objectContaining({ body: expect.anything() })]);
  // This is written after the end of the message.
  await expect
    .poll(() => domain.webhookRecords.webhooks.findOne().lean())
    .toMatchObject({ failures: 0, pausedUntil: null });
});

it("gives up a try without an answer, and sends the message again", async () => {
  program.answerWith("never");
  const hasty = await startProcess({ timeoutMs: 100, firstDelayMs: DAY_MS, maxDelayMs: DAY_MS });
  const worker = await hasty.work();
  const userId = await newUser();
  await createWebhook(hasty.domain, userId, { url: program.url });
  await endJob(hasty.domain, userId);
  await expect.poll(() => logOf(userId)).toMatchObject([{ state: "waiting", tries: 1, problem: "too_slow" }]);
  const [waiting] = await logOf(userId);
  expect(Date.parse(waiting?.nextTryAt ?? "")).toBeGreaterThan(Date.now());
  await worker.stop();
  program.answerWith(204);
  await passTime();
  const patient = await startProcess();
  await patient.work();
  await patient.domain.webhookQueue.enqueue({ kind: "webhook", id: await onlyWebhook() });
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 2, status: 204, problem: null }]);
});

it("does not follow a redirect", async () => {
  await using secretPlace = await startMessageReceiver();
  program.answerWith({ redirectTo: secretPlace.url }, 204);
  const process = await startProcess();
  await process.work();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  await endJob(process.domain, userId);
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 2 }]);
  expect(secretPlace.messages).toEqual([]);
});

it.each(["https://127.0.0.1/", "https://10.1.2.3/", "https://[::1]/", "https://localhost/"])(
  "does not contact %s",
  async (url) => {
    const process = await startProcess({ firstDelayMs: 60_000, maxDelayMs: 60_000 });
    await process.work();
    const userId = await newUser();
    await createWebhook(process.domain, userId, { url });
    await endJob(process.domain, userId);
    await expect.poll(() => logOf(userId)).toMatchObject([{ state: "waiting", tries: 1, problem: "refused_address" }]);
  },
);

it("reads the status of an answer that does not end", async () => {
  program.answerWith("endless");
  const process = await startProcess();
  await process.work();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  await endJob(process.domain, userId);
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 1, status: 200 }]);
});

it("turns a webhook off that answers 410, and sends it no more", async () => {
  program.answerWith(410);
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  for (let count = 0; count < 3; count += 1) await endJob(process.domain, userId);
  await process.work();
  expect((await untilEnded(userId)).map(({ state, tries }) => [state, tries])).toEqual([
    ["failed", 0],
    ["failed", 0],
    ["failed", 1],
  ]);
  expect(await listWebhooks(domain, userId)).toMatchObject([{ disabledReason: "gone" }]);
  await endJob(process.domain, userId);
  expect(await allDeliveries()).toHaveLength(3);
  expect(program.messages).toHaveLength(1);
});

it("gives up after a day, and turns a webhook off that has taken nothing in it", async () => {
  program.answerWith(500);
  const process = await startProcess({ firstDelayMs: DAY_MS, maxDelayMs: DAY_MS });
  await process.work();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  await endJob(process.domain, userId);
  await expect.poll(() => logOf(userId)).toMatchObject([{ state: "waiting", tries: 1, status: 500 }]);
  // It is written after the log.
  await expect.poll(() => domain.webhookRecords.webhooks.findOne().lean()).toMatchObject({ failures: 1 });
  const yesterday = new Date(Date.now() - DAY_MS);
  await domain.webhookRecords.deliveries.updateMany({}, { $set: { createdAt: yesterday } });
  await domain.webhookRecords.webhooks.updateMany({}, { $set: { failingSince: yesterday } });
  await passTime();
  await process.domain.webhookQueue.enqueue({ kind: "webhook", id: await onlyWebhook() });
  expect(await untilEnded(userId)).toMatchObject([{ state: "failed", tries: 2, status: 500 }]);
  await expect.poll(() => listWebhooks(domain, userId)).toMatchObject([{ disabledReason: "failing" }]);
});

it("is not held back by a message that the program cannot read", async () => {
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  const bad = await endJob(process.domain, userId);
  const good = await endJob(process.domain, userId);
  program.answerIf(({ id }) => id === `${bad}.1`, 500);
  await process.work();
  await expect
    .poll(async () => (await logOf(userId)).map(({ id, state }) => [id, state]))
    .toEqual([
      [`${good}.1`, "delivered"],
      [`${bad}.1`, "waiting"],
    ]);
});

it("stays on while the program takes all messages but one that it cannot read", async () => {
  const process = await startProcess({ firstDelayMs: DAY_MS, maxDelayMs: DAY_MS });
  const userId = await newUser();
  const { id } = await createWebhook(process.domain, userId, { url: program.url });
  const bad = `${await endJob(process.domain, userId)}.1`;
  program.answerIf((message) => message.id === bad, 500);
  await process.work();
  await untilWebhook({ failures: 1 });
  expect(await logOf(userId)).toMatchObject([{ id: bad, state: "waiting", tries: 1 }]);
  await endPause();
  await endJob(process.domain, userId);
  await untilWebhook({ failures: 0 });

  const givenUp = nextGivenUp();
  const yesterday = new Date(Date.now() - DAY_MS);
  await domain.webhookRecords.deliveries.updateOne(
    { messageId: bad },
    { $set: { createdAt: yesterday, nextTryAt: yesterday } },
  );
  await process.domain.webhookQueue.enqueue({ kind: "webhook", id });
  await givenUp;
  expect(await listWebhooks(domain, userId)).toMatchObject([{ disabledReason: null }]);
  expect((await logOf(userId)).find((delivery) => delivery.id === bad)).toMatchObject({ state: "failed", tries: 2 });
  await endPause();
  const next = `${await endJob(process.domain, userId)}.1`;
  expect((await untilEnded(userId)).find((delivery) => delivery.id === next)).toMatchObject({ state: "delivered" });
});

it("tries a message again when all failures of the last day were those of an earlier one", async () => {
  program.answerWith(503, 204);
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  const yesterday = new Date(Date.now() - DAY_MS);
  await domain.webhookRecords.webhooks.updateOne({}, { $set: { failures: 20, failingSince: yesterday } });
  await endJob(process.domain, userId);
  await process.work();
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 2 }]);
  expect(await listWebhooks(domain, userId)).toMatchObject([{ disabledReason: null }]);
});

it("stays on when a message fails for the first time after the server was off for a day", async () => {
  program.answerWith(500);
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  await endJob(process.domain, userId);
  const yesterday = new Date(Date.now() - DAY_MS);
  await domain.webhookRecords.deliveries.updateOne({}, { $set: { createdAt: yesterday, nextTryAt: yesterday } });
  const givenUp = nextGivenUp();
  await process.work();
  await givenUp;
  expect(await listWebhooks(domain, userId)).toMatchObject([
    { disabledReason: null, deliveries: [{ state: "failed", tries: 1 }] },
  ]);
});

it("goes on in another process when one stops during a try", async () => {
  program.answerWith("never", 204);
  const one = await startProcess();
  const worker = await one.work();
  const userId = await newUser();
  await createWebhook(one.domain, userId, { url: program.url });
  await endJob(one.domain, userId);
  await expect.poll(() => program.messages.length).toBe(1);
  await worker.stop();
  expect(await logOf(userId)).toMatchObject([{ state: "waiting", tries: 0 }]);
  await (await startProcess()).work();
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 1 }]);
});

it("goes on in another process when one is killed during a try", async () => {
  program.answerWith("never", 204);
  const next = await startProcess({}, 50);
  const userId = await newUser();
  await createWebhook(next.domain, userId, { url: program.url });
  const jobId = await endJob(next.domain, userId);
  const killed = fork(join(import.meta.dirname, "../dev/testing/test-webhook-process.ts"));
  const exited = once(killed, "exit");
  opened.defer(() => void killed.kill("SIGKILL"));
  killed.send({ mongodbUri: testDatabaseUri(domain.users.db.name), allowedHost: program.host } satisfies WebhookOrder);
  await expect.poll(() => program.messages.length).toBe(1);
  killed.kill("SIGKILL");
  await exited;
  await passTime();
  await next.work();
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 2 }]);
  expect(idsOf(program.messages)).toEqual([`${jobId}.1`, `${jobId}.1`]);
});

it("writes the message of a job whose worker was killed when it had just ended", async () => {
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  const before = new Date();
  const lost = () => Promise.reject(new Error("killed"));
  const deliveries = Object.assign(Object.create(domain.webhookRecords.deliveries), { create: lost });
  const jobId = await endJob({ ...process.domain, webhookRecords: { ...domain.webhookRecords, deliveries } }, userId);
  expect(await allDeliveries()).toEqual([]);
  await process.work();
  expect(await announceMissedEnds(process.domain, before)).toBe(0);
  expect(await announceMissedEnds(process.domain, new Date(Date.now() + 60_000))).toBe(1);
  expect(await announceMissedEnds(process.domain, new Date(Date.now() + 60_000))).toBe(0);
  expect(await untilEnded(userId)).toMatchObject([{ id: `${jobId}.1`, state: "delivered" }]);
  expect(program.messages).toHaveLength(1);
});

it("sends each message once with two processes, however often a webhook is queued", async () => {
  const processes = [await startProcess(), await startProcess()];
  const [one, two] = processes;
  if (!one || !two) throw new Error("two processes were started");
  const userId = await newUser();
  await createWebhook(one.domain, userId, { url: program.url });
  await Promise.all(processes.map((process) => process.work()));
  const jobs = await Promise.all(
    Array.from({ length: 10 }, (_, index) => endJob(index % 2 === 0 ? one.domain : two.domain, userId)),
  );
  await untilEnded(userId);
  expect(idsOf(program.messages).toSorted()).toEqual(jobs.map((id) => `${id}.1`).toSorted());
});

it("sends nothing for jobs of strangers, of visitors who are not signed in, and of webhooks that were off", async () => {
  const process = await startProcess();
  const userId = await newUser();
  const { id } = await createWebhook(process.domain, userId, { url: program.url });
  await endJob(process.domain, await newUser());
  await domain.webhookRecords.webhooks.updateOne({ _id: id }, { $set: { disabledReason: "failing" } });
  await endJob(process.domain, userId);
  expect(await allDeliveries()).toEqual([]);
  expect(await domain.jobs.countDocuments({ announcedAfter: { $exists: true } })).toBe(0);
});

it("uses the oldest webhook alone when Pro has ended", async () => {
  const process = await startProcess();
  const userId = await newUser();
  await domain.users.updateOne({ _id: userId }, { $set: { tier: "pro" } });
  const oldest = await createWebhook(process.domain, userId, { url: program.url });
  await createWebhook(process.domain, userId, { url: program.url });
  await endJob(process.domain, userId);
  expect(await allDeliveries()).toHaveLength(2);
  await domain.users.updateOne({ _id: userId }, { $set: { tier: "free" } });
  const jobId = await endJob(process.domain, userId);
  expect((await allDeliveries()).filter(({ messageId }) => messageId === `${jobId}.1`)).toMatchObject([
    { webhookId: oldest.id },
  ]);
});

it("keeps the last 50 ended messages for 7 days", async () => {
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  await endJob(process.domain, userId);
  const [waiting] = await allDeliveries();
  await domain.webhookRecords.deliveries.insertMany(
    Array.from({ length: 60 }, (_, index) => ({
      ...waiting,
      _id: `old-${index}`,
      messageId: `old-${index}`,
      state: "delivered",
      createdAt: new Date(Date.now() - (index + 1) * 60_000),
    })),
  );
  await process.work();
  await expect.poll(() => domain.webhookRecords.deliveries.countDocuments()).toBe(50);
  expect(await deleteOldDeliveries(domain, new Date(Date.now() + 8 * DAY_MS))).toBe(50);
});

it("keeps 1,000 messages for a dead program without holding up others, and sends each once when it recovers", async () => {
  program.answerWith(503);
  const slow = await startProcess({ firstDelayMs: DAY_MS, maxDelayMs: DAY_MS }, 50);
  const userId = await newUser();
  const { id } = await createWebhook(slow.domain, userId, { url: program.url });
  const jobId = await endJob(slow.domain, userId);
  const [first] = await allDeliveries();
  const more = Array.from({ length: 999 }, (_, index) => {
    const message = { ...JobMessage.parse(JSON.parse(first?.body ?? "")), id: `more-${index}` };
    return { ...first, _id: `more-${index}.${id}`, messageId: message.id, body: JSON.stringify(message) };
  });
  await domain.webhookRecords.deliveries.insertMany(more);
  const worker = await slow.work();
  await expect.poll(() => domain.webhookRecords.webhooks.findOne({ _id: id }).lean()).toMatchObject({ failures: 1 });

  // A message to somebody else's program, and a conversion in the same process.
  const other = new URL("/other", program.url);
  program.answerIf(({ path }) => path === other.pathname, 204);
  const stranger = await newUser();
  await createWebhook(slow.domain, stranger, { url: other.href });
  await endJob(slow.domain, stranger);
  await untilEnded(stranger);
  const conversions = await openTickets(domain.users.db, domain.bus, { ...QUEUE, name: randomUUID() });
  opened.defer(() => conversions.stop());
  const converted = Promise.withResolvers<string>();
  await conversions.work((ticket) => Promise.resolve(converted.resolve(ticket.jobId)));
  await conversions.enqueue({ jobId: "a-conversion", priority: 0 });
  expect(await converted.promise).toBe("a-conversion");
  // However often the webhook is queued, the dead program is not asked before its time.
  await slow.domain.webhookQueue.enqueue({ kind: "webhook", id });
  await endJob(slow.domain, stranger);
  await untilEnded(stranger);
  const ofDead = () => program.messages.filter(({ path }) => path !== other.pathname);
  expect(idsOf(ofDead())).toEqual([`${jobId}.1`]);

  await worker.stop();
  program.answerWith(204);
  await passTime();
  // All of them would take most of a minute; these are five runs of the queue entry.
  const kept = more.slice(0, 99);
  const dropped = more.slice(99).map(({ _id }) => _id);
  await domain.webhookRecords.deliveries.deleteMany({ _id: { $in: dropped } });
  const recovered = await startProcess();
  await recovered.work();
  await recovered.domain.webhookQueue.enqueue({ kind: "webhook", id });
  await expect.poll(() => domain.webhookRecords.deliveries.countDocuments({ webhookId: id, state: "waiting" })).toBe(0);
  const all = [`${jobId}.1`, ...kept.map(({ messageId }) => messageId)];
  expect(idsOf(ofDead()).slice(1).toSorted()).toEqual(all.toSorted());
  expect(program.mostAtOnce()).toBe(1);
  // The log keeps no texts.
  expect(await domain.webhookRecords.deliveries.countDocuments({ webhookId: id, body: { $exists: true } })).toBe(0);
});

it("finds a webhook whose ticket was lost, once", async () => {
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: program.url });
  const before = new Date();
  await endJob(process.domain, userId);
  const later = new Date(Date.now() + 60_000);
  expect(await claimLostWebhooks(domain, before)).toEqual([]);
  expect(await claimLostWebhooks(domain, later)).toEqual([await onlyWebhook()]);
  expect(await claimLostWebhooks(domain, later)).toEqual([]);
});

async function onlyWebhook(): Promise<string> {
  return (await domain.webhookRecords.webhooks.findOne().lean())?._id ?? "";
}

/** Resolves when the only webhook is stored like this, which is written after the log. */
async function untilWebhook(fields: Partial<StoredWebhook>): Promise<void> {
  await expect.poll(() => domain.webhookRecords.webhooks.findOne().lean()).toMatchObject(fields);
}

/** Resolves when a message is given up, and what that means for its webhook is written. */
function nextGivenUp(): Promise<void> {
  return new Promise((resolve) => {
    domain.bus.subscribe("webhook:tried", ({ result }) => {
      if (result === "given_up") resolve();
    });
  });
}

/** Ends the pause after a failure. A message that failed still waits for its own next try. */
async function endPause(): Promise<void> {
  await domain.webhookRecords.webhooks.updateMany({}, { $set: { pausedUntil: null, dueAt: new Date() } });
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
