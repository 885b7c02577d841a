/** Spans as the rest of the server knows them. The SDK of OpenTelemetry is behind this, and is loaded only when used. */
import { randomBytes } from "node:crypto";

export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  readonly name: string;
  readonly kind?: "server" | "consumer";
  /** The header `traceparent` of the span above; a trace begins here without it. */
  readonly parent?: string | undefined;
  /** Now by default. */
  readonly startedAt?: Date | undefined;
  readonly attributes?: Attributes;
}

export interface SpanEnd {
  /** Replaces the name that the span began with. */
  readonly name?: string | undefined;
  readonly attributes?: Attributes;
  readonly isError?: boolean;
}

export interface Span {
  /** Names this span to others, as the header of W3C Trace Context. */
  readonly traceparent: string;
  /** Connects the span with one of another trace. */
  link(traceparent: string): void;
  /** Ends the span now. */
  end(end?: SpanEnd): void;
}

export interface Tracer {
  begin(start: SpanStart): Span;
}

/** version, trace id, span id, flags */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

/** @returns undefined for anything else than a `traceparent` of version 00 */
export function parseTraceParent(traceparent: string): TraceParent | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export function formatTraceParent({ traceId, spanId, flags }: TraceParent): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, "0")}`;
}

/**
 * Makes ids and records nothing. So the log has trace ids also where nobody collects traces, and the flag says that
 * nothing was recorded.
 */
export const UNRECORDED: Tracer = {
  begin({ parent }) {
    const traceId = parseTraceParent(parent ?? "")?.traceId ?? randomBytes(16).toString("hex");
    return {
      traceparent: formatTraceParent({ traceId, spanId: randomBytes(8).toString("hex"), flags: 0 }),
      link: () => undefined,
      end: () => undefined,
    };
  },
};
