/** Sends the messages of webhooks, and finds those whose queue entry was lost. */
import type { Logger } from "pino";
import type { Domain } from "../domain/domain.ts";
import { every } from "../domain/every.ts";
import { announceMissedEnds } from "../domain/webhooks/announce-end.ts";
import {
  claimLostWebhooks,
  deleteOldDeliveries,
  deliverMessages,
  type Delivering,
} from "../domain/webhooks/deliver.ts";
import type { TaskTickets } from "./task-tickets.ts";
import { DONE_TICKET_MS } from "./ticket-store.ts";
import type { Worker } from "./worker.ts";

/** A queue of its own, so that a slow program delays no conversion. */
export const WEBHOOK_QUEUE = { ticket: "webhook", collection: "webhook_tickets", kinds: ["webhook"] } as const;

export interface WebhookWorkerSettings extends Omit<Delivering, "signal"> {
  /** Interval between checks for messages that were not written or not sent. */
  readonly sweepMs: number;
  readonly log: Logger;
}

/** Starts to send messages. */
export async function startWebhookWorker(
  domain: Domain,
  tickets: TaskTickets<"webhook">,
  { sweepMs, log, ...delivering }: WebhookWorkerSettings,
): Promise<Worker> {
  const stopping = new AbortController();

  async function sweep(): Promise<void> {
    await announceMissedEnds(domain);
    for (const id of await claimLostWebhooks(domain)) await tickets.enqueue({ kind: "webhook", id });
    await deleteOldDeliveries(domain);
    await tickets.deleteDone(new Date(Date.now() - DONE_TICKET_MS));
  }

  await tickets.work(({ id }) =>
    deliverMessages(domain, id, { ...delivering, signal: stopping.signal }).catch((error: unknown) =>
      log.error({ error, webhook: id }, "messages could not be sent; the sweeper retries them"),
    ),
  );
  const sweeping = every(sweepMs, sweep, (error) => log.error({ error }, "the sweep of webhooks failed"));
  return {
    async stop() {
      stopping.abort();
      await tickets.stop();
      await sweeping.stop();
    },
  };
}
