/**
 * Stands between Agenda and the queue. While it is closed, Agenda finds no ticket to lock in this process. A ticket that
 * Agenda has locked before is still handled, so the gate also knows whether there is one.
 */
import type { Agenda, JobId, JobParameters } from "agenda";
import { onFreedTicket } from "./freed-tickets.ts";

export class TicketGate {
  isClosed = false;
  readonly #lockMs: number;
  #searches = 0;
  /** When each locked ticket's first lock ends. Agenda drops a ticket without an event whose lock ends before its run. */
  readonly #lockEnds = new Map<JobId, number>();

  /** @param lockMs how long a ticket stays locked if the lock is not renewed */
  constructor(agenda: Agenda, lockMs: number) {
    this.#lockMs = lockMs;
    const repository = agenda.db;
    const find = repository.getNextJobToRun.bind(repository);
    repository.getNextJobToRun = (...args) =>
      this.isClosed ? Promise.resolve(undefined) : this.#search(() => find(...args));
    onFreedTicket(agenda, (id) => this.#lockEnds.delete(id));
  }

  /**
   * @returns whether a ticket may come to its handler although the gate is closed. A ticket whose handler has run for
   *   longer than the first lock is not counted: the handler's owner knows of it.
   */
  isTicketComing(): boolean {
    const nowMs = Date.now();
    for (const [id, endMs] of this.#lockEnds) if (endMs < nowMs) this.#lockEnds.delete(id);
    return this.#searches > 0 || this.#lockEnds.size > 0;
  }

  async #search(find: () => Promise<JobParameters | undefined>): Promise<JobParameters | undefined> {
    this.#searches += 1;
    try {
      const ticket = await find();
      if (ticket?._id) this.#lockEnds.set(ticket._id, Date.now() + this.#lockMs);
      return ticket;
    } finally {
      this.#searches -= 1;
    }
  }
}
