/** The operator's page, as far as the server answers and pushes it. */
import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { ErrorBody } from "../common/errors.ts";
import { FoundAccounts, type OperatorAct } from "../common/operator-calls.ts";
import { OperatorHistory, OperatorRecords, OperatorState } from "../common/operator.ts";
import { ConversionError } from "../common/errors.ts";
import { ofFile } from "./dev/testing/of-file.ts";
import { makeOperator } from "./dev/testing/change-accounts.ts";
import { untilOperatorSees } from "./dev/testing/operator-page.ts";
import { convertWithoutTools } from "./dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "./dev/testing/test-server.ts";
import { untilAborted } from "./dev/testing/until-aborted.ts";
import type { Runtime } from "./runtime/runtime.ts";

const OPERATOR = "operator@example.com";
const HOUR_MS = 3_600_000;

/** Replaces the pipeline. The path of the link decides how the conversion ends. */
const convert: Runtime["convert"] = async (request, listener, signal) => {
  listener.found({ title: "A video", exit: "direct" });
  listener.progress({ stage: "download", percent: 10 });
  if (request.url.includes("held")) await untilAborted(signal);
  if (request.url.includes("refused"))
    throw new ConversionError("unavailable", { detail: `[test] abc: cannot read ${request.url}` });
  return convertWithoutTools(request, listener, signal);
};

// Workers look for tickets several times between two pushes.
const settings = { realtime: { operatorPushMs: 200 }, worker: { ticketPollMs: 50 } };
const server = await ofFile(startTestServer({ hasExtractor: false, settings }, undefined, convert));
const operator = await server.newDevice();
const visitor = await server.newDevice();
beforeAll(async () => {
  await server.signIn(operator, { email: OPERATOR });
  await server.signIn(visitor, { email: "visitor@example.com" });
  await makeOperator(server.mongodbUri, OPERATOR);
});

const linkOf = (name: string) => `http://${server.site.host}/watch/${name}`;
const act = (body: OperatorAct | object) => operator.call("POST", "/api/operator/acts", body);

async function read<Shape extends z.ZodType>(schema: Shape, method: string, path: string, body?: object) {
  const answer = await operator.call(method, path, body);
  expect(answer.status).toBe(200);
  return schema.parse(await answer.json());
}
const watch = () => read(OperatorState, "POST", "/api/operator/watch", {});
const records = () => read(OperatorRecords, "GET", "/api/operator/records");

const untilPushed = (fits: (state: OperatorState) => boolean) => untilOperatorSees(operator, fits);

// First, because failures that were read are kept for ten seconds.
it("shows failures with what the tool said, without the link, and retries the job", async () => {
  const job = await visitor.convert(linkOf("refused"));
  await (await visitor.live()).untilStatus(job.id, "failed");
  const { failures } = await untilPushed((state) => state.failures.length > 0);
  expect(failures).toMatchObject([
    { code: "unavailable", count: 1, examples: [{ jobId: job.id, words: "[test] [id]: cannot read [link]" }] },
  ]);
  const { sites } = await untilPushed((state) => state.sites.length > 0);
  expect(sites).toMatchObject([{ asked: 1, completed: 0, failed: 1, refusing: 0, changed: 0 }]);
  expect((await act({ act: "retry_job", jobId: job.id })).status).toBe(200);
  await (await visitor.live()).until(job.id, ({ attempt, status }) => attempt > 1 && status === "failed");
});

describe("who may call", () => {
  it("answers others as if there was no such address", async () => {
    const anonymous = await server.newDevice();
    for (const device of [anonymous, visitor])
      for (const [method, path] of [
        ["POST", "watch"],
        ["GET", "history"],
        ["GET", "records"],
        ["POST", "acts"],
        ["POST", "accounts"],
        ["GET", "accounts/a/export"],
      ] as const) {
        const body = method === "POST" ? {} : undefined;
        const [answer, unknown] = await Promise.all([
          device.call(method, `/api/operator/${path}`, body),
          device.call(method, `/api/no-such-address/${path}`, body),
        ]);
        expect([answer.status, await answer.json()]).toEqual([404, await unknown.json()]);
      }
  });

  it.each(["acts/", "Acts", "/acts", "./acts", "%61cts", "acts%2f", "acts?x=1", "acts;x"])(
    "does nothing for others under the spelling %s",
    async (spelling) => {
      for (const start of ["/api/operator/", "/API/Operator/"]) {
        const answer = await visitor.call("POST", `${start}${spelling}`, { act: "pause" });
        expect(answer.status).toBe(404);
      }
      expect((await watch()).intake.isPaused).toBe(false);
    },
  );

  it("describes the calls of operators to operators only", async () => {
    const describedTo = async (device: TestDevice) => (await device.call("GET", "/api/openapi.json")).text();
    for (const device of [await server.newDevice(), visitor]) {
      const text = await describedTo(device);
      expect(text).toContain("/api/conversions");
      expect(text).not.toMatch(/operator\/|grant_pro|OperatorState/);
    }
    expect(await describedTo(operator)).toMatch(/\/api\/operator\/acts.*grant_pro/);
  });

  it("asks an operator for a fresh sign-in after an hour", async () => {
    const later = await server.newDevice();
    await server.signIn(later, { email: "later@example.com" });
    await makeOperator(server.mongodbUri, "later@example.com");
    expect((await later.call("POST", "/api/operator/watch", {})).status).toBe(200);
    await server.ageSessions("later@example.com", HOUR_MS + 1_000);
    const stale = await later.call("POST", "/api/operator/acts", { act: "pause" });
    expect(ErrorBody.parse(await stale.json()).code).toBe("fresh_sign_in_required");
    expect((await watch()).intake.isPaused).toBe(false);
  });
});

