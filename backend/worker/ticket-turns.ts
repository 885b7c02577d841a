/**
 * Decides which ticket the next free slot of a worker takes. Tickets of the free plan never take all slots, so that a
 * job of Pro does not wait until a job of somebody else has ended. And while links of other sites wait, those of one
 * site take all slots but one, so that a site that does not answer holds up few links but its own.
 */
import type { Agenda, JobId, JobParameters, JobRepository } from "agenda";
import type { Collection } from "mongodb";
import mongoose from "mongoose";
import { z } from "zod";
import { TIERS } from "../../common/tiers.ts";
import { onFreedTicket } from "./freed-tickets.ts";
import { TICKET_ORDER } from "./ticket-store.ts";

/** A quarter of three or more slots, at least one. With fewer, a slot that stays empty would cost too much. */
export function slotsForPro(concurrency: number): number {
  return concurrency < 3 ? 0 : Math.max(1, Math.floor(concurrency / 4));
}

const OF_PRO = { priority: { $gt: TIERS.free.priority } };
const OF_FREE = { priority: { $lte: TIERS.free.priority } };

/** Tickets of an earlier version name no site. */
const OfSite = z.object({ site: z.string().optional() });

interface LockedTicket {
  readonly isFree: boolean;
  readonly site: string | undefined;
}

export interface TicketCollection {
  readonly ticketName: string;
  readonly collection: Collection;
  readonly concurrency: number;
}

type Search = Parameters<JobRepository["getNextJobToRun"]>;

/**
 * Makes Agenda lock tickets in this order. Each search has to see what the one before has locked, so they must follow
 * each other; see TicketGate.
 */
export function takeTurns(agenda: Agenda, { ticketName, collection, concurrency }: TicketCollection): void {
  const slotsForFree = concurrency - slotsForPro(concurrency);
  const locked = new Map<JobId, LockedTicket>();
  let latestSite: string | undefined;
  const repository = agenda.db;
  const find = repository.getNextJobToRun.bind(repository);

  const ofFree = (): LockedTicket[] => [...locked.values()].filter(({ isFree }) => isFree);
  /** @returns the sites that have their share, so that others go first */
  const sitesAtShare = (isPro: boolean): string[] => {
    // A single slot is taken in turn.
    if (concurrency === 1) return latestSite === undefined ? [] : [latestSite];
    const ofAll = withAtLeast(concurrency - 1, [...locked.values()]);
    return isPro ? ofAll : [...ofAll, ...withAtLeast(slotsForFree - 1, ofFree())];
  };
  const othersThan = (sites: readonly string[]) => ({ "data.site": { $nin: sites } });

  const choose = async (...search: Search): Promise<JobParameters | undefined> => {
    const [, scanAt, lockDeadline, now, options] = search;
    const due = dueTickets(ticketName, scanAt, lockDeadline);
    const isWaiting = async (filter: object): Promise<boolean> =>
      (await collection.findOne({ ...due, ...filter }, { projection: { _id: 1 } })) !== null;
    const lock = async (filter: object): Promise<JobParameters | undefined> => {
      const ticket = await collection.findOneAndUpdate(
        { ...due, ...filter },
        { $set: { lockedAt: now ?? new Date(), lastModifiedBy: options?.lastModifiedBy ?? null } },
        { sort: TICKET_ORDER, projection: { _id: 1 } },
      );
      return (ticket && (await repository.getJobById(String(ticket._id)))) ?? undefined;
    };

    const isOthersTurn = async (): Promise<boolean> => {
      const sites = sitesAtShare(false);
      return sites.length > 0 && (await isWaiting(othersThan(sites)));
    };
    if (ofFree().length < slotsForFree && !(await isOthersTurn())) return find(...search);
    await forgetLost(locked, collection, lockDeadline);
    const mayBeFree = ofFree().length < slotsForFree;
    const isPro = await isWaiting(OF_PRO);
    if (!isPro && !mayBeFree) return undefined;
    const ofOthers = await lock({ ...(isPro ? OF_PRO : OF_FREE), ...othersThan(sitesAtShare(isPro)) });
    // Tickets of Pro are sorted first. Another worker may have locked the one that was waiting.
    return ofOthers ?? (mayBeFree ? find(...search) : lock(OF_PRO));
  };

  repository.getNextJobToRun = async (...search) => {
    const ticket = await choose(...search);
    if (!ticket?._id) return ticket;
    latestSite = OfSite.parse(ticket.data).site;
    locked.set(ticket._id, { isFree: ticket.priority <= TIERS.free.priority, site: latestSite });
    return ticket;
  };
  onFreedTicket(agenda, (id) => locked.delete(id));
}

/** @returns sites that have at least so many of the tickets */
function withAtLeast(least: number, tickets: readonly LockedTicket[]): string[] {
  const bySite = Map.groupBy(tickets, ({ site }) => site);
  return [...bySite].flatMap(([site, { length }]) => (site !== undefined && length >= least ? site : []));
}

/**
 * Takes tickets off the list whose lock is over or that are gone. Agenda drops a ticket without an event when its lock
 * ends before a slot is free for it; such a ticket would take up its slot for good, and would never be found again.
 */
async function forgetLost(locked: Map<JobId, LockedTicket>, collection: Collection, lockDeadline: Date): Promise<void> {
  const ids = Array.from(locked.keys(), (id) => new mongoose.mongo.ObjectId(String(id)));
  const held = await collection
    .find({ _id: { $in: ids }, lockedAt: { $gt: lockDeadline } })
    .project({ _id: 1 })
    .toArray();
  const heldIds = new Set(held.map(({ _id }) => String(_id)));
  for (const id of locked.keys()) if (!heldIds.has(String(id))) locked.delete(id);
}

/** Those that could be locked; the conditions are Agenda's. */
function dueTickets(name: string, scanAt: Date, lockDeadline: Date): object {
  return {
    name,
    disabled: { $ne: true },
    $or: [{ lockedAt: null, nextRunAt: { $lte: scanAt } }, { lockedAt: { $lte: lockDeadline } }],
  };
}
