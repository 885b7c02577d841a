/** A collector of OpenTelemetry for tests: takes traces and metrics by OTLP over HTTP, as JSON, and keeps them. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

const Attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({ stringValue: z.string(), intValue: z.number(), doubleValue: z.number() }).partial(),
    }),
  )
  .default([])
  .transform((list) =>
    Object.fromEntries(
      list.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue] as const),
    ),
  );
const Resource = z.object({ attributes: Attributes });
const ReceivedSpan = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: Attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number().optional() }),
});
export type ReceivedSpan = z.infer<typeof ReceivedSpan> & { readonly process: string };

const Traces = z.object({
  resourceSpans: z.array(
    z.object({ resource: Resource, scopeSpans: z.array(z.object({ spans: z.array(ReceivedSpan) })) }),
  ),
});

const Points = <T extends z.ZodRawShape>(value: T) =>
  z.object({ dataPoints: z.array(z.object({ attributes: Attributes, ...value })) });
const ReceivedMetric = z.object({
  name: z.string(),
  gauge: Points({ asDouble: z.number() }).optional(),
  sum: Points({ asDouble: z.number() }).extend({ isMonotonic: z.boolean() }).optional(),
  histogram: Points({
    count: z.coerce.number(),
    sum: z.number(),
    bucketCounts: z.array(z.coerce.number()),
    explicitBounds: z.array(z.number()),
  }).optional(),
});
export type ReceivedMetric = z.infer<typeof ReceivedMetric>;

const Metrics = z.object({
  resourceMetrics: z.array(
    z.object({ resource: Resource, scopeMetrics: z.array(z.object({ metrics: z.array(ReceivedMetric) })) }),
  ),
});

export class OtlpReceiver implements AsyncDisposable {
  /** Everything that was received, as it was sent. */
  readonly bodies: string[] = [];
  readonly spans: ReceivedSpan[] = [];
  /** Of the newest message of each process. */
  readonly metrics = new Map<string, ReceivedMetric[]>();
  /** What happens to requests: they are answered, refused, or never answered. */
  mode: "takes" | "refuses" | "hangs" = "takes";
  readonly #server: Server;
  #onRequest = Promise.withResolvers<void>();

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    return new OtlpReceiver(server);
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves with the next request from now on. */
  nextRequest(): Promise<void> {
    this.#onRequest = Promise.withResolvers<void>();
    return this.#onRequest.promise;
  }

  spansOfJob(jobId: string): ReceivedSpan[] {
    return this.spans.filter(({ attributes }) => attributes["tapedeck.job.id"] === jobId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body: string;
    try {
      body = await text(request);
    } catch {
      // The connection was closed before the message was complete: its sender has been stopped.
      response.destroy();
      return;
    }
    this.bodies.push(body);
    this.#onRequest.resolve();
    if (this.mode === "hangs") return;
    const isTaken = this.mode === "takes";
    response.writeHead(isTaken ? 200 : 400, { "content-type": "application/json" }).end("{}");
    // What is not valid fails the test as an unhandled rejection.
    if (isTaken) this.#keep(request.url, JSON.parse(body));
  }

  #keep(path: string | undefined, message: unknown): void {
    if (path === "/v1/traces")
      for (const { resource, scopeSpans } of Traces.parse(message).resourceSpans) {
        const process = processOf(resource);
        this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, process }))));
      }
    else if (path === "/v1/metrics")
      for (const { resource, scopeMetrics } of Metrics.parse(message).resourceMetrics)
        this.metrics.set(
          processOf(resource),
          scopeMetrics.flatMap(({ metrics }) => metrics),
        );
    else throw new Error(`nothing is sent to ${path}`);
  }
}

function processOf({ attributes }: z.infer<typeof Resource>): string {
  return String(attributes["service.instance.id"]);
}
