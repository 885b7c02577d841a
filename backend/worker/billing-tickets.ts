/**
 * Agenda as the queue of what is to be done about payments. Not the queue of conversions: a payment
 * does not wait for a place among those.
 */
import type { Job as AgendaJob } from "agenda";
import type { Connection } from "mongoose";
import { z } from "zod";
import type { BillingQueue, BillingTask } from "../domain/billing/billing.ts";
import type { Bus } from "../domain/bus.ts";
import { BusNotificationChannel } from "./notification-channel.ts";
import { openAgenda, type TicketSettings } from "./open-agenda.ts";

const TICKET_NAME = "billing";
const TICKET_COLLECTION = "billing_tickets";
const TicketData = z.object({ kind: z.enum(["event", "account"]), id: z.string() });

export interface BillingTickets extends BillingQueue {
  /** Picks up tickets from now on, at most `concurrency` at a time. The handler does not throw. */
  work(handler: (task: BillingTask) => Promise<void>): Promise<void>;
  /** Picks up no more, and waits for what is in hand. */
  stop(): Promise<void>;
}

export async function openBillingTickets(connection: Connection, bus: Bus, settings: TicketSettings): Promise<BillingTickets> {
  const named = { ...settings, name: `${settings.name}:billing` };
  const agenda = await openAgenda(connection, new BusNotificationChannel(bus), { collection: TICKET_COLLECTION }, named);
  const inHand = new Set<Promise<void>>();

  return {
    async enqueue(task, runAtMs) {
      const ticket = agenda.create(TICKET_NAME, { kind: task.kind, id: task.id });
      ticket.schedule(new Date(runAtMs ?? Date.now()));
      await ticket.save();
    },
    async work(handler) {
      agenda.define(
        TICKET_NAME,
        // One parameter, and a promise after all: see the queue of conversions.
        // oxlint-disable-next-line typescript/no-misused-promises
        async (ticket: AgendaJob) => {
          const handled = handler(TicketData.parse(ticket.attrs.data));
          inHand.add(handled);
          await handled.finally(() => inHand.delete(handled));
        },
        { concurrency: settings.concurrency, lockLimit: settings.concurrency, lockLifetime: settings.lockMs },
      );
      await agenda.start();
    },
    async stop() {
      await agenda.stop(false);
      await Promise.all(inHand);
    },
  };
}
