/**
 * The queue of conversions, kept by Agenda. A ticket holds a job's id and what its turn depends on; the job itself and
 * whether it may run are the domain's. See DECISION-queue-holds-tickets.md.
 */
import type { Connection } from "mongoose";
import { z } from "zod";
import type { Bus } from "../domain/bus.ts";
import type { TicketQueue } from "../domain/domain.ts";
import { TicketGate } from "./ticket-gate.ts";
import { openTicketStore, type TicketSettings } from "./ticket-store.ts";
import { takeTurns } from "./ticket-turns.ts";

const TICKET_NAME = "convert";
const TicketData = z.object({ jobId: z.string() });

/** A ticket that this worker has locked, so that no other worker gets it. */
export interface LockedTicket {
  readonly jobId: string;
  /** @throws when the ticket is gone, for example because the job was canceled */
  renewLock(): Promise<void>;
}

export interface Tickets extends TicketQueue {
  /** Handles tickets from now on, at most `concurrency` at the same time. */
  work(handler: (ticket: LockedTicket) => Promise<void>): Promise<void>;
  /** While paused, this process picks up no tickets, neither before nor after `work`. Handlers that run go on. */
  setPaused(isPaused: boolean): void;
  /** @returns whether a ticket that was locked before the pause may still come to its handler */
  isTicketComing(): boolean;
  /** Takes no more tickets. The caller ends the handlers that still run. */
  stop(): Promise<void>;
}

export async function openTickets(connection: Connection, bus: Bus, settings: TicketSettings): Promise<Tickets> {
  const names = { ticket: TICKET_NAME, collection: "tickets", key: "jobId" };
  const store = await openTicketStore(connection, bus, names, settings);
  const { agenda, channel, collection } = store;
  // While a site has its share of slots, tickets of others are looked for.
  await collection.createIndex({ "data.site": 1 });
  takeTurns(agenda, { ticketName: TICKET_NAME, collection, concurrency: settings.concurrency });
  const gate = new TicketGate(agenda, settings.lockMs);

  return {
    enqueue: ({ jobId, site, priority, runAtMs }) =>
      store.add({ jobId, site }, priority, new Date(runAtMs ?? Date.now())),
    async remove(jobId) {
      await collection.deleteMany({ name: TICKET_NAME, "data.jobId": jobId });
    },
    async withoutTicket(jobIds) {
      const found = await collection
        .find({ name: TICKET_NAME, "data.jobId": { $in: [...jobIds] } })
        .project({ "data.jobId": 1 })
        .toArray();
      const withTicket = new Set(found.map((document) => TicketData.parse(document["data"]).jobId));
      return jobIds.filter((id) => !withTicket.has(id));
    },
    deleteDone: (before) => store.deleteDone(before),
    work: (handler) =>
      store.work(async (ticket) => {
        const { jobId } = TicketData.parse(ticket.attrs.data);
        // Without an argument `touch` would also change the time when the ticket is due.
        await handler({ jobId, renewLock: () => ticket.touch(0) });
      }),
    setPaused(isPaused) {
      if (gate.isClosed === isPaused) return;
      gate.isClosed = isPaused;
      if (!isPaused) channel.announceFreeSlot(TICKET_NAME);
    },
    isTicketComing: () => gate.isTicketComing(),
    stop: () => store.stop(),
  };
}
