/**
 * Messages to webhooks with real parts: database, queue, egress guard, and a program that fails and recovers. A killed
 * process and a long backlog are in webhook-worker.full.test.ts.
 */
import type { lookup, LookupAddress } from "node:dns";
import { Stripe } from "stripe";
import { expect, it } from "vitest";
import { parseHostEntry } from "../../common/hosts.ts";
import { JobMessage } from "../../common/webhook-calls.ts";
import { startMessageReceiver } from "../dev/testing/message-receiver.ts";
import { DAY_MS, idsOf, webhooksForTests } from "../dev/testing/test-webhooks.ts";
import { announceMissedEnds } from "../domain/webhooks/announce-end.ts";
import { claimLostWebhooks, deleteOldDeliveries } from "../domain/webhooks/deliver.ts";
import { parseWebhookAddress } from "../domain/webhooks/address.ts";
import type { StoredWebhook } from "../domain/webhooks/webhook-model.ts";
import { createWebhook, listWebhooks } from "../domain/webhooks/webhooks.ts";
import { startEgressGuard } from "../pipeline/guard/egress-guard.ts";
import { createWebhookSender } from "./webhook-sender.ts";

const bench = webhooksForTests();
const { domain, startProcess, newUser, endJob, logOf, untilEnded, allDeliveries, passTime } = bench;

it("sends a message again until the program takes it, signed so that Stripe's own library accepts it", async () => {
  bench.program.answerWith(503, 500, 200);
  const process = await startProcess();
  await process.work();
  const userId = await newUser();
  const { secret } = await createWebhook(process.domain, userId, { url: bench.program.url });
  const jobId = await endJob(process.domain, userId);
  expect(await untilEnded(userId)).toMatchObject([
    { id: `${jobId}.1`, type: "job.failed", state: "delivered", tries: 3, status: 200, nextTryAt: null },
  ]);
  expect(idsOf(bench.program.messages)).toEqual([`${jobId}.1`, `${jobId}.1`, `${jobId}.1`]);
  const stripe = new Stripe("sk_test_unused");
  for (const { body, signature, headers } of bench.program.messages) {
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
  bench.program.answerWith("never");
  const hasty = await startProcess({ timeoutMs: 100, firstDelayMs: DAY_MS, maxDelayMs: DAY_MS });
  const worker = await hasty.work();
  const userId = await newUser();
  await createWebhook(hasty.domain, userId, { url: bench.program.url });
  await endJob(hasty.domain, userId);
  await expect.poll(() => logOf(userId)).toMatchObject([{ state: "waiting", tries: 1, problem: "too_slow" }]);
  const [waiting] = await logOf(userId);
  expect(Date.parse(waiting?.nextTryAt ?? "")).toBeGreaterThan(Date.now());
  await worker.stop();
  bench.program.answerWith(204);
  await passTime();
  const patient = await startProcess();
  await patient.work();
  await patient.domain.webhookQueue.enqueue({ kind: "webhook", id: await onlyWebhook() });
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 2, status: 204, problem: null }]);
});

it("does not follow a redirect", async () => {
  await using secretPlace = await startMessageReceiver();
  bench.program.answerWith({ redirectTo: secretPlace.url }, 204);
  const process = await startProcess();
  await process.work();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
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

it("does not contact a private host that the operator allowed for videos", async () => {
  await using guard = await startEgressGuard({ allow: [parseHostEntry(bench.program.host)] });
  const send = createWebhookSender(guard, 30_000);
  expect(await send({ url: bench.program.url, body: "{}", headers: {} })).toEqual({ problem: "refused_address" });
  expect(bench.program.messages).toEqual([]);
});

it.each([
  "https://[::ffff:127.0.0.1]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://[2002:7f00:1::]/",
  "https://2130706433/",
  "https://0177.1/",
  "https://127.1/",
  "https://0/",
  "https://localhost./",
  "https://169.254.169.254/",
  // A name of anybody, which may have led elsewhere when the webhook was made.
  "https://rebound.evil.example/",
])("contacts no private address by %s", async (url) => {
  const toThisMachine = (_: string, __: object, done: (error: null, found: LookupAddress[]) => void): void =>
    done(null, [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ]);
  await using guard = await startEgressGuard({ allow: [], resolve: toThisMachine as typeof lookup });
  const send = createWebhookSender(guard, 30_000);
  expect(await send({ url: parseWebhookAddress(url), body: "{}", headers: {} })).toEqual({
    problem: "refused_address",
  });
});

it("reads the status of an answer that does not end", async () => {
  bench.program.answerWith("endless");
  const process = await startProcess();
  await process.work();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
  await endJob(process.domain, userId);
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 1, status: 200 }]);
});

