/**
 * Keeps a share of a worker's slots for Pro: tickets of the free plan never take all of them, so that a job of Pro does
 * not wait until a job of somebody else has ended.
 */
import type { Agenda, JobId, JobParameters, JobRepository } from "agenda";
import type { Collection } from "mongodb";
import mongoose from "mongoose";
import { TIERS } from "../../common/tiers.ts";
import { onFreedTicket } from "./freed-tickets.ts";

/** A quarter of three or more slots, at least one. With fewer, a slot that stays empty would cost too much. */
export function slotsForPro(concurrency: number): number {
  return concurrency < 3 ? 0 : Math.max(1, Math.floor(concurrency / 4));
}

const isFree = ({ priority }: Pick<JobParameters, "priority">): boolean => priority <= TIERS.free.priority;

export interface TicketCollection {
  readonly ticketName: string;
  readonly collection: Collection;
  readonly concurrency: number;
}

/**
 * Makes Agenda lock no more tickets of the free plan at a time than they have slots. Each search has to see what the one
 * before has locked, so they must follow each other; see TicketGate.
 */
export function keepSlotsForPro(agenda: Agenda, { ticketName, collection, concurrency }: TicketCollection): void {
  const kept = slotsForPro(concurrency);
  if (kept === 0) return;
  const locked = new Set<JobId>();
  const repository = agenda.db;
  const find = repository.getNextJobToRun.bind(repository);
  const unlockOne = repository.unlockJob.bind(repository);

  const next: JobRepository["getNextJobToRun"] = async (name, scanAt, lockDeadline, now, options) => {
    if (locked.size >= concurrency - kept) await forgetLost(locked, collection, lockDeadline);
    const mayBeFree = locked.size < concurrency - kept;
    if (!mayBeFree && !(await isProWaiting(collection, ticketName, scanAt, lockDeadline))) return undefined;
    // Tickets of Pro are sorted first.
    const ticket = await find(name, scanAt, lockDeadline, now, options);
    if (!ticket?._id || !isFree(ticket)) return ticket;
    if (mayBeFree) {
      locked.add(ticket._id);
      return ticket;
    }
    // Another worker has locked the ticket of Pro.
    await unlockOne(ticket);
    return undefined;
  };
  repository.getNextJobToRun = next;
  onFreedTicket(agenda, (id) => locked.delete(id));
}

/**
 * Takes tickets off the list whose lock is over or that are gone. Agenda drops a ticket without an event when its lock
 * ends before a slot is free for it; such a ticket would take up its slot for good, and would never be found again.
 */
async function forgetLost(locked: Set<JobId>, collection: Collection, lockDeadline: Date): Promise<void> {
  const ids = [...locked].map((id) => new mongoose.mongo.ObjectId(String(id)));
  const held = await collection
    .find({ _id: { $in: ids }, lockedAt: { $gt: lockDeadline } })
    .project({ _id: 1 })
    .toArray();
  const heldIds = new Set(held.map(({ _id }) => String(_id)));
  for (const id of locked) if (!heldIds.has(String(id))) locked.delete(id);
}

/** Whether a ticket of Pro could be locked; the conditions are those of Agenda. */
async function isProWaiting(collection: Collection, name: string, scanAt: Date, lockDeadline: Date): Promise<boolean> {
  const ticket = await collection.findOne(
    {
      name,
      priority: { $gt: TIERS.free.priority },
      disabled: { $ne: true },
      $or: [{ lockedAt: null, nextRunAt: { $lte: scanAt } }, { lockedAt: { $lte: lockDeadline } }],
    },
    { projection: { _id: 1 } },
  );
  return ticket !== null;
}
