/** A queue of tasks, kept by Agenda in a collection of its own, so that no task waits behind those of another queue. */
import type { Agenda, Job as AgendaJob, JobId } from "agenda";
import type { Connection } from "mongoose";
import { z } from "zod";
import type { Bus } from "../domain/bus.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import type { Task, TaskQueue, TaskTiming } from "../domain/task-queue.ts";
import { BusNotificationChannel } from "./notification-channel.ts";
import {
  deleteDoneTickets,
  indexDoneTickets,
  openAgenda,
  removeDoneTickets,
  stopAgenda,
  type TicketRemoval,
  type TicketSettings,
} from "./open-agenda.ts";

const URGENT_PRIORITY = 10;
const USUAL_PRIORITY = 0;

type Handler<Kind extends string> = (task: Task<Kind>) => Promise<void>;

/** What tells queues apart. */
export interface QueueNames<Kind extends string> {
  /** Of its tickets; no other queue may have the same. */
  readonly ticket: string;
  readonly collection: string;
  readonly kinds: readonly Kind[];
}

export interface TaskTickets<Kind extends string> extends TaskQueue<Kind> {
  /**
   * Handles tickets from now on, at most `concurrency` at the same time and never two of the same task.
   * @param handler must not throw
   */
  work(handler: Handler<Kind>): Promise<void>;
  /**
   * Deletes tickets that were done before a moment and are still there.
   * @returns number of deleted tickets
   */
  deleteDone(before: Date): Promise<number>;
  /** Takes no more tickets and waits for the tasks that run. */
  stop(): Promise<void>;
}

interface RunningTask {
  ended: Promise<void>;
  /** Set when the task was requested again after it had begun: it then runs once more. */
  again: { readonly isUrgent: boolean } | null;
}

export async function openTaskTickets<Kind extends string>(
  connection: Connection,
  bus: Bus,
  names: QueueNames<Kind>,
  settings: TicketSettings,
): Promise<TaskTickets<Kind>> {
  const named = { ...settings, name: `${settings.name}:${names.ticket}` };
  const channel = new BusNotificationChannel(bus);
  // Agenda's default sort puts the time first, and then the priority would hardly ever count.
  const storage = { collection: names.collection, sort: { priority: "desc", nextRunAt: "asc" } } as const;
  const agenda = await openAgenda(connection, channel, storage, named);
  const collection = databaseOf(connection).collection(names.collection);
  await collection.createIndex({ "data.id": 1 });
  await indexDoneTickets(collection);
  const removal = removeDoneTickets(agenda, channel, names.ticket, settings.onError);
  return new AgendaTaskTickets({ names, agenda, channel, collection, removal, settings });
}

interface QueueParts<Kind extends string> {
  readonly names: QueueNames<Kind>;
  readonly agenda: Agenda;
  readonly channel: BusNotificationChannel;
  readonly collection: ReturnType<ReturnType<typeof databaseOf>["collection"]>;
  readonly removal: TicketRemoval;
  readonly settings: TicketSettings;
}

class AgendaTaskTickets<Kind extends string> implements TaskTickets<Kind> {
  readonly #parts: QueueParts<Kind>;
  readonly #data: z.ZodType<Task<Kind>>;
  /** The last addition in progress of each task, so that two at the same time do not write two tickets. */
  readonly #adding = new Map<string, Promise<void>>();
  readonly #running = new Map<string, RunningTask>();

  constructor(parts: QueueParts<Kind>) {
    this.#parts = parts;
    this.#data = z.object({ kind: z.literal(parts.names.kinds), id: z.string() });
  }

  async enqueue(task: Task<Kind>, timing: TaskTiming = {}): Promise<void> {
    const key = keyOf(task);
    const added = (this.#adding.get(key) ?? Promise.resolve()).then(() => this.#add(task, timing));
    const settled = added.catch(() => undefined);
    this.#adding.set(key, settled);
    try {
      await added;
    } finally {
      if (this.#adding.get(key) === settled) this.#adding.delete(key);
    }
  }

  async work(handler: Handler<Kind>): Promise<void> {
    const { agenda, names, settings } = this.#parts;
    agenda.define(
      names.ticket,
      // One parameter only, and a promise in spite of the linter: tickets.ts says why.
      // oxlint-disable-next-line typescript/no-misused-promises
      async (ticket: AgendaJob) => {
        const { data, priority } = ticket.attrs;
        await this.#handleOnce(this.#data.parse(data), priority === URGENT_PRIORITY, handler);
      },
      { concurrency: settings.concurrency, lockLimit: settings.concurrency, lockLifetime: settings.lockMs },
    );
    await agenda.start();
  }

  deleteDone(before: Date): Promise<number> {
    return deleteDoneTickets(this.#parts.collection, before);
  }

  async stop(): Promise<void> {
    const { agenda, removal } = this.#parts;
    await stopAgenda(agenda);
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
    await removal.stop();
  }

  async #add(task: Task<Kind>, { runAtMs, isUrgent = false }: TaskTiming): Promise<void> {
    const runAt = new Date(runAtMs ?? Date.now());
    const priority = isUrgent ? URGENT_PRIORITY : USUAL_PRIORITY;
    if (await this.#mergeIntoWaiting(task, runAt, priority)) return;
    const ticket = this.#parts.agenda.create(this.#parts.names.ticket, { kind: task.kind, id: task.id });
    ticket.priority(priority).schedule(runAt);
    await ticket.save();
  }

  /**
   * Lets a waiting ticket of the same task serve this request too.
   * @returns false when there is none
   */
  async #mergeIntoWaiting({ kind, id }: Task<Kind>, runAt: Date, priority: number): Promise<boolean> {
    const { names, collection, channel } = this.#parts;
    const waiting = await collection.findOneAndUpdate(
      // A locked ticket may have begun before this request, and a ticket that is done has no `nextRunAt` any more.
      { name: names.ticket, "data.kind": kind, "data.id": id, lockedAt: null, nextRunAt: { $ne: null } },
      { $min: { nextRunAt: runAt }, $max: { priority } },
    );
    if (waiting === null) return false;
    await channel.publish({
      jobId: String(waiting._id) as JobId,
      jobName: names.ticket,
      nextRunAt: runAt,
      priority,
      timestamp: new Date(),
    });
    return true;
  }

  /** Runs the task. If it runs already, it runs once more afterwards, and the slot of this ticket is free at once. */
  async #handleOnce(task: Task<Kind>, isUrgent: boolean, handler: Handler<Kind>): Promise<void> {
    const key = keyOf(task);
    const running = this.#running.get(key);
    if (running) {
      running.again = { isUrgent: isUrgent || running.again?.isUrgent === true };
      return;
    }
    const own: RunningTask = { ended: Promise.resolve(), again: null };
    this.#running.set(key, own);
    own.ended = handler(task)
      .finally(() => this.#running.delete(key))
      .then(() => (own.again === null ? undefined : this.enqueue(task, own.again)));
    await own.ended;
  }
}

function keyOf({ kind, id }: Task<string>): string {
  return `${kind}:${id}`;
}
