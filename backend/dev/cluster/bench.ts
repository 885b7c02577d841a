/**
 * `npm run cluster:bench`: measures the cost of the cluster itself, with conversions that only wait. `-- workers`
 * measures throughput by number of worker processes, `-- sockets` memory and push delay with ten thousand connected
 * browsers, on one web process and on two (`-- sockets 1` on one only); without an argument it measures both.
 */
import mongoose from "mongoose";
import type { JobDocument } from "../../domain/jobs/job-model.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { newCookies, requestConversion, withCluster } from "./bench-cluster.ts";
import { benchSockets } from "./bench-sockets.ts";
import type { Cluster } from "./cluster.ts";

const report = (line: string) => process.stdout.write(`${line}\n`);

const SLOTS_PER_WORKER = 8;
const ROUNDS = 5;
const CONVERSION_MS = 4_000;

const tools = await prepareToolsOfCheckout(report);

/** Requests a conversion for each browser, in order, 16 calls at a time. */
async function requestAll(cluster: Cluster, cookies: readonly string[]): Promise<void> {
  const rest = cookies.map((cookie, n) => ({ cookie, n }));
  const lane = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await requestConversion(cluster, next.cookie, next.n);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}

/** Waits until so many jobs are completed. @returns when each was completed, in order */
async function completionTimesMs({ mongodbUri }: Cluster, wanted: number): Promise<number[]> {
  const client = await new mongoose.mongo.MongoClient(mongodbUri).connect();
  try {
    const jobs = client.db().collection<JobDocument>("jobs");
    while ((await jobs.countDocuments({ status: "completed" })) < wanted)
      await new Promise((resolve) => setTimeout(resolve, 200));
    const done = await jobs.find({ status: "completed" }, { projection: { completedAt: 1 } }).toArray();
    return done.map(({ completedAt }) => completedAt?.getTime() ?? 0).sort((a, b) => a - b);
  } finally {
    await client.close();
  }
}

/** @returns conversions per second from the end of the first round to the end of the last, with all slots in use */
async function measureThroughput(workers: number): Promise<number> {
  const atOnce = workers * SLOTS_PER_WORKER;
  const jobs = atOnce * ROUNDS;
  return withCluster(
    tools,
    { webs: 1, workers, concurrency: SLOTS_PER_WORKER, conversionMs: CONVERSION_MS },
    async (cluster) => {
      await requestAll(cluster, newCookies(cluster, jobs));
      const ends = await completionTimesMs(cluster, jobs);
      const firstRoundEndMs = ends[atOnce - 1] ?? 0;
      const lastEndMs = ends.at(-1) ?? 0;
      return (jobs - atOnce) / ((lastEndMs - firstRoundEndMs) / 1_000);
    },
  );
}

async function benchWorkers(): Promise<void> {
  const bestPerWorker = (SLOTS_PER_WORKER * 1_000) / CONVERSION_MS;
  report(
    `Conversions of ${CONVERSION_MS / 1_000} s that only wait, ${SLOTS_PER_WORKER} at a time in each worker; ` +
      `at best ${bestPerWorker.toFixed(2)} a second from each`,
  );
  let one = Number.NaN;
  for (const workers of [1, 2, 4]) {
    const perSecond = await measureThroughput(workers);
    if (workers === 1) one = perSecond;
    const ofOne = (perSecond / (workers * one)).toFixed(3);
    const ofBest = (perSecond / (workers * bestPerWorker)).toFixed(3);
    report(
      `${workers} worker${workers === 1 ? " " : "s"}: ${perSecond.toFixed(2)} a second, ` +
        `efficiency ${ofOne} of one, ${ofBest} of the best`,
    );
  }
}

const [what = "both", webs = "1,2"] = process.argv.slice(2);
if (what !== "sockets") await benchWorkers();
if (what !== "workers") {
  for (const count of webs.split(",")) await benchSockets({ tools, report }, Number(count));
}
