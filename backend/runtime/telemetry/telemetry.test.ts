import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Stage } from "../../../common/job.ts";
import { OtlpReceiver, type ReceivedSpan } from "../../dev/testing/otlp-receiver.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { openDevice, startTestServer, type TestServerOptions } from "../../dev/testing/test-server.ts";
import { startRedis } from "../../dev/stand-ins/redis.ts";

/** Long, so that a busy machine loses nothing: what is left is sent when the server stops. */
const PATIENT = { telemetry: { flushMs: 60_000 } };

function tracedBy({ endpoint }: OtlpReceiver, more: TestServerOptions = {}): TestServerOptions {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, settings: PATIENT, ...more };
}

function spanNamed(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const span = spans.find((one) => one.name === name);
  if (!span) throw new Error(`no span ${name} among ${spans.map((one) => one.name).join(", ")}`);
  return span;
}

function requestOf(receiver: OtlpReceiver, job: readonly ReceivedSpan[]): ReceivedSpan {
  const ofTrace = receiver.spans.filter(({ traceId }) => traceId === job[0]?.traceId);
  return spanNamed(ofTrace, "POST /api/conversions");
}

/** What a line of the log about a job has. */
const JobLine = z.looseObject({
  msg: z.string(),
  jobId: z.string(),
  attempt: z.number(),
  requestId: z.uuid(),
  traceId: z.string().length(32),
});

function linesOf(log: readonly string[], jobId: string) {
  return log.filter((line) => line.includes(jobId)).map((line) => JobLine.parse(JSON.parse(line)));
}

