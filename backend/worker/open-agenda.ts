/** What every queue of ours asks of Agenda; which tickets lie in it, and in which order, is each queue's own. */
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda } from "agenda";
import type { Connection } from "mongoose";
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

/** The database that a connection is open to. Throws Error when it is not. */
export function openDatabase(connection: Connection): NonNullable<Connection["db"]> {
  if (!connection.db) throw new Error("the database connection is not open");
  return connection.db;
}

type Storage = Omit<ConstructorParameters<typeof MongoBackend>[0], "mongo">;

/** Ready to take tickets; it hands none out before it is started. */
export async function openAgenda(connection: Connection, channel: BusNotificationChannel, storage: Storage, settings: TicketSettings): Promise<Agenda> {
  const agenda = new Agenda({
    name: settings.name,
    backend: new MongoBackend({ mongo: openDatabase(connection), ...storage }),
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
  return agenda;
}
