import { within } from "../../common/waiting.ts";
import type { HeldJob } from "../domain/jobs/job-model.ts";
import { reclaimJobIfLost } from "../domain/jobs/maintenance.ts";
import { claimJob, failJob, handBack, mustRunAlone, renewLease } from "../domain/jobs/work.ts";
import { Conversion } from "./conversion.ts";
import type { JobContext } from "./job-context.ts";
import { SharedExclusiveLock } from "./shared-exclusive-lock.ts";
import type { LockedTicket } from "./tickets.ts";

export interface StopSettings {
  /** Running conversions get this much time to finish. Default: none. */
  readonly drainMs?: number;
  /** The process ends after an uncaught error, which one of its jobs may have caused: each job counts a death. */
  readonly isCrashing?: boolean;
}

/** Handles tickets: claims the job, then lets it join a running conversion of the same file or begins a new one. */
export class Runner {
  readonly #context: JobContext;
  readonly #workerId: string;
  /** By conversion key, so that jobs for the same file share one conversion. */
  readonly #conversions = new Map<string, Conversion>();
  /** Claimed jobs that wait until the conversion of the same file has ended, which takes no more jobs. */
  readonly #waiting = new Set<HeldJob>();
  readonly #tickets = new Set<LockedTicket>();
  /** Tickets whose lock has not been lost. */
  readonly #renewableTickets = new Set<LockedTicket>();
  readonly #handling = new Set<Promise<void>>();
  /** Attempts, by {@link attemptKey}, that were canceled after their claim and before their conversion. */
  readonly #canceled = new Set<string>();
  /** Held exclusively by a job that must run alone. */
  readonly #isolation = new SharedExclusiveLock();
  readonly #unsubscribe: readonly (() => void)[];
  #isStopping = false;

