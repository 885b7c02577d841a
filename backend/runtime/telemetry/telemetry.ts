/** What leaves this process about itself: traces and metrics, if the address of a collector is set. */
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import type { ReadMetrics } from "./metrics-of.ts";
import { UNRECORDED, type Tracer } from "./tracing.ts";

export interface Telemetry {
  readonly tracer: Tracer;
  /** Sends the metrics at intervals, and once more when it is closed. */
  openMetrics(read: ReadMetrics): { close(): Promise<void> };
  /** Sends the spans that are left. */
  close(): Promise<void>;
}

const NONE: Telemetry = {
  tracer: UNRECORDED,
  openMetrics: () => ({ close: () => Promise.resolve() }),
  close: () => Promise.resolve(),
};

/** @param instanceId names this process among all */
export async function openTelemetry({ env, settings }: Config, instanceId: string, log: Logger): Promise<Telemetry> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return NONE;
  const { Collector } = await import("./open-telemetry.ts");
  const collector = new Collector({ endpoint, instanceId, role: env.ROLE, log, ...settings.telemetry });
  return { ...collector.openTracer(), openMetrics: (read) => collector.openMetrics(read) };
}
