/**
 * `npm run cluster:bench`: measures the cost of the cluster itself, with conversions that only wait. `-- workers`
 * measures throughput by number of worker processes, `-- sockets` memory and push delay with ten thousand connected
 * browsers; without an argument it measures both.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import mongoose from "mongoose";
import type { z } from "zod";
import { createDeviceCookies } from "../../domain/accounts/device-cookie.ts";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import { percentile } from "../measure/percentile.ts";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { startCluster, type Cluster, type ClusterPart } from "./cluster.ts";
import { CLUSTER_SETTINGS } from "./scenario.ts";
import { Report, type Order } from "./sockets.ts";

const report = (line: string) => process.stdout.write(`${line}\n`);
const MB = 1_000_000;

const SLOTS_PER_WORKER = 8;
const ROUNDS = 5;
const CONVERSION_MS = 4_000;

const SOCKETS = 10_000;
const SOCKETS_PER_GENERATOR = 5_000;
const RUNNING_JOBS = 200;
const RUNNING_MS = 20_000;
const RUNNERS = 4;

const tools = await prepareToolsOfCheckout(report);

async function withCluster<T>(
  parts: { webs: number; workers: number },
  env: Record<string, string>,
  measure: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
  try {
    await using cluster = await startCluster({
      dataDir: folder,
      tools,
      ...parts,
      workerEntry: "backend/dev/cluster/artificial-worker.ts",
      env,
      settings: CLUSTER_SETTINGS,
    });
    return await measure(cluster);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns `Cookie` headers of new browsers, signed with the cluster's keys */
function newCookies({ sessionKeys }: Cluster, count: number): string[] {
  const cookies = createDeviceCookies(sessionKeys, false);
  return Array.from({ length: count }, () =>
    cookies
      .issue()
      .setCookie.map((line) => line.split(";")[0])
      .join("; "),
  );
}

async function requestConversion(cluster: Cluster, cookie: string, n: number): Promise<void> {
  const answer = await fetch(`${cluster.origin}/api/conversions`, {
    method: "POST",
    headers: { cookie, origin: cluster.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: `${cluster.site.urlOf("cello")}?n=${n}`, format: "mp3" }),
  });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

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
    const jobs = client.db().collection<StoredJob>("jobs");
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
    { webs: 1, workers },
    { WORKER_CONCURRENCY: String(SLOTS_PER_WORKER), ARTIFICIAL_MS: String(CONVERSION_MS) },
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

interface Generator {
  send(order: z.infer<typeof Order>): Promise<z.infer<typeof Report>>;
  end(): Promise<void>;
}

function startGenerator(): Generator {
  const child = fork(join(import.meta.dirname, "sockets.ts"));
  return {
    async send(order) {
      const answered = once(child, "message");
      child.send(order);
      const [answer] = await answered;
      return Report.parse(answer);
    },
    async end() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function residentBytes({ pid }: ClusterPart): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

async function benchSockets(webs: number): Promise<void> {
  const env = { WORKER_CONCURRENCY: String(RUNNING_JOBS / RUNNERS), ARTIFICIAL_MS: String(RUNNING_MS) };
  await withCluster({ webs, workers: RUNNERS }, env, async (cluster) => {
    const cookies = newCookies(cluster, SOCKETS);
    const generators: Generator[] = [];
    try {
      await connectSockets(cluster, cookies, generators);
      await measurePushes(cluster, cookies, generators);
    } finally {
      await Promise.all(generators.map((generator) => generator.end()));
    }
  });
}

async function connectSockets(cluster: Cluster, cookies: string[], generators: Generator[]): Promise<void> {
  const { webs } = cluster;
  const before = await Promise.all(webs.map(residentBytes));
  const startedAtMs = Date.now();
  for (let from = 0; from < SOCKETS; from += SOCKETS_PER_GENERATOR) {
    const generator = startGenerator();
    generators.push(generator);
    await generator.send({
      do: "connect",
      origin: webs[(from / SOCKETS_PER_GENERATOR) % webs.length]?.origin ?? "",
      pageOrigin: cluster.origin,
      cookies: cookies.slice(from, from + SOCKETS_PER_GENERATOR),
    });
  }
  const connectSeconds = ((Date.now() - startedAtMs) / 1_000).toFixed(0);
  const after = await Promise.all(webs.map(residentBytes));
  const perSocketKb = ((sum(after) - sum(before)) / SOCKETS / 1_000).toFixed(1);
  report(
    `${SOCKETS} sockets on ${webs.length} web process${webs.length === 1 ? "" : "es"}, connected in ` +
      `${connectSeconds} s: ${perSocketKb} kB a socket (${inMb(before)} MB before, ${inMb(after)} MB after)`,
  );
}

/** Runs a conversion for some of the connected browsers and reports the delay of their pushes. */
async function measurePushes(cluster: Cluster, cookies: string[], generators: Generator[]): Promise<void> {
  for (const generator of generators) await generator.send({ do: "measure" });
  await requestAll(
    cluster,
    cookies.filter((_, n) => n % (SOCKETS / RUNNING_JOBS) === 0),
  );
  await completionTimesMs(cluster, RUNNING_JOBS);
  const reports = await Promise.all(generators.map((generator) => generator.send({ do: "report" })));
  const pushMs = reports.flatMap((one) => (one.did === "report" ? one.pushMs : []));
  const connected = sum(reports.map((one) => (one.did === "report" ? one.connected : 0)));
  const perSecond = (pushMs.length / (RUNNING_MS / 1_000)).toFixed(0);
  const [p50, p99, longest] = [50, 99, 100].map((percent) => percentile(pushMs, percent));
  report(
    `  ${RUNNING_JOBS} jobs at once: ${pushMs.length} pushes (${perSecond} a second), ` +
      `p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms; ${connected} still connected, ` +
      `${inMb(await Promise.all(cluster.webs.map(residentBytes)))} MB`,
  );
}

function inMb(bytes: readonly number[]): string {
  return bytes.map((one) => (one / MB).toFixed(0)).join(" + ");
}

const [what = "both"] = process.argv.slice(2);
if (what !== "sockets") await benchWorkers();
if (what !== "workers") {
  await benchSockets(1);
  await benchSockets(2);
}
