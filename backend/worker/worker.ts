/** Starts and stops the parts of a worker in order: tickets, heartbeat, sweeper, removal of stray files. */
import { join } from "node:path";
import type { WorkerState } from "../../common/operator.ts";
import { every } from "../domain/every.ts";
import { reclaimAllJobs } from "../domain/jobs/maintenance.ts";
import { clearJobFolders } from "../pipeline/process/job-folder.ts";
import { followIntakeOrders } from "./intake-orders.ts";
import type { JobContext } from "./job-context.ts";
import { refillSelections } from "./refill-selections.ts";
import { Runner, type StopSettings } from "./runner.ts";
import { removeStrayFiles, sweep, type SweepReport } from "./sweeper.ts";
import type { Tickets } from "./tickets.ts";

export interface WorkerSettings {
  readonly workerId: string;
  /** A third of the lease, so that two heartbeats may be lost. */
  readonly heartbeatMs: number;
  readonly sweepMs: number;
  readonly strayFileCheckMs: number;
  /** Longer than the time from storing a file to completing its job. */
  readonly strayFileAgeMs: number;
  /**
   * No other process uses this queue. Jobs that are claimed at the start then belong to a process that has ended, and
   * start over without waiting for the end of their leases.
   */
  readonly isSingleProcess: boolean;
  /** Running conversions get this much time to finish when the worker stops. */
  readonly drainMs: number;
}

/**
 * After the start, and after another worker has died, each sweep also removes stray files for this many leases. By the
 * end every file of the dead worker is older than one lease, which is the youngest age that a sweep removes.
 */
const STRAY_FILE_LEASES = 3;

export interface Worker {
  /** Takes no more tickets, lets running work finish in time, and gives the rest back to the queue. */
  stop(): Promise<void>;
}

export interface ConversionWorker extends Worker {
  /** Stops after an uncaught error: no time to finish, and each running job counts a worker death. */
  stopAfterCrash(): Promise<void>;
  /** @returns the number of conversions that run in this process */
  runningCount(): number;
  /** @returns whether an operator has told this worker to take no jobs, and whether any still run */
  state(): WorkerState;
}

/** Starts to handle tickets. With `isSingleProcess` it first cleans up after an earlier process. */
export async function startWorker(
  context: JobContext,
  tickets: Tickets,
  settings: WorkerSettings,
): Promise<ConversionWorker> {
  if (settings.isSingleProcess) await cleanUpEarlierProcess(context);
  const runner = new Runner(context, settings.workerId);
  const tasks = startPeriodicTasks(context, runner, settings);
  const stopRefilling = refillSelections(context);
  const intake = await followIntakeOrders(context, tickets, settings.workerId, settings.sweepMs);
  await tickets.work((ticket) => runner.handle(ticket));
  const stop = async (how: StopSettings): Promise<void> => {
    await intake.stop();
    await tickets.stop();
    // Heartbeats go on until the last job has ended, so that no lease is lost meanwhile.
    await runner.stop(how);
    await stopRefilling();
    await Promise.all(tasks.map((task) => task.stop()));
  };
  return {
    runningCount: () => runner.runningCount(),
    state() {
      if (!intake.isDrained()) return "working";
      return tickets.isTicketComing() || runner.isBusy() ? "draining" : "drained";
    },
    stop: () => stop({ drainMs: settings.drainMs }),
    stopAfterCrash: () => stop({ isCrashing: true }),
  };
}

async function cleanUpEarlierProcess(context: JobContext): Promise<void> {
  const { domain, leases, scratchFolder, log } = context;
  for (const name of await clearJobFolders(scratchFolder))
    log.warn({ path: join(scratchFolder, name) }, "a folder cannot be removed from the scratch folder, and stays");
  await leases.deleteAll();
  const reclaimed = await reclaimAllJobs(domain);
  if (reclaimed > 0) log.info({ reclaimed }, "jobs of an earlier process start over");
  await reportSweep(context, 0);
  await clearStrayFiles(context, 0);
}

function startPeriodicTasks(context: JobContext, runner: Runner, settings: WorkerSettings): ReturnType<typeof every>[] {
  const { log } = context;
  const { leaseMs } = context.domain.limits;
  let clearStrayFilesUntilMs = Date.now() + STRAY_FILE_LEASES * leaseMs;
  const sweepOnce = async (): Promise<void> => {
    // After a pause of the whole machine this worker's own leases look expired, so they are renewed first. They end
    // after this moment then, also when the machine pauses again before the sweep.
    const now = new Date();
    await runner.heartbeat();
    const { reclaimedJobs } = await reportSweep(context, settings.sweepMs, now);
    if (reclaimedJobs > 0) clearStrayFilesUntilMs = Date.now() + STRAY_FILE_LEASES * leaseMs;
    // Unfinished files are left to the other task: a long upload may be older than a lease.
    if (Date.now() < clearStrayFilesUntilMs) await clearStrayFiles(context, leaseMs, null);
  };
  return [
    every(
      settings.heartbeatMs,
      () => runner.heartbeat(),
      (error) => log.error({ error }, "a heartbeat failed"),
    ),
    every(settings.sweepMs, sweepOnce, (error) => log.error({ error }, "a sweep failed")),
    every(
      settings.strayFileCheckMs,
      () => clearStrayFiles(context, settings.strayFileAgeMs),
      (error) => log.error({ error }, "could not remove stray files"),
    ),
  ];
}

async function reportSweep({ domain, leases, log }: JobContext, graceMs: number, now?: Date): Promise<SweepReport> {
  const report = await sweep(domain, graceMs, now);
  await leases.deleteEnded();
  if (Object.values(report).some((count) => count > 0)) log.info({ ...report }, "swept");
  return report;
}

/** Parameters as of `removeStrayFiles`. */
async function clearStrayFiles(
  { domain, store, log }: JobContext,
  minAgeMs: number,
  unfinishedAgeMs?: number | null,
): Promise<void> {
  const removed = await removeStrayFiles(domain, store, minAgeMs, unfinishedAgeMs);
  if (removed > 0) log.info({ removed }, "stray files removed");
}
