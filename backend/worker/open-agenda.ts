/** What every queue of ours asks of Agenda; which tickets lie in it, and in which order, is each queue's own. */
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, type Job as AgendaJob } from "agenda";
import type { Connection } from "mongoose";
import { databaseOf } from "../domain/database/database-of.ts";
import type { BusNotificationChannel } from "./notification-channel.ts";

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

type Storage = Omit<ConstructorParameters<typeof MongoBackend>[0], "mongo">;

/** Ready to take tickets; it hands none out before it is started. */
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
    // More locks than places would let one worker sit on tickets that another could work on.
    lockLimit: settings.concurrency,
    defaultLockLifetime: settings.lockMs,
    // Agenda would remove a ticket after it has said "complete", with the place still taken: see freePlaces.
    removeOnComplete: false,
  });
  agenda.on("error", settings.onError);
  await agenda.ready;
  return agenda;
}

export interface FreedPlaces {
  /**
   * Waits for removals under way. What ends later may find the database closed, which is then no error: its ticket
   * never runs again.
   */
  stop(): Promise<void>;
}

/** Removes each ticket that is done, and announces its place, so that the next one does not wait for a poll. */
export function freePlaces(
  agenda: Agenda,
  channel: BusNotificationChannel,
  ticketName: string,
  onError: (error: Error) => void,
): FreedPlaces {
  const removals = new Set<Promise<void>>();
  let isStopped = false;
  agenda.on("complete", (ticket: AgendaJob) => {
    const removal = removeDone(ticket)
      .catch((error: unknown) => {
        if (!isStopped) onError(error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => {
        removals.delete(removal);
        channel.announceFreePlace(ticketName);
      });
    removals.add(removal);
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(removals);
    },
  };
}

async function removeDone(ticket: AgendaJob): Promise<void> {
  const { failedAt, nextRunAt } = ticket.attrs;
  if (!failedAt && !nextRunAt) await ticket.remove();
}
