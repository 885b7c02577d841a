/**
 * What happens with a ticket: claim the job, then take over a file that is already there, join a
 * conversion that is already running, or start one.
 */
import type { StoredJob } from "../domain/jobs/job-model.ts";
import { claimJob, handBack, mustRunAlone } from "../domain/jobs/work.ts";
import { reclaimJobIfLost } from "../domain/jobs/maintenance.ts";
import { AloneGate } from "./alone-gate.ts";
import { Conversion, type Workshop } from "./conversion.ts";
import type { HeldTicket } from "./tickets.ts";

export interface Runner {
  handle(ticket: HeldTicket): Promise<void>;
  /** Extends the leases of everything in hand, and lets go of what is no longer ours. */
  heartbeat(): Promise<void>;
  /** How many conversions run, those included that wait for another worker. */
  runningCount(): number;
  /**
   * Takes nothing new and gives what is running `drainMs` to end well, then ends it; resolves when
   * its jobs are back in the queue and its processes gone.
   */
  stop(how?: StopSettings): Promise<void>;
}

export interface StopSettings {
  /** What is running is given so long to end well. */
  readonly drainMs?: number;
  /** The process ends because of an error that one of its jobs may have caused: each of them counts a death. */
  readonly isDying?: boolean;
}

export function createRunner(workshop: Workshop, workerId: string): Runner {
  const { domain, log } = workshop;
  /** By conversion key: requests for the same file share one run. */
  const running = new Map<string, Conversion>();
  const tickets = new Set<HeldTicket>();
  /** Those of them that are still ours at the queue's. */
  const touched = new Set<HeldTicket>();
  const handling = new Set<Promise<void>>();
  let isStopping = false;
  const gate = new AloneGate();

  /** Canceled between being claimed and being run, by job and attempt. */
  const canceled = new Set<string>();
  const unsubscribe = domain.bus.subscribe("job:canceled", ({ id, attempt }) => {
    if ([...tickets].some((ticket) => ticket.jobId === id)) canceled.add(startKey(id, attempt));
    for (const conversion of running.values()) conversion.drop(id, attempt);
  });

  const unsubscribeAdopted = domain.bus.subscribe("job:adopted", ({ id, userId }) => {
    for (const conversion of running.values()) conversion.adopt(id, userId);
  });

  async function work(ticket: HeldTicket): Promise<void> {
    tickets.add(ticket);
    touched.add(ticket);
    try {
      // First say that we are alive: after a pause of the whole machine our own leases look lost.
      await renewLeases();
      // A ticket whose lock ran out comes to the next worker while its job still looks held.
      await reclaimJobIfLost(domain, ticket.jobId);
      using place = new DisposableStack();
      // Before the claim: a job that waits here does not count the death of this process.
      const queued = await domain.jobs.findById(ticket.jobId).select({ workerDeaths: 1 }).lean<StoredJob>();
      const isAlone = mustRunAlone(queued ?? {});
      place.use(await gate.enter(isAlone));
      const job = await claimJob(domain, ticket.jobId, workerId);
      if (!job) return;
      // Another worker has died of it meanwhile: it comes back with its next ticket.
      if (mustRunAlone(job) !== isAlone) await handBack(domain, job);
      else await serve(job, place);
    } catch (error) {
      log.error({ error, jobId: ticket.jobId }, "a ticket could not be worked on");
    } finally {
      tickets.delete(ticket);
      touched.delete(ticket);
      for (const key of canceled) if (key.startsWith(ticket.jobId)) canceled.delete(key);
    }
  }

  /** @param place left when this ends, or, if a conversion is begun, when that ends */
  async function serve(job: StoredJob, place: DisposableStack): Promise<void> {
    for (;;) {
      if (isStopping) {
        await handBack(domain, job);
        return;
      }
      const current = running.get(job.conversionKey);
      if (current) {
        if (current.join(job)) return;
        // It is just ending; then there is a file to take over, or the field is free.
        await current.done;
        continue;
      }
      if (canceled.has(startKey(job._id, job.attempt))) return;
      const conversion = new Conversion(workshop, job);
      running.set(job.conversionKey, conversion);
      const kept = place.move();
      const ended = conversion.done.then(() => {
        running.delete(job.conversionKey);
        kept.dispose();
      });
      await Promise.race([ended, conversion.following]);
      return;
    }
  }

  async function renewLeases(): Promise<void> {
    await Promise.all([...running.values()].map((conversion) => conversion.renewLeases()));
  }

  /** A ticket that was taken away is no news: the lease says whether the job is ours. */
  async function touch(ticket: HeldTicket): Promise<void> {
    try {
      await ticket.touch();
    } catch (error) {
      touched.delete(ticket);
      log.debug({ error, jobId: ticket.jobId }, "a ticket is gone");
    }
  }

  return {
    async handle(ticket) {
      const handled = work(ticket);
      handling.add(handled);
      await handled;
      handling.delete(handled);
    },
    async heartbeat() {
      await Promise.all([renewLeases(), ...[...touched].map(touch)]);
    },
    runningCount: () => running.size,
    async stop({ drainMs = 0, isDying = false } = {}) {
      isStopping = true;
      if (drainMs > 0)
        await settledWithin(
          drainMs,
          [...running.values()].map((conversion) => conversion.done),
        );
      const conversions = [...running.values()];
      for (const conversion of conversions) conversion.stop(isDying);
      await Promise.all(conversions.map((conversion) => conversion.done));
      // Jobs that were being claimed are given back too.
      await Promise.all(handling);
      unsubscribe();
      unsubscribeAdopted();
    },
  };
}

/** Resolves when all have settled, or when the time is up. */
async function settledWithin(timeoutMs: number, tasks: readonly Promise<void>[]): Promise<void> {
  const timeUp = Promise.withResolvers<void>();
  const timer = setTimeout(timeUp.resolve, timeoutMs);
  await Promise.race([Promise.allSettled(tasks), timeUp.promise]);
  clearTimeout(timer);
}

/** Names one start of one job. */
function startKey(jobId: string, attempt: number): string {
  return `${jobId}.${attempt}`;
}