describe("live", () => {
  it("pushes running jobs to operators who look, and to nobody else", async () => {
    const theirs: unknown[] = [];
    (await visitor.live()).socket.on("operator", (state) => theirs.push(state));
    const job = await visitor.convert(linkOf("held-live"));
    const state = await untilPushed(
      ({ running, processes }) =>
        processes.length > 0 && running.some(({ id, stage }) => id === job.id && stage !== null),
    );
    expect(state.running.find(({ id }) => id === job.id)).toMatchObject({ stage: "download", exit: "direct" });
    expect(JSON.stringify(state)).not.toContain("held-live");
    expect(state.processes).toMatchObject([{ role: "all", isRedisUp: null }]);
    expect(state.processes[0]?.freeDiskBytes).toBeGreaterThan(0);
    await untilPushed(({ processes }) => typeof processes[0]?.databaseMs === "number");
    expect(theirs).toEqual([]);
    expect((await act({ act: "cancel_job", jobId: job.id })).status).toBe(200);
    await (await visitor.live()).untilStatus(job.id, "canceled");
    expect((await act({ act: "cancel_job", jobId: job.id })).status).toBe(409);
    expect((await records()).log.slice(0, 2)).toMatchObject([
      { by: OPERATOR, act: "cancel_job", on: job.id, result: "conflict" },
      { by: OPERATOR, act: "cancel_job", on: job.id, result: "done" },
    ]);
  });

  it("draws the last day", async () => {
    const { points } = await read(OperatorHistory, "GET", "/api/operator/history");
    expect(points).toHaveLength(96);
    const jobs = points.reduce((sum, point) => sum + point.jobs, 0);
    expect(jobs).toBeGreaterThan(0);
    expect(points.some(({ waitP95Seconds }) => waitP95Seconds !== null)).toBe(true);
  });
});

describe("pausing", () => {
  it("lets jobs wait, also over a restart, until an operator resumes", async () => {
    expect((await act({ act: "pause" })).status).toBe(200);
    const job = await visitor.convert(linkOf("paused"));
    const waits = ({ intake, queue }: OperatorState) =>
      intake.isPaused && queue.some(({ tier, waiting, running }) => tier === "free" && waiting === 1 && running === 0);
    await untilPushed(waits);
    await untilPushed(waits);
    await server.stop();
    await server.start();
    await untilPushed(waits);
    expect((await act({ act: "resume" })).status).toBe(200);
    await (await visitor.live()).untilStatus(job.id, "completed");
    expect((await watch()).intake.isPaused).toBe(false);
  });
});

describe("draining one worker", () => {
  const workerIs = (wanted: string) => (state: OperatorState) => state.processes[0]?.workerState === wanted;
  const ownProcess = async () => (await untilPushed(({ processes }) => processes.length > 0)).processes[0]?.id ?? "";

  it("lets running jobs finish and takes no others until it is resumed", async () => {
    const processId = await ownProcess();
    const running = await visitor.convert(linkOf("held-drain"));
    const view = await visitor.live();
    await view.until(running.id, ({ status }) => status === "processing");
    expect((await act({ act: "drain_worker", processId })).status).toBe(200);
    const waiting = await visitor.convert(linkOf("drained"));
    await untilPushed(workerIs("draining"));
    expect((await act({ act: "cancel_job", jobId: running.id })).status).toBe(200);
    const drained = await untilPushed(workerIs("drained"));
    expect(drained.intake.isPaused).toBe(false);
    const later = await untilPushed(workerIs("drained"));
    expect(later.queue).toMatchObject([{ tier: "free", waiting: 1, running: 0 }, {}]);
    expect((await act({ act: "resume_worker", processId })).status).toBe(200);
    await view.untilStatus(waiting.id, "completed");
    await untilPushed(workerIs("working"));
    expect((await records()).log.filter(({ act: name }) => name.endsWith("_worker"))).toMatchObject([
      { by: OPERATOR, act: "resume_worker", on: processId, result: "done" },
      { by: OPERATOR, act: "drain_worker", on: processId, result: "done" },
    ]);
  });

  it("stays drained when all are paused and resumed", async () => {
    const processId = await ownProcess();
    await act({ act: "drain_worker", processId });
    await act({ act: "pause" });
    await act({ act: "resume" });
    const job = await visitor.convert(linkOf("twice"));
    await untilPushed(workerIs("drained"));
    expect((await untilPushed(workerIs("drained"))).queue).toMatchObject([{ tier: "free", waiting: 1 }, {}]);
    await act({ act: "resume_worker", processId });
    await (await visitor.live()).untilStatus(job.id, "completed");
  });
});

