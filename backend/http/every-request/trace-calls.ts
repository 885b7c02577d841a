/** How a call of the API becomes part of a trace. What makes the traces is given by the start of the server. */
import type { Context } from "koa";

/** @returns the trace that the call begins; a trace that the caller names is not gone on with */
export type TraceCalls = (call: {
  /** Names the call in the log. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
}) => TracedCall;

export interface TracedCall {
  /** As the header of W3C Trace Context. */
  readonly traceparent: string;
  /** @param answer its `route` has names instead of values, and is absent where no route was found */
  end(answer: { readonly route: string | undefined; readonly status: number }): void;
}

/** @returns the path of the route that koa-router has found, such as /api/conversions/:id */
export function routeOf(ctx: Context): string | undefined {
  const route: unknown = ctx["_matchedRoute"];
  return typeof route === "string" ? route : undefined;
}
