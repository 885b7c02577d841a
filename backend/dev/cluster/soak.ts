/**
 * `npm run cluster:test`: two hundred conversions for twenty visitors with a hundred open pages, while one web process,
 * one worker and Redis are killed once each; then the same while every process is replaced in turn. Takes some
 * minutes. `-- 40` sets another number of conversions.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareToolsOfCheckout } from "../setup/tools.ts";
import { startCluster, type Cluster, type ClusterPart } from "./cluster.ts";
import { CLUSTER_SETTINGS, runScenario, type Course, type Outcome } from "./scenario.ts";
import { mergeSettings } from "../../config/settings.ts";

const OWNERS = 20;
const TABS_PER_OWNER = 5;
const JOBS = Number(process.argv[2] ?? "200");
const AT_A_TIME = 3;
const END_TIMEOUT_MS = 4 * 60 * 1_000;

const startedAtMs = Date.now();
const report = (line: string) =>
  process.stdout.write(`${((Date.now() - startedAtMs) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);

function part(parts: readonly ClusterPart[]): ClusterPart {
  const [first] = parts;
  if (!first) throw new Error("the cluster has no such part");
  return first;
}

async function killEachOnce(cluster: Cluster, course: Course): Promise<void> {
  const web = part(cluster.webs);
  const worker = part(cluster.workers);
  await course.untilCompleted(JOBS * 0.1);
  report(`SIGKILL to ${web.name}, which half of the pages are connected to`);
  await web.kill();
  await course.untilCompleted(JOBS * 0.2);
  await web.start();
  report(`${web.name} is back`);
  await course.untilCompleted(JOBS * 0.3);
  await course.untilConverting(worker);
  report(`SIGKILL to ${worker.name} during a conversion`);
  await worker.kill();
  await course.untilCompleted(JOBS * 0.45);
  await worker.start();
  report(`${worker.name} is back`);
  await course.untilCompleted(JOBS * 0.6);
  report("SIGKILL to Redis");
  await cluster.redis.kill();
  await course.untilCompleted(JOBS * 0.65);
  await cluster.redis.start();
  report("Redis is back, empty");
}

async function replaceAll(cluster: Cluster, course: Course): Promise<void> {
  await course.untilCompleted(JOBS * 0.1);
  for (const one of [...cluster.webs, ...cluster.workers]) {
    const beforeMs = Date.now();
    await one.stop();
    await one.start();
    report(`${one.name} was replaced (${((Date.now() - beforeMs) / 1_000).toFixed(1)} s)`);
  }
}

function print(
  name: string,
  { seconds, jobs, calls, furtherAttempts, snapshots, recoveries, downloadedBytes, faults }: Outcome,
): void {
  report(`${name}: ${jobs} jobs in ${seconds.toFixed(0)} s, ${furtherAttempts} further attempts so far`);
  const downloadedMb = (downloadedBytes / 1e6).toFixed(1);
  report(
    `  ${calls.calls} calls, ${calls.retried} retries, ${calls.failed.length} failed; ${downloadedMb} MB downloaded`,
  );
  report(`  pages received ${snapshots} snapshots, ${recoveries} times after the events that they had missed`);
  report(faults.length === 0 ? "  no faults" : `  FAULTS:\n${faults.map((fault) => `    ${fault}`).join("\n")}`);
  if (faults.length > 0) process.exitCode = 1;
}

const folder = await mkdtemp(join(tmpdir(), "tapedeck-soak-"));
try {
  const tools = await prepareToolsOfCheckout(report);
  const settings = mergeSettings(CLUSTER_SETTINGS, { domain: { leaseMs: 6_000 }, worker: { sweepMs: 1_000 } });
  await using cluster = await startCluster({ dataDir: folder, tools, settings, report });
  const options = {
    owners: OWNERS,
    tabsPerOwner: TABS_PER_OWNER,
    jobsPerOwner: JOBS / OWNERS,
    atATime: AT_A_TIME,
    endTimeoutMs: END_TIMEOUT_MS,
    report,
  };
  const link = cluster.site.urlOf("cello");
  print(
    "killed",
    await runScenario(cluster, { ...options, linkOf: (n) => `${link}?killed=${n}` }, (course) =>
      killEachOnce(cluster, course),
    ),
  );
  print(
    "replaced",
    await runScenario(cluster, { ...options, linkOf: (n) => `${link}?replaced=${n}` }, (course) =>
      replaceAll(cluster, course),
    ),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
