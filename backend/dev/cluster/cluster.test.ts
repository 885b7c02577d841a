/** A short test of the whole cluster; `npm run cluster:test` is the long one. */
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { testFolder } from "../testing/test-folder.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { CLUSTER_SETTINGS, runScenario, type ScenarioOptions } from "./scenario.ts";
import { mergeSettings } from "../../config/settings.ts";

const folder = await testFolder();
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({
    dataDir: folder,
    tools: inject("toolPaths"),
    env: { WORKER_CONCURRENCY: "2" },
    settings: mergeSettings(CLUSTER_SETTINGS, { domain: { leaseMs: 6_000 }, worker: { sweepMs: 500 } }),
  });
});
afterAll(() => cluster?.[Symbol.asyncDispose]());

const options = (more: Partial<ScenarioOptions>): ScenarioOptions => ({
  owners: 3,
  tabsPerOwner: 2,
  jobsPerOwner: 3,
  atATime: 3,
  linkOf: (n) => `${cluster.site.urlOf("cello")}?n=${n}`,
  endTimeoutMs: 120_000,
  ...more,
});
const part = (parts: Cluster["webs"]) => {
  const [first] = parts;
  if (!first) throw new Error("the cluster has no such part");
  return first;
};

it("completes every job once and shows true lists while a web process, a worker and Redis are killed", async () => {
  const web = part(cluster.webs);
  const worker = part(cluster.workers);
  const outcome = await runScenario(cluster, options({}), async (course) => {
    await course.untilConverting(worker);
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

it("fails no call while every process is replaced in turn", async () => {
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
