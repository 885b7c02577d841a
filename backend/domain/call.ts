/** A call of the API as logs and traces name it. It says nothing of who called, and never leaves the server. */
export interface Call {
  /** Names the call in the log. */
  readonly id: string;
  /** Trace and span of the call, as the header `traceparent` of W3C Trace Context has them. */
  readonly traceparent: string;
}

/** @returns the id of the trace, as logs and traces show it */
export function traceIdOf({ traceparent }: Pick<Call, "traceparent">): string | undefined {
  return traceparent.split("-")[1];
}
