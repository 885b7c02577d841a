/** Runs many visitors on a cluster while a test kills or replaces its parts, and checks the result. */
import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import type { JobDocument } from "../../domain/jobs/job-model.ts";
import { mergeSettings } from "../../config/settings.ts";
import { FEW_VISITORS_LIMITS } from "../wide-limits.ts";
import type { Cluster, ClusterPart } from "./cluster.ts";
import { findFaults } from "./verify.ts";
import { createVisitor, type CallCount, type Visitor } from "../testing/visitor.ts";

const POLL_MS = 50;
/** The sweeper finds jobs of a killed worker after six leases, and files without a job after `strayFileAgeMs`. */
const SETTLE_MS = 60_000;

export const CLUSTER_SETTINGS = mergeSettings(FEW_VISITORS_LIMITS, {
  pipeline: { minFreeDiskBytes: 1_000_000 },
  // A job that is requeued during its conversion leaves its picture file; the next attempt stores another.
  worker: { strayFileCheckMs: 2_000, strayFileAgeMs: 10_000 },
});

export interface ScenarioOptions {
  readonly owners: number;
  readonly tabsPerOwner: number;
  readonly jobsPerOwner: number;
  /** Jobs of an owner that wait or run at the same time. */
  readonly atATime: number;
  /** The n-th link; all are different, because equal requests would share one file. */
  readonly linkOf: (n: number) => string;
  /** Longest time from a call until the page shows the end of the job. */
  readonly endTimeoutMs: number;
  readonly report?: (line: string) => void;
}

export interface Course {
  /** Resolves when so many jobs were completed since the start of the scenario. */
  untilCompleted(jobs: number): Promise<void>;
  /** Resolves when the worker converts a job. */
  untilConverting(worker: ClusterPart): Promise<void>;
}

export interface Outcome {
  readonly seconds: number;
  readonly jobs: number;
  readonly calls: CallCount;
  /** Attempts beyond the first of each job. */
  readonly furtherAttempts: number;
  readonly snapshots: number;
  readonly recoveries: number;
  readonly downloadedBytes: number;
  /** Sentences about what is wrong; empty when all is well. */
  readonly faults: readonly string[];
}

/**
 * Runs the scenario and waits until everything has settled.
 * @param meanwhile kills or replaces parts while the visitors work
 */
export async function runScenario(
  cluster: Cluster,
  options: ScenarioOptions,
  meanwhile: (course: Course) => Promise<void>,
): Promise<Outcome> {
  const { owners, tabsPerOwner, jobsPerOwner, report = () => undefined } = options;
  const calls: CallCount = { calls: 0, retried: 0, failed: [] };
  const startedAtMs = Date.now();
  const secondsSoFar = () => (Date.now() - startedAtMs) / 1_000;
  await using database = await openDatabase(cluster.mongodbUri);
  const visitors = await Promise.all(Array.from({ length: owners }, () => createVisitor(cluster.origin, calls)));
  await Promise.all(visitors.flatMap((visitor) => Array.from({ length: tabsPerOwner }, () => visitor.openTab())));
  const pages = owners * tabsPerOwner;
  report(`${owners} visitors with ${pages} pages are connected (${secondsSoFar().toFixed(1)} s)`);
  const work: Work = { failures: [], downloadedBytes: 0 };
  const lanes = visitors.flatMap((visitor, owner) => startLanes(visitor, owner, options, work));
  await Promise.all([...lanes, meanwhile(database.course)]);
  const faults = await untilSettled(cluster, visitors);
  const tabs = visitors.flatMap((visitor) => visitor.tabs);
  for (const tab of tabs) tab.close();
  return {
    seconds: secondsSoFar(),
    jobs: owners * jobsPerOwner,
    calls,
    furtherAttempts: await database.furtherAttempts(),
    snapshots: tabs.reduce((sum, tab) => sum + tab.snapshots, 0),
    recoveries: tabs.reduce((sum, tab) => sum + tab.recoveries, 0),
    downloadedBytes: work.downloadedBytes,
    faults: [...work.failures, ...calls.failed, ...faults],
  };
}

/** Filled in by all lanes. */
interface Work {
  readonly failures: string[];
  downloadedBytes: number;
}

/** Divides an owner's jobs among as many lanes as may wait or run at the same time. */
function startLanes(visitor: Visitor, owner: number, options: ScenarioOptions, work: Work): Promise<void>[] {
  const { jobsPerOwner, atATime } = options;
  const jobs = Array.from({ length: jobsPerOwner }, (_, n) => owner * jobsPerOwner + n);
  return Array.from({ length: atATime }, async (_, lane) => {
    try {
      for (const n of jobs.filter((job) => job % atATime === lane)) await runJob(visitor, n, options, work);
    } catch (error) {
      work.failures.push(error instanceof Error ? error.message : String(error));
    }
  });
}

/** Requests a conversion, waits until every page shows its end, and downloads the file. */
async function runJob(visitor: Visitor, n: number, options: ScenarioOptions, work: Work): Promise<void> {
  const job = await visitor.convert(options.linkOf(n), "mp3");
  const ended = await Promise.all(visitor.tabs.map((tab) => tab.untilEnded(job.id, options.endTimeoutMs)));
  const [first] = ended;
  if (first?.status !== "completed") return;
  const bytes = await visitor.download(first);
  work.downloadedBytes += bytes;
}

/** Repeats the checks until they find no fault, because the last events and clean-ups may still be running. */
async function untilSettled(cluster: Cluster, visitors: readonly Visitor[]): Promise<string[]> {
  const deadlineMs = Date.now() + SETTLE_MS;
  for (;;) {
    const faults = await findFaults(cluster, visitors);
    if (faults.length === 0 || Date.now() > deadlineMs) return faults;
    await delay(POLL_MS);
  }
}

async function openDatabase(uri: string) {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  const jobs = client.db().collection<JobDocument>("jobs");
  const countCompleted = () => jobs.countDocuments({ status: "completed" });
  const before = await countCompleted();
  const until = async (isMet: () => Promise<boolean>) => {
    while (!(await isMet())) await delay(POLL_MS);
  };
  const course: Course = {
    untilCompleted: (wanted) => until(async () => (await countCompleted()) - before >= wanted),
    untilConverting: (worker) =>
      until(async () => {
        const running = await jobs.find({ status: "processing" }, { projection: { workerId: 1 } }).toArray();
        return running.some(({ workerId }) => workerId?.split(":").includes(String(worker.pid)));
      }),
  };
  return {
    course,
    async furtherAttempts() {
      const all = await jobs.find({}, { projection: { attempt: 1 } }).toArray();
      return all.reduce((sum, { attempt }) => sum + attempt - 1, 0);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
