import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { describe, expect, it } from "vitest";
import { BatchAnswer, JobList } from "../../../common/api.ts";
import { ErrorBody } from "../../../common/errors.ts";
import { Job } from "../../../common/job.ts";
import { ofFile } from "../../dev/testing/of-file.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice } from "../../dev/testing/test-server.ts";

const server = await ofFile(startTestServer({ hasExtractor: false }, undefined, convertWithoutTools));

const VIDEO = "https://youtu.be/dQw4w9WgXcQ";
const ask = (device: TestDevice, key: string, body: object = { youtubeUrl: VIDEO, format: "mp3" }) =>
  device.call("POST", "/api/conversions", body, { "idempotency-key": key });
const jobsOf = async (device: TestDevice) => JobList.parse(await (await device.call("GET", "/api/conversions")).json());

describe("a request that is sent again with the same idempotency key", () => {
  it("is answered with the same job each time", async () => {
    const device = await server.newDevice();
    const key = randomUUID();
    const answers = [await ask(device, key), await ask(device, key), await ask(device, key)];
    const jobs = await Promise.all(answers.map(async (answer) => Job.parse(await answer.json())));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(await jobsOf(device)).toHaveLength(1);
  });

  it("creates one job when ten arrive at the same moment", async () => {
    const device = await server.newDevice();
    const key = randomUUID();
    const jobs = await Promise.all(
      Array.from({ length: 10 }, async () => Job.parse(await (await ask(device, key)).json())),
    );
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(await jobsOf(device)).toHaveLength(1);
  });

  it("is refused with 409 when its body is different", async () => {
    const device = await server.newDevice();
    const key = randomUUID();
    await ask(device, key);
    for (const body of [
      { youtubeUrl: VIDEO, format: "mp4" },
      { youtubeUrl: "https://youtu.be/dQw4w9WgXcR", format: "mp3" },
    ]) {
      const refused = await ask(device, key, body);
      expect([refused.status, ErrorBody.parse(await refused.json()).code]).toEqual([409, "conflict"]);
    }
    expect(await jobsOf(device)).toHaveLength(1);
  });

  it("creates a new job a day later", async () => {
    const device = await server.newDevice();
    const key = randomUUID();
    const first = Job.parse(await (await ask(device, key)).json());
    const connection = await mongoose.createConnection(server.mongodbUri).asPromise();
    await connection
      .collection<{ _id: string }>("jobs")
      .updateOne({ _id: first.id }, { $set: { createdAt: new Date(Date.now() - 24 * 3_600_000) } });
    await connection.close();
    const next = Job.parse(await (await ask(device, key, { youtubeUrl: VIDEO, format: "mp4" })).json());
    expect(next.id).not.toBe(first.id);
  });

  it("finds its job after signing in, and not after signing out", async () => {
    const device = await server.newDevice();
    const key = randomUUID();
    const first = Job.parse(await (await ask(device, key)).json());
    await server.signIn(device, { email: "again@example.com" });
    expect(Job.parse(await (await ask(device, key)).json()).id).toBe(first.id);
    await device.call("GET", "/api/logout");
    expect((await ask(device, key)).status).toBe(409);
  });
});

it("keeps keys of different devices apart, and creates a job per request without a key", async () => {
  const one = await server.newDevice();
  const two = await server.newDevice();
  const key = randomUUID();
  await ask(one, key);
  await ask(two, key);
  const body = { youtubeUrl: VIDEO, format: "mp3" };
  for (let n = 0; n < 2; n += 1) await two.call("POST", "/api/conversions", body);
  expect([(await jobsOf(one)).length, (await jobsOf(two)).length]).toEqual([1, 3]);
});

it("answers a repeated batch with the same jobs and the same refused links", async () => {
  const device = await server.newDevice();
  await server.signIn(device, { email: "batch@example.com" });
  await server.setTier("batch@example.com", "pro");
  const key = randomUUID();
  const send = (urls: string[]) =>
    device.call("POST", "/api/batch-conversions", { urls, format: "mp3" }, { "idempotency-key": key });
  const urls = [VIDEO, "cats", "https://youtu.be/dQw4w9WgXcR"];
  const [first, second] = await Promise.all(
    [send(urls), send(urls)].map(async (answer) => BatchAnswer.parse(await (await answer).json())),
  );
  expect(second?.batchId).toBe(first?.batchId);
  expect(second?.jobs.map(({ id }) => id)).toEqual(first?.jobs.map(({ id }) => id));
  expect(second?.refused).toEqual(first?.refused);
  expect(await jobsOf(device)).toHaveLength(2);
  expect((await send([VIDEO])).status).toBe(409);
});

it.each([
  ["of 200 characters", "x".repeat(200), 201],
  ["of 201 characters", "x".repeat(201), 400],
  ["of the first and the last printable character", "!~", 201],
  ["with a space", "a b", 400],
])("answers a key %s", async (_, key, status) => {
  expect((await ask(await server.newDevice(), key)).status).toBe(status);
});
