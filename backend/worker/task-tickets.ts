/** A queue of tasks: a task that is queued twice, or again while it runs, has one ticket. */
import type { JobId } from "agenda";
import type { Connection } from "mongoose";
import { z } from "zod";
import type { Bus } from "../domain/bus.ts";
import { InTurn } from "../domain/in-turn.ts";
import type { Task, TaskQueue, TaskTiming } from "../domain/task-queue.ts";
import { openTicketStore, type TicketSettings, type TicketStore } from "./ticket-store.ts";

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
  const store = await openTicketStore(connection, bus, { ...names, key: "id" }, named);
  return new TaskTickets(store, names);
}

export class TaskTickets<Kind extends string> implements TaskQueue<Kind> {
  readonly #store: TicketStore;
  readonly #names: QueueNames<Kind>;
  readonly #data: z.ZodType<Task<Kind>>;
  /** Two additions of a task at the same time do not write two tickets. */
  readonly #adding = new InTurn();
  readonly #running = new Map<string, RunningTask>();

  constructor(store: TicketStore, names: QueueNames<Kind>) {
    this.#store = store;
    this.#names = names;
    this.#data = z.object({ kind: z.literal(names.kinds), id: z.string() });
  }

  enqueue(task: Task<Kind>, timing: TaskTiming = {}): Promise<void> {
    return this.#adding.run(keyOf(task), () => this.#add(task, timing));
  }

  /**
   * Handles tickets from now on, at most `concurrency` at the same time and never two of the same task.
   * @param handler must not throw
   */
  work(handler: Handler<Kind>): Promise<void> {
    return this.#store.work(async ({ attrs: { data, priority } }) => {
      await this.#handleOnce(this.#data.parse(data), priority === URGENT_PRIORITY, handler);
    });
  }

  /** As {@link TicketStore.deleteDone}. */
  deleteDone(before: Date): Promise<number> {
    return this.#store.deleteDone(before);
  }

  /** Takes no more tickets and waits for the tasks that run. */
  async stop(): Promise<void> {
    await this.#store.takeNoMore();
    await Promise.all(Array.from(this.#running.values(), ({ ended }) => ended));
    await this.#store.stop();
  }

  async #add(task: Task<Kind>, { runAtMs, isUrgent = false }: TaskTiming): Promise<void> {
    const runAt = new Date(runAtMs ?? Date.now());
    const priority = isUrgent ? URGENT_PRIORITY : USUAL_PRIORITY;
    if (await this.#mergeIntoWaiting(task, runAt, priority)) return;
    await this.#store.add({ kind: task.kind, id: task.id }, priority, runAt);
  }

  /**
   * Lets a waiting ticket of the same task serve this request too.
   * @returns false when there is none
   */
  async #mergeIntoWaiting({ kind, id }: Task<Kind>, runAt: Date, priority: number): Promise<boolean> {
    const { collection, channel } = this.#store;
    const { ticket } = this.#names;
    const waiting = await collection.findOneAndUpdate(
      // A locked ticket may have begun before this request, and a ticket that is done has no `nextRunAt` any more.
      { name: ticket, "data.kind": kind, "data.id": id, lockedAt: null, nextRunAt: { $ne: null } },
      { $min: { nextRunAt: runAt }, $max: { priority } },
    );
    if (waiting === null) return false;
    await channel.publish({
      jobId: String(waiting._id) as JobId,
      jobName: ticket,
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
