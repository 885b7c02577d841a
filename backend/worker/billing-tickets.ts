import type { Connection } from "mongoose";
import type { BillingTask } from "../domain/billing/billing.ts";
import type { Bus } from "../domain/bus.ts";
import type { TicketSettings } from "./ticket-store.ts";
import { openTaskTickets, type TaskTickets } from "./task-tickets.ts";

export type BillingTickets = TaskTickets<BillingTask["kind"]>;

/** Opens the queue of billing tasks, which is separate so that a payment never waits behind conversions. */
export function openBillingTickets(
  connection: Connection,
  bus: Bus,
  settings: TicketSettings,
): Promise<BillingTickets> {
  const names = { ticket: "billing", collection: "billing_tickets", kinds: ["event", "account"] } as const;
  return openTaskTickets(connection, bus, names, settings);
}
