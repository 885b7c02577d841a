/** The spans and log lines of jobs, for tests of telemetry. */
import { z } from "zod";
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
