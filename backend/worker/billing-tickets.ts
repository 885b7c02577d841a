/**
 * Agenda as the queue of what is to be done about payments. Not the queue of conversions: a payment
 * does not wait for a place among those.
 */
import type { Job as AgendaJob, JobId } from "agenda";
import type { Connection } from "mongoose";
import { z } from "zod";
import type { BillingQueue, BillingTask, TaskTiming } from "../domain/billing/billing.ts";
import type { Bus } from "../domain/bus.ts";
import { BusNotificationChannel } from "./notification-channel.ts";
import { databaseOf } from "../domain/database/database-of.ts";
import { freePlaces, openAgenda, type TicketSettings } from "./open-agenda.ts";

const TICKET_NAME = "billing";
const TICKET_COLLECTION = "billing_tickets";
const URGENT_PRIORITY = 10;
const USUAL_PRIORITY = 0;
const TicketData = z.object({ kind: z.enum(["event", "account"]), id: z.string() });

export interface BillingTickets extends BillingQueue {
  /** Picks up tickets from now on, at most `concurrency` at a time and one of each task. The handler does not throw. */
  work(handler: (task: BillingTask) => Promise<void>): Promise<void>;
  /** Picks up no more, and waits for what is in hand. */
  stop(): Promise<void>;
}

interface TaskInHand {
  ended: Promise<void>;
  /** Set: it was asked for once more since it was begun. */
  again: { readonly isUrgent: boolean } | null;
}

export async function openBillingTickets(
  connection: Connection,
  bus: Bus,
  settings: TicketSettings,
): Promise<BillingTickets> {
  const named = { ...settings, name: `${settings.name}:billing` };
  const channel = new BusNotificationChannel(bus);
  // A priority only counts before the time when it stands first in the sort.
  const storage = { collection: TICKET_COLLECTION, sort: { priority: "desc", nextRunAt: "asc" } } as const;
  const agenda = await openAgenda(connection, channel, storage, named);
  const collection = databaseOf(connection).collection(TICKET_COLLECTION);
  await collection.createIndex({ "data.id": 1 });
  const freed = freePlaces(agenda, channel, TICKET_NAME, settings.onError);
  /** By task: the last addition under way, so that two at once do not write two tickets. */
  const adding = new Map<string, Promise<void>>();
  const inHand = new Map<string, TaskInHand>();

  /** @returns whether a ticket for this task was waiting, and stands for this request too */
  async function joinWaiting({ kind, id }: BillingTask, runAt: Date, priority: number): Promise<boolean> {
    const waiting = await collection.findOneAndUpdate(
      // Not one in hand, which may have begun too early to see the news, nor one on its way out, which has no time any
      // more.
      { name: TICKET_NAME, "data.kind": kind, "data.id": id, lockedAt: null, nextRunAt: { $ne: null } },
      { $min: { nextRunAt: runAt }, $max: { priority } },
    );
    if (waiting === null) return false;
    await channel.publish({
      jobId: String(waiting._id) as JobId,
      jobName: TICKET_NAME,
      nextRunAt: runAt,
      priority,
      timestamp: new Date(),
    });
    return true;
  }

  async function add(task: BillingTask, { runAtMs, isUrgent = false }: TaskTiming): Promise<void> {
    const runAt = new Date(runAtMs ?? Date.now());
    const priority = isUrgent ? URGENT_PRIORITY : USUAL_PRIORITY;
    if (await joinWaiting(task, runAt, priority)) return;
    const ticket = agenda.create(TICKET_NAME, { kind: task.kind, id: task.id });
    ticket.priority(priority).schedule(runAt);
    await ticket.save();
  }

  async function enqueue(task: BillingTask, timing: TaskTiming = {}): Promise<void> {
    const key = keyOf(task);
    const added = (adding.get(key) ?? Promise.resolve()).then(() => add(task, timing));
    const settled = added.catch(() => undefined);
    adding.set(key, settled);
    try {
      await added;
    } finally {
      if (adding.get(key) === settled) adding.delete(key);
    }
  }

  /** Several places reading one account would keep others waiting for nothing. */
  async function handleAlone(
    task: BillingTask,
    isUrgent: boolean,
    handler: (task: BillingTask) => Promise<void>,
  ): Promise<void> {
    const key = keyOf(task);
    const running = inHand.get(key);
    if (running) {
      running.again = { isUrgent: isUrgent || running.again?.isUrgent === true };
      return;
    }
    const mine: TaskInHand = { ended: Promise.resolve(), again: null };
    inHand.set(key, mine);
    mine.ended = handler(task)
      .finally(() => inHand.delete(key))
      .then(() => (mine.again === null ? undefined : enqueue(task, mine.again)));
    await mine.ended;
  }

  return {
    enqueue,
    async work(handler) {
      agenda.define(
        TICKET_NAME,
        // One parameter, and a promise after all: see the queue of conversions.
        // oxlint-disable-next-line typescript/no-misused-promises
        async (ticket: AgendaJob) => {
          await handleAlone(TicketData.parse(ticket.attrs.data), ticket.attrs.priority === URGENT_PRIORITY, handler);
        },
        { concurrency: settings.concurrency, lockLimit: settings.concurrency, lockLifetime: settings.lockMs },
      );
      await agenda.start();
    },
    async stop() {
      await agenda.stop(false);
      await Promise.all(Array.from(inHand.values(), ({ ended }) => ended));
      await freed.stop();
    },
  };
}

function keyOf({ kind, id }: BillingTask): string {
  return `${kind}:${id}`;
}
