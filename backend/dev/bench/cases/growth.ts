/** What a call, and the server while nobody calls, cost with more and more stored jobs of other visitors. */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { percentile } from "../../measure/percentile.ts";
import { parseStat } from "../measuring/process-tree.ts";
import type { BenchClient, FinishedJob } from "../client.ts";
import type { TestDevice } from "../../testing/test-device.ts";
import { figure } from "../report/table.ts";
import { freshLink, type Bench } from "./convert-case.ts";
import { storeOldJobs } from "./old-jobs.ts";

const STORED_JOBS = [1_000, 100_000, 1_000_000] as const;
const CALLS = 300;
/** Four sweeps. */
const IDLE_MS = 20_000;
/** Until the database and the server have dealt with the jobs that were just stored. */
const SETTLE_MS = 10_000;

interface Figures {
  readonly what: string;
  readonly ms: readonly number[];
  /** Of the server process, for each call. */
  readonly cpuMs: number;
}

interface GrowthStep {
  readonly storedJobs: number;
  readonly load: number;
  readonly figures: readonly Figures[];
  /** Of the server process while nobody calls, as a share of a core. */
  readonly idleShare: number;
  /** Of one job; undefined where the database does not say. */
  readonly bytes: { readonly document: number; readonly indexes: number } | undefined;
}

interface Visitor {
  readonly device: TestDevice;
  readonly client: BenchClient;
}

export async function runGrowth(bench: Bench, steps: readonly number[] = STORED_JOBS): Promise<GrowthStep[]> {
  const { report, product, owners } = bench;
  const link = freshLink(bench.originBy("unlimited"), "brief-progressive");
  for (const { client } of [owners.free, owners.pro]) await client.convert(link, "mp3");
  const cpuSeconds = (): number => parseStat(readFileSync(`/proc/${product.pid}/stat`, "utf8")).ownCpuSeconds;
  await measureCalls(owners, link, cpuSeconds);
  const results: GrowthStep[] = [];
  let stored = 0;
  for (const storedJobs of steps) {
    report(`storing jobs up to ${storedJobs}`);
    await storeOldJobs(product.mongodbUri, stored, storedJobs);
    stored = storedJobs;
    await delay(SETTLE_MS);
    report("measuring");
    const before = cpuSeconds();
    await delay(IDLE_MS);
    const idleShare = (cpuSeconds() - before) / (IDLE_MS / 1_000);
    const [load = Number.NaN] = loadavg();
    const figures = await measureCalls(owners, link, cpuSeconds);
    results.push({ storedJobs, load, figures, idleShare, bytes: await sizePerJob(product.mongodbUri) });
  }
  return results;
}

async function measureCalls(
  { free, pro }: Bench["owners"],
  link: string,
  cpuSeconds: () => number,
): Promise<Figures[]> {
  const measure = async (what: string, call: () => Promise<number>): Promise<Figures> => {
    const ms: number[] = [];
    const before = cpuSeconds();
    for (let n = 0; n < CALLS; n += 1) ms.push(await call());
    return { what, ms, cpuMs: ((cpuSeconds() - before) * 1_000) / CALLS };
  };
  return [
    await measure("POST, the file is there: `completed`", () => repeat(free, link)),
    await measure("POST of a batch, the file is there: `completed` by a worker", () => batchOfOne(pro, link)),
    await measure("list answered", () => list(free)),
  ];
}

async function repeat({ device, client }: Visitor, link: string): Promise<number> {
  const finished = await client.convert(link, "mp3");
  await remove(device, finished);
  return finished.completedAtMs - finished.postedAtMs;
}

async function batchOfOne({ device, client }: Visitor, link: string): Promise<number> {
  const [finished] = await client.convertBatch([link], "mp3");
  if (!finished) throw new Error("the batch has no job");
  await remove(device, finished);
  return finished.completedAtMs - finished.postedAtMs;
}

/** Keeps the list at the same length; its cost is counted, its time is not. */
async function remove(device: TestDevice, { job }: FinishedJob): Promise<void> {
  await (await device.call("DELETE", `/api/conversions/${job.id}`)).body?.cancel();
}

async function list({ device }: Visitor): Promise<number> {
  const startedMs = performance.now();
  await (await device.call("GET", "/api/conversions")).arrayBuffer();
  return performance.now() - startedMs;
}

async function sizePerJob(mongodbUri: string): Promise<GrowthStep["bytes"]> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  try {
    const jobs = connection.collection("jobs");
    const [sizes] = await jobs
      .aggregate<{ storageStats: { count: number; size: number; totalIndexSize: number } }>([
        { $collStats: { storageStats: {} } },
      ])
      .toArray()
      // The embedded database does not know its sizes.
      .catch(() => []);
    if (!sizes) return undefined;
    const { count, size, totalIndexSize } = sizes.storageStats;
    return { document: size / count, indexes: totalIndexSize / count };
  } finally {
    await connection.close();
  }
}

/** @returns a table with a column for each number of stored jobs */
export function growthReport(steps: readonly GrowthStep[]): string {
  const row = (what: string, of: (step: GrowthStep) => string): string => `| ${[what, ...steps.map(of)].join(" | ")} |`;
  const calls = (steps[0]?.figures ?? []).flatMap(({ what }, index) => {
    const at = (step: GrowthStep): Figures => {
      const found = step.figures[index];
      if (!found) throw new Error(`${what} was not measured at ${step.storedJobs} jobs`);
      return found;
    };
    return [
      row(`${what}: p50, p99 ms`, (step) => [50, 99].map((share) => figure(percentile(at(step).ms, share))).join(", ")),
      row(`the same: CPU ms of the server`, (step) => figure(at(step).cpuMs)),
    ];
  });
  return [
    row("stored jobs", ({ storedJobs }) => storedJobs.toLocaleString("en")),
    row("---", () => "--:"),
    ...calls,
    row("CPU of the server while nobody calls, % of a core", ({ idleShare }) => figure(idleShare * 100)),
    row("document + indexes, bytes a job", ({ bytes }) =>
      bytes ? `${bytes.document.toFixed(0)} + ${bytes.indexes.toFixed(0)}` : "–",
    ),
    row("load of the machine", ({ load }) => load.toFixed(2)),
  ].join("\n");
}
