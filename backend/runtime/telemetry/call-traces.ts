import type { TraceCalls } from "../../http/every-request/trace-calls.ts";
import { UNRECORDED, type Tracer } from "./tracing.ts";

/** Calls that only read are many, and part of no job. */
const CHANGING: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Records each call of the API that may change something, by the name of its route: a path may hold anything. */
export function createTraceCalls(tracer: Tracer): TraceCalls {
  return ({ id, method, path }) => {
    const isRecorded = CHANGING.has(method) && path.startsWith("/api/");
    const span = (isRecorded ? tracer : UNRECORDED).begin({
      name: method,
      kind: "server",
      attributes: { "http.request.method": method, "tapedeck.request.id": id },
    });
    return {
      traceparent: span.traceparent,
      end: ({ route, status }) =>
        span.end({
          name: route === undefined ? undefined : `${method} ${route}`,
          attributes: {
            "http.response.status_code": status,
            ...(route === undefined ? {} : { "http.route": route }),
          },
          isError: status >= 500,
        }),
    };
  };
}
