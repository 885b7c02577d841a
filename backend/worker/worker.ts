/** The role that turns tickets into files: starts and stops its parts in order. */
import { reclaimAllJobs } from "../domain/jobs/maintenance.ts";
import { clearJobFolders } from "../pipeline/process/job-folder.ts";
import type { Workshop } from "./conversion.ts";
import { every } from "../domain/every.ts";
import { createRunner, type StopSettings } from "./runner.ts";
import { removeStrayFiles, sweep, type SweepReport } from "./sweeper.ts";
import type { Tickets } from "./tickets.ts";

export interface WorkerSettings {
  readonly workerId: string;
  /** A third of the lease, so that two heartbeats may go missing. */
  readonly heartbeatMs: number;
  readonly sweepMs: number;
  readonly strayFileCheckMs: number;
  /** Longer than a job takes from stored to finished. */
  readonly strayFileAgeMs: number;
  /**
   * No other process works on this queue: what is held at the start was held by a process that is
   * gone, so its jobs need not wait for their leases to end.
   */
  readonly isAlone: boolean;
  /** What is running when the worker stops is given so long to end well. */
  readonly drainMs: number;
}

/**
 * After the start and after a worker died, each sweep looks for stray files for so many leases: by then
 * what the dead worker had stored is older than a lease and cannot be taken for what another one stores.
 */
const CRASH_LOOK_LEASES = 3;

export interface Worker {
  /** Picks up no more tickets, finishes what it can in time and gives the rest back. */
  stop(): Promise<void>;
}

export interface ConversionWorker extends Worker {
  /** The same at once, when the process has to end because of an error that one of its jobs may have caused. */
  die(): Promise<void>;
  /** Conversions that run here. */
  runningCount(): number;
}

export async function startWorker(
  workshop: Workshop,
  tickets: Tickets,
  settings: WorkerSettings,
): Promise<ConversionWorker> {
  const { domain, log } = workshop;
  if (settings.isAlone) {
    await clearJobFolders(workshop.scratchFolder);
    await workshop.leases.deleteAll();
    const reclaimed = await reclaimAllJobs(domain);
    if (reclaimed > 0) log.info({ reclaimed }, "jobs of an earlier run start over");
    await reportSweep(workshop, 0);
    await clearStrayFiles(workshop, 0);
  }
  const { leaseMs } = domain.limits;
  let lookUntilMs = Date.now() + CRASH_LOOK_LEASES * leaseMs;
  const runner = createRunner(workshop, settings.workerId);
  const heartbeat = every(
    settings.heartbeatMs,
    () => runner.heartbeat(),
    (error) => log.error({ error }, "a heartbeat failed"),
  );
  const sweeping = every(
    settings.sweepMs,
    async () => {
      // First say that we are alive: after a pause of the whole machine our own leases look lost.
      await runner.heartbeat();
      const { reclaimedJobs } = await reportSweep(workshop, settings.sweepMs);
      if (reclaimedJobs > 0) lookUntilMs = Date.now() + CRASH_LOOK_LEASES * leaseMs;
      // Halves wait for the other look: a long upload may be older than a lease.
      if (Date.now() < lookUntilMs) await clearStrayFiles(workshop, leaseMs, null);
    },
    (error) => log.error({ error }, "sweeping failed"),
  );
  const strayFiles = every(
    settings.strayFileCheckMs,
    () => clearStrayFiles(workshop, settings.strayFileAgeMs),
    (error) => log.error({ error }, "looking for stray files failed"),
  );
  await tickets.work((ticket) => runner.handle(ticket));
  const stop = async (how: StopSettings): Promise<void> => {
    await tickets.stop();
    // Heartbeats go on meanwhile.
    await runner.stop(how);
    await Promise.all([heartbeat.stop(), sweeping.stop(), strayFiles.stop()]);
  };
  return {
    runningCount: () => runner.runningCount(),
    stop: () => stop({ drainMs: settings.drainMs }),
    die: () => stop({ isDying: true }),
  };
}

async function reportSweep({ domain, leases, log }: Workshop, graceMs: number): Promise<SweepReport> {
  const report = await sweep(domain, graceMs);
  await leases.deleteEnded();
  if (Object.values(report).some((count) => count > 0)) log.info({ ...report }, "swept");
  return report;
}

async function clearStrayFiles(
  { domain, store, log }: Workshop,
  minAgeMs: number,
  unfinishedAgeMs?: number | null,
): Promise<void> {
  const removed = await removeStrayFiles(domain, store, minAgeMs, unfinishedAgeMs);
  if (removed > 0) log.info({ removed }, "stray files removed");
}
