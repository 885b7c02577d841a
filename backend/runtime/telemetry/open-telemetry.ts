/** The only module that loads the SDK of OpenTelemetry. It is imported when the address of a collector is set. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type SpanContext } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, resourceFromAttributes, type Resource } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { within } from "../../../common/waiting.ts";
import { metricsOf, type ReadMetrics } from "./metrics-of.ts";
import { formatTraceParent, parseTraceParent, type Tracer } from "./tracing.ts";

const SCOPE = "tapedeck";

export interface CollectorSettings {
  /** Address of the collector. */
  readonly endpoint: string;
  /** Names this process among all. */
  readonly instanceId: string;
  readonly role: string;
  /** Longest time that the end of each exporter waits for the collector. */
  readonly flushMs: number;
  /** Interval between two sendings of the metrics. */
  readonly metricsMs: number;
  readonly log: { info(text: string): void; warn(data: object, text: string): void };
}

/** An exporter of the SDK, as far as its results are watched. */
interface Exporter<T> {
  export(items: T, done: (result: { readonly error?: Error }) => void): void;
}

/**
 * Sends to one collector. Spans are sent in the background; while the collector does not answer, a bounded number is
 * kept and the rest is dropped.
 */
export class Collector {
  readonly #settings: CollectorSettings;
  readonly #resource: Resource;
  #isFailing = false;

  constructor(settings: CollectorSettings) {
    this.#settings = settings;
    const { instanceId, role } = settings;
    this.#resource = defaultResource().merge(
      resourceFromAttributes({ "service.name": SCOPE, "service.instance.id": instanceId, "tapedeck.role": role }),
    );
  }

  openTracer(): { readonly tracer: Tracer; close(): Promise<void> } {
    const exporter = new OTLPTraceExporter({ url: this.#urlOf("traces") });
    this.#watch(exporter);
    const provider = new TracerProvider({
      resource: this.#resource,
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    const sdkTracer = provider.getTracer(SCOPE);
    const tracer: Tracer = {
      begin({ name, kind, parent, startedAt, attributes = {} }) {
        const span = sdkTracer.startSpan(
          name,
          {
            kind: kind === "server" ? SpanKind.SERVER : kind === "consumer" ? SpanKind.CONSUMER : SpanKind.INTERNAL,
            attributes,
            ...(startedAt === undefined ? {} : { startTime: startedAt }),
          },
          contextOf(parent),
        );
        const { traceId, spanId, traceFlags } = span.spanContext();
        return {
          traceparent: formatTraceParent({ traceId, spanId, flags: traceFlags }),
          link(traceparent) {
            const context = spanContextOf(traceparent);
            if (context) span.addLink({ context });
          },
          end({ name: newName, attributes: more = {}, isError = false } = {}) {
            if (newName !== undefined) span.updateName(newName);
            span.setAttributes(more);
            if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
            // The start has whole milliseconds too, so a span never begins before the end of the one before it.
            span.end(new Date());
          },
        };
      },
    };
    return { tracer, close: () => this.#within(provider.shutdown()) };
  }

  /** @param read gives all metrics of the process */
  openMetrics(read: ReadMetrics): { close(): Promise<void> } {
    const exporter = new OTLPMetricExporter({ url: this.#urlOf("metrics") });
    this.#watch(exporter);
    const startedMs = Date.now() - process.uptime() * 1_000;
    const collect = async () => ({
      resourceMetrics: {
        resource: this.#resource,
        scopeMetrics: [{ scope: { name: SCOPE }, metrics: metricsOf(await read(), startedMs, Date.now()) }],
      },
      errors: [],
    });
    const reader = new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis: this.#settings.metricsMs,
      metricProducers: [{ collect }],
    });
    const provider = new MeterProvider({ resource: this.#resource, readers: [reader] });
    return { close: () => this.#within(provider.shutdown()) };
  }

  #urlOf(signal: "traces" | "metrics"): string {
    return `${this.#settings.endpoint.replace(/\/+$/, "")}/v1/${signal}`;
  }

  /** Logs once that the collector does not take what it is sent, and once that it does again. */
  #watch<T>(exporter: Exporter<T>): void {
    const send = exporter.export.bind(exporter);
    exporter.export = (items, done) =>
      send(items, (result) => {
        this.#report(result.error);
        done(result);
      });
  }

  #report(error: Error | undefined): void {
    const isFailing = error !== undefined;
    if (isFailing === this.#isFailing) return;
    this.#isFailing = isFailing;
    const { log } = this.#settings;
    if (isFailing) log.warn({ error }, "the collector of traces and metrics does not take them; they are dropped");
    else log.info("the collector of traces and metrics takes them again");
  }

  /** Waits for the collector, but not for long: the server stops in order without it too. */
  async #within(closed: Promise<unknown>): Promise<void> {
    // What could not be sent has been logged.
    await within(this.#settings.flushMs, Promise.allSettled([closed]));
  }
}

function contextOf(parent: string | undefined): Context {
  const spanContext = parent === undefined ? undefined : spanContextOf(parent);
  return spanContext ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}

function spanContextOf(traceparent: string): SpanContext | undefined {
  const parsed = parseTraceParent(traceparent);
  return parsed && { traceId: parsed.traceId, spanId: parsed.spanId, traceFlags: parsed.flags };
}