it("turns a webhook off that answers 410, and sends it no more", async () => {
  bench.program.answerWith(410);
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
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
  expect(bench.program.messages).toHaveLength(1);
});

it("gives up after a day, and turns a webhook off that has taken nothing in it", async () => {
  bench.program.answerWith(500);
  const process = await startProcess({ firstDelayMs: DAY_MS, maxDelayMs: DAY_MS });
  await process.work();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
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
  await createWebhook(process.domain, userId, { url: bench.program.url });
  const bad = await endJob(process.domain, userId);
  const good = await endJob(process.domain, userId);
  bench.program.answerIf(({ id }) => id === `${bad}.1`, 500);
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
  const { id } = await createWebhook(process.domain, userId, { url: bench.program.url });
  const bad = `${await endJob(process.domain, userId)}.1`;
  bench.program.answerIf((message) => message.id === bad, 500);
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
  bench.program.answerWith(503, 204);
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
  const yesterday = new Date(Date.now() - DAY_MS);
  await domain.webhookRecords.webhooks.updateOne({}, { $set: { failures: 20, failingSince: yesterday } });
  await endJob(process.domain, userId);
  await process.work();
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 2 }]);
  expect(await listWebhooks(domain, userId)).toMatchObject([{ disabledReason: null }]);
});

it("stays on when a message fails for the first time after the server was off for a day", async () => {
  bench.program.answerWith(500);
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
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
  bench.program.answerWith("never", 204);
  const one = await startProcess();
  const worker = await one.work();
  const userId = await newUser();
  await createWebhook(one.domain, userId, { url: bench.program.url });
  await endJob(one.domain, userId);
  await expect.poll(() => bench.program.messages.length).toBe(1);
  await worker.stop();
  expect(await logOf(userId)).toMatchObject([{ state: "waiting", tries: 0 }]);
  await (await startProcess()).work();
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 1 }]);
});

it("writes the message of a job whose worker was killed when it had just ended", async () => {
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
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
  expect(bench.program.messages).toHaveLength(1);
});

it("sends each message once with two processes, however often a webhook is queued", async () => {
  const processes = [await startProcess(), await startProcess()];
  const [one, two] = processes;
  if (!one || !two) throw new Error("two processes were started");
  const userId = await newUser();
  await createWebhook(one.domain, userId, { url: bench.program.url });
  await Promise.all(processes.map((process) => process.work()));
  const jobs = await Promise.all(
    Array.from({ length: 10 }, (_, index) => endJob(index % 2 === 0 ? one.domain : two.domain, userId)),
  );
  await untilEnded(userId);
  expect(idsOf(bench.program.messages).toSorted()).toEqual(jobs.map((id) => `${id}.1`).toSorted());
});

it("sends nothing for jobs of strangers, of visitors who are not signed in, and of webhooks that were off", async () => {
  const process = await startProcess();
  const userId = await newUser();
  const { id } = await createWebhook(process.domain, userId, { url: bench.program.url });
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
  const oldest = await createWebhook(process.domain, userId, { url: bench.program.url });
  await createWebhook(process.domain, userId, { url: bench.program.url });
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
  await createWebhook(process.domain, userId, { url: bench.program.url });
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

it("finds a webhook whose ticket was lost, once", async () => {
  const process = await startProcess();
  const userId = await newUser();
  await createWebhook(process.domain, userId, { url: bench.program.url });
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
