/**
 * The queue of conversions, kept by Agenda. A ticket holds a job's id only; the job itself and whether it may run are
 * the domain's. See DECISION-queue-holds-tickets.md.
 */
import type { Job as AgendaJob } from "agenda";
import type { Connection } from "mongoose";
import { z } from "zod";
import type { Bus } from "../domain/bus.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import type { TicketQueue } from "../domain/domain.ts";
import { BusNotificationChannel } from "./notification-channel.ts";
import { TicketGate } from "./ticket-gate.ts";
import { keepPlacesForPro } from "./places-for-pro.ts";
import {
  deleteDoneTickets,
  indexDoneTickets,
  openAgenda,
  removeDoneTickets,
  stopAgenda,
  type TicketSettings,
} from "./open-agenda.ts";

const TICKET_NAME = "convert";
const TICKET_COLLECTION = "tickets";
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
  const channel = new BusNotificationChannel(bus);
  // Agenda's default sort puts the time first, and then the priority would hardly ever count.
  const storage = { collection: TICKET_COLLECTION, sort: { priority: "desc", nextRunAt: "asc" } } as const;
  const agenda = await openAgenda(connection, channel, storage, settings);
  const collection = databaseOf(connection).collection(TICKET_COLLECTION);
  await collection.createIndex({ "data.jobId": 1 });
  await indexDoneTickets(collection);
  keepPlacesForPro(agenda, { ticketName: TICKET_NAME, collection, concurrency: settings.concurrency });
  const gate = new TicketGate(agenda, settings.lockMs);
  const removal = removeDoneTickets(agenda, channel, TICKET_NAME, settings.onError);

  return {
    async enqueue({ jobId, priority, runAtMs }) {
      const ticket = agenda.create(TICKET_NAME, { jobId });
      ticket.priority(priority).schedule(new Date(runAtMs ?? Date.now()));
      await ticket.save();
    },
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
    deleteDone: (before) => deleteDoneTickets(collection, before),
    async work(handler) {
      // Agenda treats a handler with two parameters as one that calls back, and would wait forever for the call.
      // Its type allows both kinds, so the linter takes the promise for one that is ignored.
      agenda.define(
        TICKET_NAME,
        // oxlint-disable-next-line typescript/no-misused-promises
        async (ticket: AgendaJob) => {
          const { jobId } = TicketData.parse(ticket.attrs.data);
          // Without an argument `touch` would also change the time when the ticket is due.
          await handler({ jobId, renewLock: () => ticket.touch(0) });
        },
        { concurrency: settings.concurrency, lockLimit: settings.concurrency, lockLifetime: settings.lockMs },
      );
      await agenda.start();
    },
    setPaused(isPaused) {
      if (gate.isClosed === isPaused) return;
      gate.isClosed = isPaused;
      if (!isPaused) channel.announceFreeSlot(TICKET_NAME);
    },
    isTicketComing: () => gate.isTicketComing(),
    async stop() {
      await stopAgenda(agenda);
      await removal.stop();
    },
  };
}
