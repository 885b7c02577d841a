/** A process that is killed during a try, and a program that is dead for long. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { JobMessage } from "../../common/webhook-calls.ts";
import { testDatabaseUri } from "../dev/testing/test-connection.ts";
import type { WebhookOrder } from "../dev/testing/test-webhook-process.ts";
import { DAY_MS, idsOf, QUEUE, webhooksForTests } from "../dev/testing/test-webhooks.ts";
import { createWebhook } from "../domain/webhooks/webhooks.ts";
import { openTickets } from "./tickets.ts";

const bench = webhooksForTests();
const { domain, startProcess, newUser, endJob, untilEnded, allDeliveries, passTime } = bench;

it("goes on in another process when one is killed during a try", async () => {
  bench.program.answerWith("never", 204);
  const next = await startProcess({}, 50);
  const userId = await newUser();
  await createWebhook(next.domain, userId, { url: bench.program.url });
  const jobId = await endJob(next.domain, userId);
  const killed = fork(join(import.meta.dirname, "../dev/testing/test-webhook-process.ts"));
  const exited = once(killed, "exit");
  bench.opened.defer(() => void killed.kill("SIGKILL"));
  killed.send({
    mongodbUri: testDatabaseUri(domain.users.db.name),
    allowedHost: bench.program.host,
  } satisfies WebhookOrder);
  await expect.poll(() => bench.program.messages.length).toBe(1);
  killed.kill("SIGKILL");
  await exited;
  await passTime();
  await next.work();
  expect(await untilEnded(userId)).toMatchObject([{ state: "delivered", tries: 2 }]);
  expect(idsOf(bench.program.messages)).toEqual([`${jobId}.1`, `${jobId}.1`]);
});

it("keeps 1,000 messages for a dead program without holding up others, and sends each once when it recovers", async () => {
  bench.program.answerWith(503);
  const slow = await startProcess({ firstDelayMs: DAY_MS, maxDelayMs: DAY_MS }, 50);
  const userId = await newUser();
  const { id } = await createWebhook(slow.domain, userId, { url: bench.program.url });
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
  const other = new URL("/other", bench.program.url);
  bench.program.answerIf(({ path }) => path === other.pathname, 204);
  const stranger = await newUser();
  await createWebhook(slow.domain, stranger, { url: other.href });
  await endJob(slow.domain, stranger);
  await untilEnded(stranger);
  const conversions = await openTickets(domain.users.db, domain.bus, { ...QUEUE, name: randomUUID() });
  bench.opened.defer(() => conversions.stop());
  const converted = Promise.withResolvers<string>();
  await conversions.work((ticket) => Promise.resolve(converted.resolve(ticket.jobId)));
  await conversions.enqueue({ jobId: "a-conversion", site: "a.example", priority: 0 });
  expect(await converted.promise).toBe("a-conversion");
  // However often the webhook is queued, the dead program is not asked before its time.
  await slow.domain.webhookQueue.enqueue({ kind: "webhook", id });
  await endJob(slow.domain, stranger);
  await untilEnded(stranger);
  const ofDead = () => bench.program.messages.filter(({ path }) => path !== other.pathname);
  expect(idsOf(ofDead())).toEqual([`${jobId}.1`]);

  await worker.stop();
  bench.program.answerWith(204);
  await passTime();
  // All of them would take most of a minute; these are three runs of the queue entry, the last one not full.
  const kept = more.slice(0, 49);
  const dropped = more.slice(49).map(({ _id }) => _id);
  await domain.webhookRecords.deliveries.deleteMany({ _id: { $in: dropped } });
  const recovered = await startProcess();
  await recovered.work();
  await recovered.domain.webhookQueue.enqueue({ kind: "webhook", id });
  await expect.poll(() => domain.webhookRecords.deliveries.countDocuments({ webhookId: id, state: "waiting" })).toBe(0);
  const all = [`${jobId}.1`, ...kept.map(({ messageId }) => messageId)];
  expect(idsOf(ofDead()).slice(1).toSorted()).toEqual(all.toSorted());
  expect(bench.program.mostAtOnce()).toBe(1);
  // The log keeps no texts.
  expect(await domain.webhookRecords.deliveries.countDocuments({ webhookId: id, body: { $exists: true } })).toBe(0);
});