describe("accounts", () => {
  const accountsOf = async (email: string) =>
    (await read(FoundAccounts, "POST", "/api/operator/accounts", { email })).accounts;

  it("finds an account, changes its tier and exports its data", async () => {
    const [account] = await accountsOf("Visitor@Example.com");
    const userId = account?.id ?? "";
    expect(account).toMatchObject({ tier: "free", isGranted: false, sessions: 1 });
    expect(account?.jobs).toBeGreaterThan(0);
    await act({ act: "grant_pro", userId });
    expect(await accountsOf("visitor@example.com")).toMatchObject([{ tier: "pro", isGranted: true }]);
    await act({ act: "revoke_pro", userId });
    expect(await accountsOf("visitor@example.com")).toMatchObject([{ tier: "free" }]);
    const file = await operator.call("GET", `/api/operator/accounts/${userId}/export`);
    expect(file.headers.get("content-disposition")).toContain("attachment");
    expect(await file.json()).toMatchObject({ user: { id: userId, email: "visitor@example.com" } });
    const { log } = await records();
    expect(log[0]).toMatchObject({ act: "export_account", on: userId, result: "done" });
    expect(JSON.stringify(log)).not.toContain("visitor@example.com");
  });

  it("takes ids only, so that no email address stands in the log", async () => {
    const userId = "visitor@example.com";
    for (const name of ["grant_pro", "revoke_pro", "read_back"])
      expect((await act({ act: name, userId })).status).toBe(400);
    const file = await operator.call("GET", `/api/operator/accounts/${userId}/export`);
    expect(file.status).toBe(404);
    expect(await accountsOf(userId)).toMatchObject([{ tier: "free" }]);
    expect(JSON.stringify((await records()).log)).not.toContain(userId);
  });

  it("are answers that no browser stores", async () => {
    for (const path of ["history", "records"]) {
      const answer = await operator.call("GET", `/api/operator/${path}`);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(answer.headers.get("etag")).toBeNull();
      await answer.body?.cancel();
    }
  });

  it("deletes an account only with the typed confirmation", async () => {
    const leaver = await server.newDevice();
    await server.signIn(leaver, { email: "leaver@example.com" });
    const userId = (await accountsOf("leaver@example.com"))[0]?.id ?? "";
    expect((await act({ act: "delete_account", userId, confirmation: "yes" })).status).toBe(400);
    expect((await act({ act: "delete_account", userId, confirmation: "delete this account" })).status).toBe(200);
    expect(await accountsOf("leaver@example.com")).toEqual([]);
    expect((await leaver.call("GET", "/api/auth/user")).status).toBe(401);
    expect((await act({ act: "delete_account", userId, confirmation: "delete this account" })).status).toBe(404);
  });
});

it("blocks and unblocks, and says what is wrong with a value", async () => {
  expect((await act({ act: "block", kind: "host", value: "not a host", reason: "test" })).status).toBe(400);
  const past = {
    act: "block",
    kind: "host",
    value: "gone.example",
    reason: "Notice 1",
    until: new Date(0).toISOString(),
  };
  expect((await act(past)).status).toBe(400);
  expect((await act({ act: "block", kind: "host", value: "gone.example", reason: "Notice 1" })).status).toBe(200);
  expect((await records()).blocks).toMatchObject([{ kind: "host", value: "gone.example", by: OPERATOR }]);
  expect((await act({ act: "unblock", kind: "host", value: "gone.example" })).status).toBe(200);
  expect((await records()).blocks).toEqual([]);
  expect((await act({ act: "unblock", kind: "host", value: "gone.example" })).status).toBe(404);
});

it("ends with the account's being an operator", async () => {
  await makeOperator(server.mongodbUri, OPERATOR, false);
  expect((await operator.call("POST", "/api/operator/watch", {})).status).toBe(404);
});
