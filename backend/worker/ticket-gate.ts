/**
 * Stands between Agenda and the queue. While it is closed, Agenda finds no ticket to lock in this process. A ticket that
 * Agenda has locked before is still handled, so the gate also knows whether there is one.
 *
 * Agenda may search twice at once, after a poll and when a slot is free, and starts the ticket whose answer comes first.
 * Here one search follows the other, so that it is the ticket with the highest priority.
 */
import type { Agenda, JobId, JobParameters } from "agenda";
import PQueue from "p-queue";
import { onFreedTicket } from "./freed-tickets.ts";

export class TicketGate {
  isClosed = false;
  readonly #lockMs: number;
  readonly #searches = new PQueue({ concurrency: 1 });
  /** When each locked ticket's first lock ends. Agenda drops a ticket without an event whose lock ends before its run. */
  readonly #lockEnds = new Map<JobId, number>();

  /** @param lockMs how long a ticket stays locked if the lock is not renewed */
  constructor(agenda: Agenda, lockMs: number) {
    this.#lockMs = lockMs;
    const repository = agenda.db;
    const find = repository.getNextJobToRun.bind(repository);
    repository.getNextJobToRun = (...args) => this.#searches.add(() => this.#search(() => find(...args)));
    onFreedTicket(agenda, (id) => this.#lockEnds.delete(id));
  }

  /**
   * @returns whether a ticket may come to its handler although the gate is closed. A ticket whose handler has run for
   *   longer than the first lock is not counted: the handler's owner knows of it.
   */
  isTicketComing(): boolean {
    const nowMs = Date.now();
    for (const [id, endMs] of this.#lockEnds) if (endMs < nowMs) this.#lockEnds.delete(id);
    return this.#searches.pending > 0 || this.#lockEnds.size > 0;
  }

  async #search(find: () => Promise<JobParameters | undefined>): Promise<JobParameters | undefined> {
    if (this.isClosed) return undefined;
    const ticket = await find();
    if (ticket?._id) this.#lockEnds.set(ticket._id, Date.now() + this.#lockMs);
    return ticket;
  }
}
