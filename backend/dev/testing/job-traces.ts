/** The spans and log lines of jobs, for tests of telemetry. */
import { expect } from "vitest";
import { z } from "zod";
import { Stage } from "../../../common/job.ts";
import type { OtlpReceiver, ReceivedSpan } from "./otlp-receiver.ts";
import type { TestServerOptions } from "./test-server.ts";

/** Long, so that a busy machine loses nothing: what is left is sent when the server stops. */
const PATIENT = { telemetry: { flushMs: 60_000 } };

/** Settings of a server that sends its traces and metrics to this receiver. */
export function tracedBy({ endpoint }: OtlpReceiver, more: TestServerOptions = {}): TestServerOptions {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, settings: PATIENT, ...more };
}

/** @throws Error without such a span */
export function spanNamed(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const span = spans.find((one) => one.name === name);
  if (!span) throw new Error(`no span ${name} among ${spans.map((one) => one.name).join(", ")}`);
  return span;
}

/** @returns the span of the call that created the job with these spans */
export function requestOf(receiver: OtlpReceiver, job: readonly ReceivedSpan[]): ReceivedSpan {
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

/** @returns the lines of a log about a job, checked */
export function linesOf(log: readonly string[], jobId: string) {
  return log.filter((line) => line.includes(jobId)).map((line) => JobLine.parse(JSON.parse(line)));
}

/** @returns the spans right below another one, in the order in which they began */
export function spansBelow(spans: readonly ReceivedSpan[], parent: ReceivedSpan): ReceivedSpan[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent.spanId)
    .toSorted((one, other) => Number(one.startTimeUnixNano - other.startTimeUnixNano));
}

/**
 * Checks that one trace leads from the call that created a job through queue and stages to its end, and that every line
 * of its log names that trace.
 */
export function expectTraceOfJob(receiver: OtlpReceiver, log: readonly string[], jobId: string): void {
  const spans = receiver.spansOfJob(jobId);
  const request = requestOf(receiver, spans);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([request.traceId]));
  const namesBelow = (parent: ReceivedSpan) => spansBelow(spans, parent).map(({ name }) => name);
  expect(namesBelow(request)).toEqual(["queue", "attempt"]);
  const [read, ...stages] = namesBelow(spanNamed(spans, "attempt")).filter((name) => name !== "ended");
  expect(read).toBe("read");
  // A quick machine may be past a stage before its first report.
  expect(stages).not.toEqual([]);
  expect(stages).toEqual(Stage.options.filter((stage) => stages.includes(stage)));

  const lines = linesOf(log, jobId);
  expect(lines.map(({ msg, stage }) => [msg, stage])).toEqual([
    ["job accepted", undefined],
    ["job claimed", undefined],
    ...stages.map((stage) => ["job stage", stage]),
    ["job ended", undefined],
  ]);
  const requestId = request.attributes["tapedeck.request.id"];
  for (const line of lines) expect(line).toMatchObject({ requestId, traceId: request.traceId, attempt: 1 });
  expect(lines.at(-1)).toMatchObject({ code: "completed", seconds: expect.any(Number) });
}