  /** @param workerId unique among all processes */
  constructor(context: JobContext, workerId: string) {
    this.#context = context;
    this.#workerId = workerId;
    const { bus } = context.domain;
    this.#unsubscribe = [
      bus.subscribe("job:stop", ({ id, attempt }) => this.#cancel(id, attempt)),
      bus.subscribe("job:adopted", ({ id, userId }) => {
        for (const conversion of this.#conversions.values()) conversion.adopt(id, userId);
      }),
    ];
  }

  /** Resolves when the conversion of the ticket's job has ended, or waits for another worker. Never rejects. */
  async handle(ticket: LockedTicket): Promise<void> {
    const handled = this.#handle(ticket);
    this.#handling.add(handled);
    await handled;
    this.#handling.delete(handled);
  }

  /** Extends the leases of all claimed jobs and the locks of their tickets. Drops jobs that were lost. */
  async heartbeat(): Promise<void> {
    const tickets = Array.from(this.#renewableTickets, (ticket) => this.#renewLock(ticket));
    await Promise.all([this.#renewLeases(), ...tickets]);
  }

  /** @returns the number of conversions of this process, those included that wait for another worker */
  runningCount(): number {
    return this.#conversions.size;
  }

  /** @returns whether there is a conversion here, or a ticket whose job is about to be claimed */
  isBusy(): boolean {
    return this.#conversions.size > 0 || this.#tickets.size > 0;
  }

  /**
   * Accepts no new jobs, lets running conversions finish within `drainMs`, and aborts the others.
   * Resolves when all claimed jobs have ended or are back in the queue and no tool runs any more.
   */
  async stop({ drainMs = 0, isCrashing = false }: StopSettings = {}): Promise<void> {
    this.#isStopping = true;
    if (drainMs > 0) {
      const running = Array.from(this.#conversions.values(), ({ done }) => done);
      await within(drainMs, Promise.allSettled(running));
    }
    const conversions = [...this.#conversions.values()];
    for (const conversion of conversions) conversion.stop(isCrashing);
    await Promise.all(conversions.map(({ done }) => done));
    // Jobs that were being claimed are requeued by their handlers.
    await Promise.all(this.#handling);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #cancel(jobId: string, attempt: number): void {
    if ([...this.#tickets].some((ticket) => ticket.jobId === jobId)) this.#canceled.add(attemptKey(jobId, attempt));
    for (const conversion of this.#conversions.values()) conversion.cancel(jobId, attempt);
  }

  async #handle(ticket: LockedTicket): Promise<void> {
    this.#tickets.add(ticket);
    this.#renewableTickets.add(ticket);
    try {
      await this.#claimAndServe(ticket.jobId);
    } catch (error) {
      this.#context.log.error({ error, jobId: ticket.jobId }, "could not handle a ticket");
    } finally {
      this.#tickets.delete(ticket);
      this.#renewableTickets.delete(ticket);
      for (const key of this.#canceled) if (key.startsWith(ticket.jobId)) this.#canceled.delete(key);
    }
  }

  async #claimAndServe(jobId: string): Promise<void> {
    const { domain } = this.#context;
    // After a pause of the whole machine this worker's own leases look expired, so they are renewed first.
    const now = new Date();
    await this.#renewLeases();
    // When a ticket's lock has expired, another worker gets the ticket, but the job is still claimed by the first one.
    await reclaimJobIfLost(domain, jobId, now);
    using slot = new DisposableStack();
    // The lock is acquired before the claim, so that a waiting job does not count a death of this process.
    const queued = await domain.jobs.findById(jobId).select({ workerDeaths: 1 }).lean<Pick<HeldJob, "workerDeaths">>();
    const isExclusive = mustRunAlone(queued ?? {});
    slot.use(await this.#isolation.acquire(isExclusive));
    const job = await claimJob(domain, jobId, this.#workerId);
    if (!job) return;
    const refusal = domain.blocks.refusalOf(job);
    if (refusal) {
      await failJob(domain, job, refusal.code, { message: refusal.message, reason: refusal.reason });
      return;
    }
    // Another worker has died with this job meanwhile; the next ticket acquires the other kind of lock.
    if (mustRunAlone(job) !== isExclusive) await handBack(domain, job);
    else await this.#serve(job, slot);
  }

  /** @param slot disposed of when this ends, or, if a conversion is begun, when that has ended */
  async #serve(job: HeldJob, slot: DisposableStack): Promise<void> {
    for (;;) {
      if (this.#isStopping) {
        await handBack(this.#context.domain, job);
        return;
      }
      const current = this.#conversions.get(job.conversionKey);
      if (!current) return this.#begin(job, slot);
      if (current.join(job)) return;
      // The conversion is ending. After that its file can be reused, or a new conversion may begin.
      this.#waiting.add(job);
      await current.done;
      this.#waiting.delete(job);
    }
  }

  async #begin(job: HeldJob, slot: DisposableStack): Promise<void> {
    if (this.#canceled.has(attemptKey(job._id, job.attempt))) {
      this.#context.domain.journal.left(job);
      return;
    }
    const conversion = new Conversion(this.#context, job);
    this.#conversions.set(job.conversionKey, conversion);
    const kept = slot.move();
    const ended = conversion.done.then(() => {
      this.#conversions.delete(job.conversionKey);
      kept.dispose();
    });
    await Promise.race([ended, conversion.waitingForOther]);
  }

  async #renewLeases(): Promise<void> {
    const { domain } = this.#context;
    await Promise.all([
      ...Array.from(this.#conversions.values(), (conversion) => conversion.renewLeases()),
      ...Array.from(this.#waiting, (job) => renewLease(domain, job)),
    ]);
  }

  /** A lost ticket is no error: the job's lease decides whether this worker may go on. */
  async #renewLock(ticket: LockedTicket): Promise<void> {
    try {
      await ticket.renewLock();
    } catch (error) {
      this.#renewableTickets.delete(ticket);
      this.#context.log.debug({ error, jobId: ticket.jobId }, "lost the lock of a ticket");
    }
  }
}

function attemptKey(jobId: string, attempt: number): string {
  return `${jobId}.${attempt}`;
}
