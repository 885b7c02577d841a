import type { Connection } from "mongoose";
import type { Bus } from "../domain/bus.ts";
import type { TicketSettings } from "./ticket-store.ts";
import { openTaskTickets, type TaskTickets } from "./task-tickets.ts";

export type WebhookTickets = TaskTickets<"webhook">;

/** Opens the queue of webhooks that have messages, which is separate so that a slow program delays no conversion. */
export function openWebhookTickets(
  connection: Connection,
  bus: Bus,
  settings: TicketSettings,
): Promise<WebhookTickets> {
  const names = { ticket: "webhook", collection: "webhook_tickets", kinds: ["webhook"] } as const;
  return openTaskTickets(connection, bus, names, settings);
}
