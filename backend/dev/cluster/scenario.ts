/** Many visitors at work on a cluster while something is done to it, and what became of everything. */
import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import type { SettingsOverrides } from "../../config/settings.ts";
import type { Cluster, ClusterPart } from "./cluster.ts";
import { findFaults } from "./verify.ts";
import { createVisitor, type CallCount, type Visitor } from "./visitor.ts";

const POLL_MS = 50;
/** What a killed worker leaves is found after six of its leases, and a file that nobody names after its age. */
const SETTLE_MS = 60_000;

/** Limits for tests, whose visitors all come from one address. */
export const GENEROUS: SettingsOverrides = {
  domain: { activeJobs: { free: 1_000, pro: 1_000 } },
  rates: {
    createPerDevice: { free: 10_000, pro: 10_000 },
    createPerUser: { free: 10_000, pro: 10_000 },
    createPerAddress: { free: 100_000, pro: 100_000 },
  },
  realtime: { socketsPerDevice: 1_000 },
  pipeline: { minFreeDiskBytes: 1_000_000 },
  // A job that is given back in mid-work leaves its picture; the next attempt stores another.
  worker: { strayFileCheckMs: 2_000, strayFileAgeMs: 10_000 },
};

export interface ScenarioOptions {
  readonly owners: number;
  readonly tabsPerOwner: number;
  readonly jobsPerOwner: number;
  /** How many an owner has waiting or running at a time. */
  readonly atATime: number;
  /** The n-th link; no two are the same, or one file would answer both. */
  readonly linkOf: (n: number) => string;
  /** Longest between asking for a conversion and its end on the page. */
  readonly patienceMs: number;
  readonly report?: (line: string) => void;
}

export interface Course {
  /** Resolves when so many jobs have been completed since the beginning. */
  untilCompleted(jobs: number): Promise<void>;
  /** Resolves when the worker has begun to convert something. */
  untilHolding(worker: ClusterPart): Promise<void>;
}

export interface Outcome {
  readonly seconds: number;
  readonly jobs: number;
  readonly calls: CallCount;
  /** Starts that jobs needed beyond their first. */
  readonly furtherAttempts: number;
  readonly snapshots: number;
  readonly recoveries: number;
  readonly downloadedBytes: number;
  /** Empty: all is as it should be. */
  readonly faults: readonly string[];
}

/** @param meanwhile what is done to the cluster; its end is waited for */
export async function runScenario(
  cluster: Cluster,
  options: ScenarioOptions,
  meanwhile: (course: Course) => Promise<void>,
): Promise<Outcome> {
  const { owners, tabsPerOwner, jobsPerOwner, atATime, linkOf, patienceMs, report = () => undefined } = options;
  const count: CallCount = { calls: 0, retried: 0, failed: [] };
  const missed: string[] = [];
  let downloadedBytes = 0;
  const startedAtMs = Date.now();
  await using database = await openDatabase(cluster.mongodbUri);
  const visitors = await Promise.all(Array.from({ length: owners }, () => createVisitor(cluster.origin, count)));
  await Promise.all(visitors.flatMap((visitor) => Array.from({ length: tabsPerOwner }, () => visitor.openTab())));
  report(
    `${owners} visitors with ${owners * tabsPerOwner} pages are connected (${((Date.now() - startedAtMs) / 1_000).toFixed(1)} s)`,
  );

  /** One conversion after the other: ask, wait until every page shows the end, fetch the file. */
  async function lane(visitor: Visitor, jobs: readonly number[]): Promise<void> {
    for (const n of jobs) {
      const job = await visitor.convert(linkOf(n), "mp3");
      const ended = await Promise.all(visitor.tabs.map((tab) => tab.untilEnded(job.id, patienceMs)));
      const [first] = ended;
      if (first?.status === "completed") downloadedBytes += await visitor.download(first);
    }
  }
  const atWork = visitors.flatMap((visitor, owner) =>
    Array.from({ length: atATime }, (_, laneNumber) =>
      lane(
        visitor,
        Array.from({ length: jobsPerOwner }, (_unused, n) => owner * jobsPerOwner + n).filter(
          (n) => n % atATime === laneNumber,
        ),
      ).catch((error: unknown) => missed.push(error instanceof Error ? error.message : String(error))),
    ),
  );
  await Promise.all([...atWork, meanwhile(database.course)]);
  const faults = await settled(cluster, visitors);
  const tabs = visitors.flatMap((visitor) => visitor.tabs);
  for (const tab of tabs) tab.close();
  return {
    seconds: (Date.now() - startedAtMs) / 1_000,
    jobs: owners * jobsPerOwner,
    calls: count,
    furtherAttempts: await database.furtherAttempts(),
    snapshots: tabs.reduce((sum, tab) => sum + tab.snapshots, 0),
    recoveries: tabs.reduce((sum, tab) => sum + tab.recoveries, 0),
    downloadedBytes,
    faults: [...missed, ...count.failed, ...faults],
  };
}

/** The last events and clean-ups may still be under way. */
async function settled(cluster: Cluster, visitors: readonly Visitor[]): Promise<string[]> {
  const deadlineMs = Date.now() + SETTLE_MS;
  for (;;) {
    const faults = await findFaults(cluster, visitors);
    if (faults.length === 0 || Date.now() > deadlineMs) return faults;
    await delay(POLL_MS);
  }
}

async function openDatabase(uri: string) {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  const jobs = client.db().collection<StoredJob>("jobs");
  const countCompleted = () => jobs.countDocuments({ status: "completed" });
  const before = await countCompleted();
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await delay(POLL_MS);
  };
  const course: Course = {
    untilCompleted: (wanted) => until(async () => (await countCompleted()) - before >= wanted),
    untilHolding: (worker) =>
      until(async () => {
        const held = await jobs.find({ status: "processing" }, { projection: { workerId: 1 } }).toArray();
        return held.some(({ workerId }) => workerId?.split(":").includes(String(worker.pid)));
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
