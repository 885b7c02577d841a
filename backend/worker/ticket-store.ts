/** The tickets of one queue, kept by Agenda in a collection of its own, so that none waits behind those of another queue. */
import { MongoBackend } from "@agendajs/mongo-backend";
import { Agenda, type Job as AgendaJob } from "agenda";
import type { Connection } from "mongoose";
import type { Bus } from "../domain/bus.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import { BusNotificationChannel } from "./notification-channel.ts";

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

export interface TicketNames {
  /** No other queue may have the same. */
  readonly ticket: string;
  readonly collection: string;
  /** The field of its data that tells whose it is. */
  readonly key: string;
}

/** Agenda's message about a ticket that was removed when its run began, because a visitor canceled the job just then. */
const REMOVED = /cannot be updated in the database, maybe it does not exist/;

/** Agenda's message about a ticket whose lock was looked at between the end of its run and the write of that end. */
const UNLOCKED = /canceled, no lockedAt date found/;

/** Agenda's own puts the time first, and then the priority would hardly ever count. */
export const TICKET_ORDER = { priority: "desc", nextRunAt: "asc" } as const;

/** Opens the queue: tickets can be added, and are handled once the caller calls `work`. */
export async function openTicketStore(
  connection: Connection,
  bus: Bus,
  names: TicketNames,
  settings: TicketSettings,
): Promise<TicketStore> {
  const collection = databaseOf(connection).collection(names.collection);
  const channel = new BusNotificationChannel(bus);
  const agenda = new Agenda({
    name: settings.name,
    backend: new MongoBackend({
      mongo: databaseOf(connection),
      collection: names.collection,
      sort: TICKET_ORDER,
    }),
    notificationChannel: channel,
    processEvery: settings.pollMs,
    maxConcurrency: settings.concurrency,
    // With a higher limit one worker would lock tickets that another worker could handle.
    lockLimit: settings.concurrency,
    defaultLockLifetime: settings.lockMs,
    // Agenda would remove a ticket after its "complete" event, while its slot is still taken: see TicketStore.
    removeOnComplete: false,
  });
  const store = new TicketStore({ agenda, channel, collection, names, settings });
  await agenda.ready;
  await collection.createIndex({ [`data.${names.key}`]: 1 });
  // For `deleteDone`.
  await collection.createIndex({ lastFinishedAt: 1 });
  return store;
}

interface TicketStoreParts {
  readonly agenda: Agenda;
  readonly channel: BusNotificationChannel;
  readonly collection: ReturnType<ReturnType<typeof databaseOf>["collection"]>;
  readonly names: TicketNames;
  readonly settings: TicketSettings;
}

/** Removes each ticket when it is done and announces its free slot, so that the next one does not wait for a poll. */
export class TicketStore {
  readonly agenda: Agenda;
  readonly channel: BusNotificationChannel;
  readonly collection: TicketStoreParts["collection"];
  readonly #names: TicketNames;
  readonly #settings: TicketSettings;
  readonly #removals = new Set<Promise<void>>();
  /** A look for tickets that is under way may find the database closed; that it fails then is no error. */
  #takesNone = false;
  /** Neither is it one of a late removal, because a ticket that is done never runs again. */
  #isStopped = false;

  constructor({ agenda, channel, collection, names, settings }: TicketStoreParts) {
    this.agenda = agenda;
    this.channel = channel;
    this.collection = collection;
    this.#names = names;
    this.#settings = settings;
    agenda.on("complete", (ticket: AgendaJob) => this.#removeIfDone(ticket));
    agenda.on("error", (error: Error) => this.#onError(error));
  }

  async add(data: Readonly<Record<string, string>>, priority: number, runAt: Date): Promise<void> {
    const ticket = this.agenda.create(this.#names.ticket, data);
    ticket.priority(priority).schedule(runAt);
    await ticket.save();
  }

  /** Handles tickets from now on, at most `concurrency` at the same time. */
  async work(handler: (ticket: AgendaJob) => Promise<void>): Promise<void> {
    const { concurrency, lockMs } = this.#settings;
    this.agenda.define(
      this.#names.ticket,
      // Agenda treats a handler with two parameters as one that calls back, and would wait forever for the call.
      // Its type allows both kinds, so the linter takes the promise for one that is ignored.
      // oxlint-disable-next-line typescript/no-misused-promises
      (ticket: AgendaJob) => handler(ticket),
      { concurrency, lockLimit: concurrency, lockLifetime: lockMs },
    );
    await this.agenda.start();
  }

  /**
   * Deletes tickets that are done but were not removed, because they failed or because their worker died just then.
   * @param before tickets that ended later are kept
   * @returns number of deleted tickets
   */
  async deleteDone(before: Date): Promise<number> {
    const { deletedCount } = await this.collection.deleteMany({
      lastFinishedAt: { $lte: before },
      nextRunAt: null,
      lockedAt: null,
    });
    return deletedCount;
  }

  /** Takes no more tickets. Handlers that run go on. */
  async takeNoMore(): Promise<void> {
    if (this.#takesNone) return;
    this.#takesNone = true;
    await this.agenda.stop(false);
  }

  /** Also waits for removals in progress. */
  async stop(): Promise<void> {
    await this.takeNoMore();
    this.#isStopped = true;
    await Promise.all(this.#removals);
  }

  #removeIfDone(ticket: AgendaJob): void {
    const { failedAt, nextRunAt } = ticket.attrs;
    const removal = (failedAt || nextRunAt ? Promise.resolve() : ticket.remove())
      .then(
        () => undefined,
        (error: unknown) => {
          if (!this.#isStopped) this.#settings.onError(error instanceof Error ? error : new Error(String(error)));
        },
      )
      .finally(() => {
        this.#removals.delete(removal);
        this.channel.announceFreeSlot(this.#names.ticket);
      });
    this.#removals.add(removal);
  }

  #onError(error: Error): void {
    // Such a run ends without a "complete" event.
    if (REMOVED.test(error.message)) this.channel.announceFreeSlot(this.#names.ticket);
    else if (!this.#takesNone && !UNLOCKED.test(error.message)) this.#settings.onError(error);
  }
}
