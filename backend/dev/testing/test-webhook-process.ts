/** Sends messages of webhooks in a process that a test may kill. Start it with `fork` and send it a WebhookOrder. */
import { once } from "node:events";
import mongoose from "mongoose";
import pino from "pino";
import { z } from "zod";
import { HOUR_MS } from "../../../common/durations.ts";
import { parseHostEntry } from "../../../common/hosts.ts";
import { BlockList } from "../../domain/blocks/block-list.ts";
import { createInProcessBus } from "../../domain/bus.ts";
import { openModels } from "../../domain/database/models.ts";
import { DEFAULT_DOMAIN_LIMITS } from "../../domain/limits.ts";
import { SILENT_JOURNAL } from "../../domain/jobs/job-journal.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { openTickets } from "../../worker/tickets.ts";
import { createWebhookSender } from "../../worker/webhook-sender.ts";
import { WEBHOOK_QUEUE, startWebhookWorker } from "../../worker/webhook-worker.ts";
import { openTaskTickets } from "../../worker/task-tickets.ts";

export const WebhookOrder = z.object({ mongodbUri: z.string(), allowedHost: z.string() });
export type WebhookOrder = z.infer<typeof WebhookOrder>;

const [message] = (await once(process, "message")) as [unknown];
const order = WebhookOrder.parse(message);
const connection = await mongoose.createConnection(order.mongodbUri).asPromise();
const bus = createInProcessBus();
const queue = {
  name: "killed",
  concurrency: 1,
  lockMs: HOUR_MS,
  pollMs: 50,
  onError: (error: Error) => {
    throw error;
  },
};
const webhookQueue = await openTaskTickets(connection, bus, WEBHOOK_QUEUE, queue);
const guard = await startEgressGuard({ allow: [] });
await startWebhookWorker(
  {
    ...(await openModels(connection)).stored,
    blocks: new BlockList(),
    accountHooks: [],
    bus,
    journal: SILENT_JOURNAL,
    tickets: await openTickets(connection, bus, queue),
    webhookQueue,
    videoHosts: [],
    limits: DEFAULT_DOMAIN_LIMITS,
    isStored: () => Promise.resolve(false),
    removeFile: () => Promise.resolve(),
  },
  webhookQueue,
  {
    send: createWebhookSender(guard, HOUR_MS, [parseHostEntry(order.allowedHost)]),
    timing: { firstDelayMs: 1, maxDelayMs: 1, giveUpMs: 24 * HOUR_MS, timeoutMs: HOUR_MS },
    sweepMs: HOUR_MS,
    log: pino({ level: "warn" }),
  },
);
