/**
 * Agenda as a queue of tickets. A ticket says no more than which job is waiting; what the job is
 * and whether it may still be worked on is the domain's to say.
 */
import type { Job as AgendaJob } from "agenda";
import type { Connection } from "mongoose";
import { z } from "zod";
import type { Bus } from "../domain/bus.ts";
import type { TicketQueue } from "../domain/domain.ts";
import { BusNotificationChannel } from "./notification-channel.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import { freePlaces, openAgenda, type TicketSettings } from "./open-agenda.ts";

const TICKET_NAME = "convert";
const TICKET_COLLECTION = "tickets";
const TicketData = z.object({ jobId: z.string() });

/** A ticket in hand. */
export interface HeldTicket {
  readonly jobId: string;
  /** Keeps the ticket. Throws when it was taken away, for instance because the job was canceled. */
  touch(): Promise<void>;
}

export interface Tickets extends TicketQueue {
  /** Picks up tickets from now on, at most `concurrency` at a time. */
  work(handler: (ticket: HeldTicket) => Promise<void>): Promise<void>;
  /** Picks up no more. Handlers that run are the caller's to end. */
  stop(): Promise<void>;
}

export async function openTickets(connection: Connection, bus: Bus, settings: TicketSettings): Promise<Tickets> {
  const channel = new BusNotificationChannel(bus);
  // A priority only counts before the time when it stands first in the sort.
  const storage = { collection: TICKET_COLLECTION, sort: { priority: "desc", nextRunAt: "asc" } } as const;
  const agenda = await openAgenda(connection, channel, storage, settings);
  const collection = databaseOf(connection).collection(TICKET_COLLECTION);
  await collection.createIndex({ "data.jobId": 1 });
  const freed = freePlaces(agenda, channel, TICKET_NAME, settings.onError);

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
    async work(handler) {
      // One parameter: a handler with two is taken for one that calls back, and never ends. The
      // type's other half, the one that calls back, is why the linter thinks the promise is lost.
      agenda.define(
        TICKET_NAME,
        // oxlint-disable-next-line typescript/no-misused-promises
        async (ticket: AgendaJob) => {
          const { jobId } = TicketData.parse(ticket.attrs.data);
          // With an argument: without one it would rewrite when the ticket is due.
          await handler({ jobId, touch: () => ticket.touch(0) });
        },
        { concurrency: settings.concurrency, lockLimit: settings.concurrency, lockLifetime: settings.lockMs },
      );
      await agenda.start();
    },
    async stop() {
      await agenda.stop(false);
      await freed.stop();
    },
  };
}
