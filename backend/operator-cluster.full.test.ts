/** The operator's page of a site of several processes. */
import { beforeAll, expect, it } from "vitest";
import type { OperatorState, ProcessReport } from "../common/operator.ts";
import { ofFile } from "./dev/testing/of-file.ts";
import { makeOperator } from "./dev/testing/change-accounts.ts";
import { untilOperatorSees } from "./dev/testing/operator-page.ts";
import { startRedis } from "./dev/stand-ins/redis.ts";
import { convertWithoutTools } from "./dev/testing/test-conversion.ts";
import { startTestServer } from "./dev/testing/test-server.ts";

const redis = await ofFile(startRedis());
const shared = { REDIS_URL: redis.url, DRAIN_MS: "0", hasExtractor: false } as const;
const worker = await ofFile(startTestServer({ ...shared, ROLE: "worker" }, undefined, convertWithoutTools));
const web = await ofFile(startTestServer({ ...shared, ROLE: "web" }, worker));
const operator = await web.newDevice();
beforeAll(async () => {
  await web.signIn(operator, { email: "operator@example.com" });
  await makeOperator(web.mongodbUri, "operator@example.com");
});

const untilPushed = (fits: (state: OperatorState) => boolean) => untilOperatorSees(operator, fits);

it("shows all processes, and pauses the workers of other ones", async () => {
  const { processes } = await untilPushed((state) => state.processes.length === 2);
  expect(processes.map(({ role }) => role).toSorted()).toEqual(["web", "worker"]);
  expect(processes.map(({ isRedisUp }) => isRedisUp)).toEqual([true, true]);

  await operator.call("POST", "/api/operator/acts", { act: "pause" });
  const job = await operator.convert(web.site.urlOf("rain"));
  const waits = ({ intake, queue }: OperatorState) => intake.isPaused && queue.some(({ waiting }) => waiting === 1);
  // The worker looks for tickets several times between two pushes.
  await untilPushed(waits);
  await untilPushed(waits);
  await operator.call("POST", "/api/operator/acts", { act: "resume" });
  await (await operator.live()).untilStatus(job.id, "completed");
});

it("drains a worker of another process, also over a restart of the page, until the worker's process ends", async () => {
  const workerOf = ({ processes }: OperatorState) => processes.find(({ role }) => role === "worker");
  const drained = (state: OperatorState) => workerOf(state)?.workerState === "drained";
  const processId = workerOf(await untilPushed((state) => workerOf(state) !== undefined))?.id ?? "";
  expect((await operator.call("POST", "/api/operator/acts", { act: "drain_worker", processId })).status).toBe(200);
  // A file that is stored already would complete the job at once.
  const job = await operator.convert(`${web.site.urlOf("rain")}?not-stored`);
  await untilPushed(drained);
  await web.stop();
  await web.start();
  const { queue } = await untilPushed(drained);
  expect(queue.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(1);

  await worker.stop();
  await worker.start();
  await (await operator.live()).untilStatus(job.id, "completed");
  const isFresh = ({ id, workerState }: ProcessReport) => id !== processId && workerState === "working";
  await untilPushed(({ processes }) => processes.some(isFresh));
});
