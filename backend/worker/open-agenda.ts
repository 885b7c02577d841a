/** What all our queues configure alike in Agenda. Each queue defines its own tickets and their order. */
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, type Job as AgendaJob } from "agenda";
import type { Connection } from "mongoose";
import { databaseOf } from "../domain/database/database-of.ts";
import type { BusNotificationChannel } from "./notification-channel.ts";

/** A ticket is removed when it is done. One that failed, or whose worker died just then, is kept for this long. */
export const DONE_TICKET_MS = 24 * 60 * 60 * 1_000;

export interface TicketSettings {
  /** Unique among all processes: instances of the same name ignore each other's notifications. */
  readonly name: string;
  readonly concurrency: number;
  /** How long a ticket stays locked if the lock is not renewed. */
  readonly lockMs: number;
  /** Interval between checks for due tickets without a notification, such as those that were scheduled for later. */
  readonly pollMs: number;
  readonly onError: (error: Error) => void;
}

type Storage = Omit<ConstructorParameters<typeof MongoBackend>[0], "mongo">;

/** Agenda's message about a ticket that was removed when its run began, because a visitor canceled the job just then. */
const REMOVED = /cannot be updated in the database, maybe it does not exist/;

/** Agenda's message about a ticket whose lock was looked at between the end of its run and the write of that end. */
const UNLOCKED = /canceled, no lockedAt date found/;

/** Agendas whose look for tickets may find the database closed. */
const stopped = new WeakSet<Agenda>();

/** Opens Agenda without starting it: tickets can be added, and are handled once the caller calls `start`. */
export async function openAgenda(
  connection: Connection,
  channel: BusNotificationChannel,
  storage: Storage,
  settings: TicketSettings,
): Promise<Agenda> {
  const agenda = new Agenda({
    name: settings.name,
    backend: new MongoBackend({ mongo: databaseOf(connection), ...storage }),
    notificationChannel: channel,
    processEvery: settings.pollMs,
    maxConcurrency: settings.concurrency,
    // With a higher limit one worker would lock tickets that another worker could handle.
    lockLimit: settings.concurrency,
    defaultLockLifetime: settings.lockMs,
    // Agenda would remove a ticket after its "complete" event, while its slot is still taken: see removeDoneTickets.
    removeOnComplete: false,
  });
  agenda.on("error", (error: Error) => {
    if (stopped.has(agenda)) return;
    if (!REMOVED.test(error.message) && !UNLOCKED.test(error.message)) settings.onError(error);
  });
  await agenda.ready;
  return agenda;
}

/** Takes no more tickets. A look for tickets that is under way goes on; that it fails then is no error. */
export async function stopAgenda(agenda: Agenda): Promise<void> {
  stopped.add(agenda);
  await agenda.stop(false);
}

export interface TicketRemoval {
  /**
   * Waits for removals in progress. A later removal may find the database closed; that is no error, because a ticket
   * that is done never runs again.
   */
  stop(): Promise<void>;
}

/** Removes each ticket when it is done and announces its free slot, so that the next one does not wait for a poll. */
export function removeDoneTickets(
  agenda: Agenda,
  channel: BusNotificationChannel,
  ticketName: string,
  onError: (error: Error) => void,
): TicketRemoval {
  const removals = new Set<Promise<void>>();
  let isStopped = false;
  agenda.on("complete", (ticket: AgendaJob) => {
    const removal = removeIfDone(ticket)
      .catch((error: unknown) => {
        if (!isStopped) onError(error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => {
        removals.delete(removal);
        channel.announceFreeSlot(ticketName);
      });
    removals.add(removal);
  });
  // Such a run ends without a "complete" event.
  agenda.on("error", ({ message }: Error) => {
    if (REMOVED.test(message)) channel.announceFreeSlot(ticketName);
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(removals);
    },
  };
}

type TicketCollection = ReturnType<ReturnType<typeof databaseOf>["collection"]>;

/** Creates the index that {@link deleteDoneTickets} needs. */
export async function indexDoneTickets(collection: TicketCollection): Promise<void> {
  await collection.createIndex({ lastFinishedAt: 1 });
}

/**
 * Deletes tickets that are done but were not removed, because they failed or because their worker died just then.
 * @param before tickets that ended later are kept
 * @returns number of deleted tickets
 */
export async function deleteDoneTickets(collection: TicketCollection, before: Date): Promise<number> {
  const { deletedCount } = await collection.deleteMany({
    lastFinishedAt: { $lte: before },
    nextRunAt: null,
    lockedAt: null,
  });
  return deletedCount;
}

async function removeIfDone(ticket: AgendaJob): Promise<void> {
  const { failedAt, nextRunAt } = ticket.attrs;
  if (!failedAt && !nextRunAt) await ticket.remove();
}
