/**
 * Agenda as a queue of tickets. A ticket says no more than which job is waiting; what the job is
 * and whether it may still be worked on is the domain's to say.
 */
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, type Job as AgendaJob } from "agenda";
import type { Connection } from "mongoose";
import { z } from "zod";
import type { Bus } from "../domain/bus.ts";
import type { TicketQueue } from "../domain/domain.ts";
import { BusNotificationChannel } from "./notification-channel.ts";

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

export interface TicketSettings {
  /** Unique among all processes: unnamed instances drop each other's messages. */
  readonly name: string;
  readonly concurrency: number;
  /** How long a ticket stays taken without a touch. */
  readonly lockMs: number;
  /** How often to look for tickets that nobody announced, such as those due later. */
  readonly pollMs: number;
  readonly onError: (error: Error) => void;
}

export async function openTickets(connection: Connection, bus: Bus, settings: TicketSettings): Promise<Tickets> {
  const db = connection.db;
  if (!db) throw new Error("the database connection is not open");
  const channel = new BusNotificationChannel(bus);
  const agenda = new Agenda({
    name: settings.name,
    // A priority only counts before the time when it stands first in the sort.
    backend: new MongoBackend({ mongo: db, collection: TICKET_COLLECTION, sort: { priority: "desc", nextRunAt: "asc" } }),
    notificationChannel: channel,
    processEvery: settings.pollMs,
    maxConcurrency: settings.concurrency,
    // More locks than places would let one worker sit on tickets that another could work on.
    lockLimit: settings.concurrency,
    defaultLockLifetime: settings.lockMs,
    removeOnComplete: true,
  });
  agenda.on("error", settings.onError);
  await agenda.ready;
  const collection = db.collection(TICKET_COLLECTION);
  await collection.createIndex({ "data.jobId": 1 });

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
      // A freed place would otherwise wait for the next poll.
      agenda.on("complete", () => channel.announceFreePlace(TICKET_NAME));
      await agenda.start();
    },
    async stop() {
      await agenda.stop(false);
    },
  };
}
