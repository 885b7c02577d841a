import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConversionError } from "../../../common/errors.ts";
import { expectTraceOfJob, linesOf, requestOf, spanNamed, tracedBy } from "../../dev/testing/job-traces.ts";
import { leadConversions } from "../../dev/testing/led-conversion.ts";
import { OtlpReceiver } from "../../dev/testing/otlp-receiver.ts";
import { convertWithoutTools } from "../../dev/testing/test-conversion.ts";
import { startTestServer, type TestDevice, type TestServer } from "../../dev/testing/test-server.ts";
import type { Runtime } from "../runtime.ts";

const led = leadConversions(1_000);

/** Replaces the pipeline: converts in two stages, or as a test leads it, or fails with the words of a tool. */
const convert: NonNullable<Runtime["convert"]> = async (request, listener, signal) => {
  if (request.url.includes("held")) return await led.convert(request, listener, signal);
  listener.found({ title: "Rain on a window", durationSeconds: 1 });
  if (request.url.includes("gone"))
    throw new ConversionError("unavailable", { detail: `HTTP Error 410: Taken down: ${request.url}` });
  const result = await convertWithoutTools(request, listener, signal);
  listener.progress({ stage: "convert", percent: 80 });
  return result;
};

describe("after the jobs of a server", () => {
  const log: string[] = [];
  const resources = new AsyncDisposableStack();
  let receiver: OtlpReceiver;
  let server: TestServer;
  let good: string;
  let bad: string;
  let retried: string;
  let joined: string;

  /** Cancels a job, retries it, and asks for the same file as another visitor while it is made. */
  async function retryAndJoin(device: TestDevice): Promise<void> {
    const live = await device.live();
    const other = await server.newDevice();
    const otherLive = await other.live();
    const link = server.site.urlOf("held");
    retried = (await device.convert(link)).id;
    await live.untilStatus(retried, "processing");
    await led.next(link);
    await device.call("DELETE", `/api/conversions/${retried}?while=active`);
    await live.untilStatus(retried, "canceled");
    await device.call("POST", `/api/conversions/${retried}/retry`);
    await live.until(retried, ({ attempt, status }) => attempt === 2 && status === "processing");
    joined = (await other.convert(link)).id;
    await otherLive.untilStatus(joined, "processing");
    await (await led.next(link)).finish();
    await live.untilStatus(retried, "completed");
    await otherLive.untilStatus(joined, "completed");
  }

  beforeAll(async () => {
    receiver = resources.use(await OtlpReceiver.start());
    const options = tracedBy(receiver, { hasExtractor: false, onLogLine: (line) => log.push(line) });
    server = resources.use(await startTestServer(options, undefined, convert));
    const device = await server.newDevice();
    const live = await device.live();
    good = (await device.convert(`${server.site.urlOf("rain")}?secret-part-of-a-link`)).id;
    bad = (await device.convert(server.site.urlOf("gone-media"))).id;
    await live.untilStatus(good, "completed");
    await live.untilStatus(bad, "failed");
    const link = server.site.urlOf("rain");
    await device.call("POST", `/api/${encodeURIComponent(link)}?link=${link}`);
    await retryAndJoin(device);
    // What is left is sent when the server stops.
    await server.stop();
  });
  afterAll(() => resources.disposeAsync());

  it("the trace of a job leads from the call through queue, stages and end, and is in every line of its log", () => {
    expectTraceOfJob(receiver, log, good);
    const spans = receiver.spansOfJob(good);
    const request = requestOf(receiver, spans);
    expect(request).not.toHaveProperty("parentSpanId");
    expect(request.attributes).toMatchObject({ "http.response.status_code": 201 });
    expect(spanNamed(spans, "attempt").attributes).toMatchObject({
      "tapedeck.job.attempt": 1,
      "tapedeck.job.code": "completed",
    });
    expect(spanNamed(spans, "ended").attributes).toMatchObject({ "tapedeck.job.code": "completed" });
  });

  it("nothing is said of links, titles and words of tools, not for a failed job either", () => {
    const sent = receiver.bodies.join("\n");
    expect(sent).toContain(good);
    expect(sent).toContain(bad);
    for (const secret of [server.site.host, "watch/", "watch%2F", "secret-part", "Rain on", "Taken down", "HTTP Error"])
      expect(sent).not.toContain(secret);
    const attempt = spanNamed(receiver.spansOfJob(bad), "attempt");
    expect(attempt.status.code).toBe(2);
    expect(attempt.attributes["tapedeck.job.code"]).toBe(
      spanNamed(receiver.spansOfJob(bad), "ended").attributes["tapedeck.job.code"],
    );
  });

  it("the trace of a job begins anew with a retry, and is linked to that of a job which makes the same file", () => {
    const spans = receiver.spansOfJob(retried);
    const ends = spans.filter(({ name }) => name === "ended").map(({ attributes }) => attributes["tapedeck.job.code"]);
    expect(new Set(ends)).toEqual(new Set(["canceled", "completed"]));
    const attempts = spans.filter(({ name }) => name === "attempt");
    const [first, second] = attempts.toSorted((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano));
    expect(first?.attributes["tapedeck.job.code"]).toBe("canceled");
    expect(second?.traceId).not.toBe(first?.traceId);
    const retry = receiver.spans.find(({ spanId }) => spanId === second?.parentSpanId);
    expect(retry?.name).toBe("POST /api/conversions/:id/retry");
    expect(spanNamed(receiver.spansOfJob(joined), "attempt").links).toEqual([
      { traceId: second?.traceId, spanId: second?.spanId },
    ]);
  });

  it("the metrics of the process were sent with their labels", () => {
    const [metrics = []] = receiver.metrics.values();
    const named = (name: string) => metrics.find((metric) => metric.name === name);
    expect(named("tapedeck_jobs_ended_total")?.sum).toEqual({
      isMonotonic: true,
      dataPoints: expect.arrayContaining([
        { attributes: { format: "mp3", outcome: "completed" }, asDouble: 3 },
        { attributes: { format: "mp3", outcome: "canceled" }, asDouble: 1 },
        { attributes: { format: "mp3", outcome: "unavailable" }, asDouble: 1 },
      ]),
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
});

it("has the ids of request and trace in the log without a collector too", async () => {
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
