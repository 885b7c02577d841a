/**
 * `npm run cluster:bench`: what the cluster itself costs, with conversions that take time and nothing
 * else. `-- workers` measures how throughput grows with worker processes, `-- sockets` what ten
 * thousand connected browsers need and how soon they hear; without a word, both.
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
import { repositoryDataDir } from "../repository.ts";
import { prepareTools } from "../setup/tools.ts";
import { startCluster, type Cluster, type ClusterPart } from "./cluster.ts";
import { GENEROUS } from "./scenario.ts";
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

const tools = await prepareTools({
  dataDir: repositoryDataDir(),
  ytDlpPath: process.env["YTDLP_PATH"] || undefined,
  ffmpegPath: process.env["FFMPEG_PATH"] || undefined,
  report,
});

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
      settings: GENEROUS,
    });
    return await measure(cluster);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** A browser's cookies, signed as the cluster signs them. */
function newCookies({ sessionKeys }: Cluster, count: number): string[] {
  const cookies = createDeviceCookies(sessionKeys, false);
  return Array.from({ length: count }, () =>
    cookies
      .issue()
      .setCookie.map((line) => line.split(";")[0])
      .join("; "),
  );
}

async function ask(cluster: Cluster, cookie: string, n: number): Promise<void> {
  const answer = await fetch(`${cluster.origin}/api/conversions`, {
    method: "POST",
    headers: { cookie, origin: cluster.origin, "content-type": "application/json" },
    body: JSON.stringify({ youtubeUrl: `${cluster.site.urlOf("cello")}?n=${n}`, format: "mp3" }),
  });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}

/** Asks from the first on, some at a time. */
async function askForAll(cluster: Cluster, cookies: readonly string[]): Promise<void> {
  const rest = cookies.map((cookie, n) => ({ cookie, n }));
  const lane = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await ask(cluster, next.cookie, next.n);
  };
  await Promise.all(Array.from({ length: 16 }, lane));
}

async function completedAtMs({ mongodbUri }: Cluster, wanted: number): Promise<number[]> {
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

/** Conversions a second once all are at work: from the end of the first round to the end of the last. */
async function measureThroughput(workers: number): Promise<number> {
  const atOnce = workers * SLOTS_PER_WORKER;
  const jobs = atOnce * ROUNDS;
  return withCluster(
    { webs: 1, workers },
    { WORKER_CONCURRENCY: String(SLOTS_PER_WORKER), ARTIFICIAL_MS: String(CONVERSION_MS) },
    async (cluster) => {
      await askForAll(cluster, newCookies(cluster, jobs));
      const ends = await completedAtMs(cluster, jobs);
      const [first = 0, last = 0] = [ends[atOnce - 1], ends.at(-1)];
      return (jobs - atOnce) / ((last - first) / 1_000);
    },
  );
}

async function benchWorkers(): Promise<void> {
  report(
    `Conversions of ${CONVERSION_MS / 1_000} s that only wait, ${SLOTS_PER_WORKER} at a time in each worker; at best ${((SLOTS_PER_WORKER * 1_000) / CONVERSION_MS).toFixed(2)} a second from each`,
  );
  let one = Number.NaN;
  for (const workers of [1, 2, 4]) {
    const perSecond = await measureThroughput(workers);
    if (workers === 1) one = perSecond;
    report(
      `${workers} worker${workers === 1 ? " " : "s"}: ${perSecond.toFixed(2)} a second, efficiency ${(perSecond / (workers * one)).toFixed(3)} of one, ${(perSecond / ((workers * SLOTS_PER_WORKER * 1_000) / CONVERSION_MS)).toFixed(3)} of the best`,
    );
  }
}

interface Generator {
  tell(order: z.infer<typeof Order>): Promise<z.infer<typeof Report>>;
  end(): Promise<void>;
}

function startGenerator(): Generator {
  const child = fork(join(import.meta.dirname, "sockets.ts"));
  return {
    async tell(order) {
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
      const before = await Promise.all(cluster.webs.map(residentBytes));
      const startedAtMs = Date.now();
      for (let from = 0; from < SOCKETS; from += SOCKETS_PER_GENERATOR) {
        const generator = startGenerator();
        generators.push(generator);
        const origin = cluster.webs[(from / SOCKETS_PER_GENERATOR) % webs]?.origin ?? "";
        await generator.tell({
          do: "connect",
          origin,
          pageOrigin: cluster.origin,
          cookies: cookies.slice(from, from + SOCKETS_PER_GENERATOR),
        });
      }
      const connectSeconds = (Date.now() - startedAtMs) / 1_000;
      const after = await Promise.all(cluster.webs.map(residentBytes));
      report(
        `${SOCKETS} sockets on ${webs} web process${webs === 1 ? "" : "es"}, connected in ${connectSeconds.toFixed(0)} s: ${((sum(after) - sum(before)) / SOCKETS / 1_000).toFixed(1)} kB a socket (${before.map((bytes) => (bytes / MB).toFixed(0)).join(" + ")} MB before, ${after.map((bytes) => (bytes / MB).toFixed(0)).join(" + ")} MB after)`,
      );
      for (const generator of generators) await generator.tell({ do: "measure" });
      // Every fiftieth of those connected has a conversion running.
      await askForAll(
        cluster,
        cookies.filter((_, n) => n % (SOCKETS / RUNNING_JOBS) === 0),
      );
      await completedAtMs(cluster, RUNNING_JOBS);
      const heard = await Promise.all(generators.map((generator) => generator.tell({ do: "report" })));
      const pushMs = heard.flatMap((one) => (one.did === "report" ? one.pushMs : []));
      const connected = sum(heard.map((one) => (one.did === "report" ? one.connected : 0)));
      const busy = await Promise.all(cluster.webs.map(residentBytes));
      report(
        `  ${RUNNING_JOBS} jobs at once: ${pushMs.length} pushes (${(pushMs.length / (RUNNING_MS / 1_000)).toFixed(0)} a second), p50 ${percentile(pushMs, 50)} ms, p99 ${percentile(pushMs, 99)} ms, longest ${percentile(pushMs, 100)} ms; ${connected} still connected, ${busy.map((bytes) => (bytes / MB).toFixed(0)).join(" + ")} MB`,
      );
    } finally {
      await Promise.all(generators.map((generator) => generator.end()));
    }
  });
}

const [what = "both"] = process.argv.slice(2);
if (what !== "sockets") await benchWorkers();
if (what !== "workers") {
  await benchSockets(1);
  await benchSockets(2);
}