describe("the trace of a job", () => {
  it("leads from the call through queue, stages and end, and is in every line of its log", async () => {
    await using receiver = await OtlpReceiver.start();
    const log: string[] = [];
    await using server = await startTestServer(tracedBy(receiver, { onLogLine: (line) => log.push(line) }));
    const device = await server.newDevice();
    const live = await device.live();
    const { id } = await device.convert(server.site.urlOf("rain"));
    await live.untilStatus(id, "completed");
    await server.stop();

    const spans = receiver.spansOfJob(id);
    const request = requestOf(receiver, spans);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([request.traceId]));
    const attempt = spanNamed(spans, "attempt");
    const below = (parent: ReceivedSpan) =>
      spans
        .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
        .toSorted((one, other) => Number(one.startTimeUnixNano - other.startTimeUnixNano))
        .map(({ name }) => name);
    expect(below(request)).toEqual(["queue", "attempt"]);
    const [read, ...stages] = below(attempt).filter((name) => name !== "ended");
    expect(read).toBe("read");
    // A quick machine may be past a stage before its first report.
    expect(stages).not.toEqual([]);
    expect(stages).toEqual(Stage.options.filter((stage) => stages.includes(stage)));
    expect(request).not.toHaveProperty("parentSpanId");
    expect(request.attributes).toMatchObject({ "http.response.status_code": 201 });
    expect(attempt.attributes).toMatchObject({ "tapedeck.job.attempt": 1, "tapedeck.job.code": "completed" });
    expect(spanNamed(spans, "ended").attributes).toMatchObject({ "tapedeck.job.code": "completed" });

    const lines = linesOf(log, id);
    expect(lines.map(({ msg, stage }) => [msg, stage])).toEqual([
      ["job accepted", undefined],
      ["job claimed", undefined],
      ...stages.map((stage) => ["job stage", stage]),
      ["job ended", undefined],
    ]);
    const requestId = request.attributes["tapedeck.request.id"];
    for (const line of lines) expect(line).toMatchObject({ requestId, traceId: request.traceId, attempt: 1 });
    expect(lines.at(-1)).toMatchObject({ code: "completed", seconds: expect.any(Number) });
  });

  it("has stages that follow each other within the attempt", async () => {
    await using receiver = await OtlpReceiver.start();
    await using server = await startTestServer(tracedBy(receiver));
    const device = await server.newDevice();
    const { id } = await device.convert(server.site.urlOf("rain"), "mp4");
    await (await device.live()).untilStatus(id, "completed");
    await server.stop();
    const spans = receiver.spansOfJob(id);
    const attempt = spanNamed(spans, "attempt");
    const stages = spans
      .filter(({ parentSpanId, name }) => parentSpanId === attempt.spanId && name !== "ended")
      .toSorted((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano));
    expect(stages[0]?.name).toBe("read");
    for (const [index, stage] of stages.entries()) {
      expect(stage.startTimeUnixNano).toBeGreaterThanOrEqual(
        stages[index - 1]?.endTimeUnixNano ?? attempt.startTimeUnixNano,
      );
      expect(stage.endTimeUnixNano).toBeLessThanOrEqual(attempt.endTimeUnixNano);
    }
  });

  it("says nothing of links, titles and words of tools, not for a failed job either", async () => {
    await using receiver = await OtlpReceiver.start();
    await using server = await startTestServer(tracedBy(receiver));
    const device = await server.newDevice();
    const live = await device.live();
    const good = await device.convert(`${server.site.urlOf("rain")}?secret-part-of-a-link`);
    const bad = await device.convert(server.site.urlOf("gone-media"));
    await live.untilStatus(good.id, "completed");
    await live.untilStatus(bad.id, "failed");
    await device.call(
      "POST",
      `/api/${encodeURIComponent(server.site.urlOf("rain"))}?link=${server.site.urlOf("rain")}`,
    );
    await server.stop();
    const sent = receiver.bodies.join("\n");
    expect(sent).toContain(good.id);
    expect(sent).toContain(bad.id);
    for (const secret of [server.site.host, "watch/", "watch%2F", "secret-part", "Rain on", "Taken down", "HTTP Error"])
      expect(sent).not.toContain(secret);
    const attempt = spanNamed(receiver.spansOfJob(bad.id), "attempt");
    expect(attempt.status.code).toBe(2);
    expect(attempt.attributes["tapedeck.job.code"]).toBe(
      spanNamed(receiver.spansOfJob(bad.id), "ended").attributes["tapedeck.job.code"],
    );
  });

  it("begins anew with a retry, and is linked to that of a job which makes the same file", async () => {
    await using receiver = await OtlpReceiver.start();
    await using server = await startTestServer(tracedBy(receiver));
    const device = await server.newDevice();
    const other = await server.newDevice();
    const live = await device.live();
    const link = server.site.urlOf("held");
    const job = await device.convert(link);
    await live.untilStatus(job.id, "processing");
    await device.call("DELETE", `/api/conversions/${job.id}?while=active`);
    await live.untilStatus(job.id, "canceled");
    await device.call("POST", `/api/conversions/${job.id}/retry`);
    await live.until(job.id, ({ attempt, status }) => attempt === 2 && status === "processing");
    const joined = await other.convert(link);
    const otherLive = await other.live();
    await otherLive.untilStatus(joined.id, "processing");
    server.site.release(link);
    await live.untilStatus(job.id, "completed");
    await otherLive.untilStatus(joined.id, "completed");
    await server.stop();

    const spans = receiver.spansOfJob(job.id);
    const ends = spans.filter(({ name }) => name === "ended").map(({ attributes }) => attributes["tapedeck.job.code"]);
    expect(new Set(ends)).toEqual(new Set(["canceled", "completed"]));
    const attempts = spans.filter(({ name }) => name === "attempt");
    const [first, second] = attempts.toSorted((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano));
    expect(first?.attributes["tapedeck.job.code"]).toBe("canceled");
    expect(second?.traceId).not.toBe(first?.traceId);
    const retry = receiver.spans.find(({ spanId }) => spanId === second?.parentSpanId);
    expect(retry?.name).toBe("POST /api/conversions/:id/retry");
    expect(spanNamed(receiver.spansOfJob(joined.id), "attempt").links).toEqual([
      { traceId: second?.traceId, spanId: second?.spanId },
    ]);
  });

  it("leads through two processes", async () => {
    await using receiver = await OtlpReceiver.start();
    await using stack = new AsyncDisposableStack();
    const redis = stack.adopt(await startRedis(), (one) => one.stop());
    const shared = { REDIS_URL: redis.url, DRAIN_MS: "0" };
    const log: string[] = [];
    const onLogLine = (line: string): void => void log.push(line);
    const worker = stack.use(await startTestServer(tracedBy(receiver, { ...shared, ROLE: "worker", onLogLine })));
    const ofSite = { ...shared, ROLE: "web", hasExtractor: false, onLogLine };
    const web = stack.use(await startTestServer(tracedBy(receiver, ofSite), worker));
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

it("sends the metrics of the process with their labels", async () => {
  await using receiver = await OtlpReceiver.start();
  await using server = await startTestServer(
    tracedBy(receiver, { hasExtractor: false }),
    undefined,
    convertWithoutTools,
  );
  const device = await server.newDevice();
  const { id } = await device.convert(server.site.urlOf("rain"));
  await (await device.live()).untilStatus(id, "completed");
  await server.stop();
  const [metrics = []] = receiver.metrics.values();
  const named = (name: string) => metrics.find((metric) => metric.name === name);
  expect(named("tapedeck_jobs_ended_total")?.sum).toEqual({
    isMonotonic: true,
    dataPoints: [{ attributes: { format: "mp3", outcome: "completed" }, asDouble: 1 }],
  });
  // Read from the database, which is still open when the last metrics are sent.
  expect(named("tapedeck_jobs_waiting")?.gauge?.dataPoints).toEqual(
    expect.arrayContaining([{ attributes: { tier: "free" }, asDouble: 0 }]),
  );
  for (const { count, bucketCounts, explicitBounds } of named("nodejs_gc_duration_seconds")?.histogram?.dataPoints ??
    []) {
    expect(bucketCounts.length).toBe(explicitBounds.length + 1);
    expect(bucketCounts.reduce((sum, one) => sum + one, 0)).toBe(count);
  }
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
    const gone = createServer().listen(0, "127.0.0.1");
    await once(gone, "listening");
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const log: string[] = [];
    await convertOne(`http://127.0.0.1:${port}`, log);
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

describe("without a collector", () => {
  it("loads nothing of the SDK but the interface, which prom-client loads", async () => {
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

  it("has the ids of request and trace in the log all the same", async () => {
    const log: string[] = [];
    const options = { hasExtractor: false, onLogLine: (line: string): void => void log.push(line) };
    await using server = await startTestServer(options, undefined, convertWithoutTools);
    const device = await server.newDevice();
    const { id } = await device.convert(server.site.urlOf("rain"));
    await (await device.live()).untilStatus(id, "completed");
    const lines = linesOf(log, id);
    expect(lines.length).toBeGreaterThan(2);
    expect(new Set(lines.map(({ requestId, traceId }) => `${requestId} ${traceId}`)).size).toBe(1);
  });
});
