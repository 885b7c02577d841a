/** The cluster as an operator has it, for a short while; `npm run cluster:test` does the same at length. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { startCluster, type Cluster } from "./cluster.ts";
import { GENEROUS, runScenario, type ScenarioOptions } from "./scenario.ts";
import { mergeSettings } from "../../config/settings.ts";

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tapedeck-cluster-"));
  cluster = await startCluster({
    dataDir: folder,
    tools: inject("toolPaths"),
    env: { WORKER_CONCURRENCY: "2" },
    settings: mergeSettings(GENEROUS, { domain: { leaseMs: 6_000 }, worker: { sweepMs: 500 } }),
  });
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const options = (more: Partial<ScenarioOptions>): ScenarioOptions => ({
  owners: 3,
  tabsPerOwner: 2,
  jobsPerOwner: 3,
  atATime: 3,
  linkOf: (n) => `${cluster.site.urlOf("cello")}?n=${n}`,
  patienceMs: 120_000,
  ...more,
});
const part = (parts: Cluster["webs"]) => {
  const [first] = parts;
  if (!first) throw new Error("there is none");
  return first;
};

it("completes every job once and tells everybody the truth while a web process, a worker and Redis are killed", async () => {
  const [web, worker] = [part(cluster.webs), part(cluster.workers)];
  const outcome = await runScenario(cluster, options({}), async (course) => {
    await course.untilHolding(worker);
    await worker.kill();
    await web.kill();
    await Promise.all([worker.start(), web.start()]);
    await course.untilCompleted(3);
    await cluster.redis.kill();
    await course.untilCompleted(4);
    await cluster.redis.start();
  });
  expect(outcome.faults).toEqual([]);
  expect(outcome.furtherAttempts).toBeGreaterThan(0);
});

it("is replaced part by part, and nobody's call fails", async () => {
  const outcome = await runScenario(
    cluster,
    options({ linkOf: (n) => `${cluster.site.urlOf("cello")}?again=${n}` }),
    async (course) => {
      await course.untilCompleted(1);
      for (const one of [...cluster.webs, ...cluster.workers]) {
        await one.stop();
        await one.start();
      }
    },
  );
  expect(outcome.faults).toEqual([]);
});
