import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { Job } from "../../../common/job.ts";
import { expectTraceOfJob, linesOf, requestOf, spanNamed, spansBelow, tracedBy } from "../../dev/testing/job-traces.ts";
import { OtlpReceiver } from "../../dev/testing/otlp-receiver.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { openDevice, startTestServer } from "../../dev/testing/test-server.ts";
import { startRedis } from "../../dev/stand-ins/redis.ts";

describe("the trace of a job", () => {
  it("has the stages of real tools, which follow each other within the attempt, and is in every line of its log", async () => {
    await using receiver = await OtlpReceiver.start();
    const log: string[] = [];
    await using server = await startTestServer(tracedBy(receiver, { onLogLine: (line) => log.push(line) }));
    const device = await server.newDevice();
    const live = await device.live();
    const answer = await device.call("POST", "/api/conversions", {
      youtubeUrl: server.site.urlOf("rain"),
      format: "mp4",
      // Enough of it to be encoded.
      choices: { part: { startSeconds: 0, endSeconds: 4 } },
    });
    const { id } = Job.parse(await answer.json());
    await live.untilStatus(id, "completed");
    await server.stop();

    expectTraceOfJob(receiver, log, id);
    const spans = receiver.spansOfJob(id);
    const attempt = spanNamed(spans, "attempt");
    const inOrder = spansBelow(spans, attempt).filter(({ name }) => name !== "ended");
    for (const [index, stage] of inOrder.entries()) {
      expect(stage.startTimeUnixNano).toBeGreaterThanOrEqual(
        inOrder[index - 1]?.endTimeUnixNano ?? attempt.startTimeUnixNano,
      );
      expect(stage.endTimeUnixNano).toBeLessThanOrEqual(attempt.endTimeUnixNano);
    }
  });

  it("leads through two processes", async () => {
    await using receiver = await OtlpReceiver.start();
    await using stack = new AsyncDisposableStack();
    const redis = stack.adopt(await startRedis(), (one) => one.stop());
    const log: string[] = [];
    const onLogLine = (line: string): void => void log.push(line);
    const shared = { REDIS_URL: redis.url, DRAIN_MS: "0", hasExtractor: false, onLogLine };
    const ofWorker = tracedBy(receiver, { ...shared, ROLE: "worker" });
    const worker = stack.use(await startTestServer(ofWorker, undefined, convertWithoutTools));
    const web = stack.use(await startTestServer(tracedBy(receiver, { ...shared, ROLE: "web" }), worker));
    const device = await openDevice(web.origin);
    stack.defer(() => device.close());
    const { id } = await device.convert(worker.site.urlOf("rain"));
    await (await device.live()).untilStatus(id, "completed");
    device.close();
    await web.stop();
    await worker.stop();

    const spans = receiver.spansOfJob(id);
    const request = requestOf(receiver, spans);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([request.traceId]));
    expect(new Set(spans.map(({ process }) => process)).size).toBe(1);
    expect(spanNamed(spans, "attempt").process).not.toBe(request.process);
    const lines = linesOf(log, id);
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(["job accepted", "job claimed", "job ended"]));
    expect(new Set(lines.map(({ traceId }) => traceId))).toEqual(new Set([request.traceId]));
    expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(1);
  });
});

describe("a collector that is of no use", () => {
  async function convertOne(
    endpoint: string,
    log: string[],
    meanwhile: () => unknown = () => undefined,
  ): Promise<void> {
    const options = {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      hasExtractor: false,
      onLogLine: (line: string): void => void log.push(line),
      settings: { telemetry: { flushMs: 50, metricsMs: 1_000 } },
    };
    await using server = await startTestServer(options, undefined, convertWithoutTools);
    const device = await server.newDevice();
    const { id } = await device.convert(server.site.urlOf("rain"));
    await (await device.live()).untilStatus(id, "completed");
    await meanwhile();
    await server.stop();
  }

  it("does not keep jobs or the stop waiting when it never answers", async () => {
    await using receiver = await OtlpReceiver.start();
    receiver.mode = "hangs";
    const asked = receiver.nextRequest();
    await convertOne(receiver.endpoint, [], () => asked);
    expect(receiver.spans).toEqual([]);
  });

  it("does not keep jobs or the stop waiting when it is down", async () => {
    const log: string[] = [];
    // Another test may take a port that was free; nobody takes this one.
    await convertOne("http://127.0.0.1:9", log);
    expect(log.some((line) => line.includes("job ended"))).toBe(true);
  });

  it("is named in the log once when it refuses what it is sent", async () => {
    await using receiver = await OtlpReceiver.start();
    receiver.mode = "refuses";
    const log: string[] = [];
    const said = () => log.filter((line) => line.includes("does not take them")).length;
    await convertOne(receiver.endpoint, log, async () => {
      await expect.poll(said).toBe(1);
      await receiver.nextRequest();
    });
    expect(said()).toBe(1);
  });
});

it("without a collector loads nothing of the SDK but the interface, which prom-client loads", async () => {
  const script = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      await import("./backend/server.ts");
      const { openTelemetry } = await import("./backend/runtime/telemetry/telemetry.ts");
      const { readConfig } = await import("./backend/config/config.ts");
      const { tracer } = await openTelemetry(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: process.argv[1] }), "a", {});
      tracer.begin({ name: "one" }).end();
      console.log(loaded.filter((url) => /@opentelemetry.(?!api)/.test(url)).length);
      process.exit(0);`;
  const root = join(import.meta.dirname, "../../..");
  const modulesFor = async (endpoint: string): Promise<number> => {
    const args = ["--input-type=module", "-e", script, endpoint];
    return Number((await promisify(execFile)(process.execPath, args, { cwd: root })).stdout);
  };
  expect(await modulesFor("")).toBe(0);
  expect(await modulesFor("http://127.0.0.1:4318")).toBeGreaterThan(0);
});
