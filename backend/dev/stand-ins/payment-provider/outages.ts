/** Trouble on request: refused, broken, or done without an answer. */
import { ApiError } from "./api-error.ts";

export interface Outage {
  /** Matched against the path. */
  readonly path: RegExp | string;
  readonly method?: string | undefined;
  /**
   * A status; `network`: the connection is cut before anything happens; `late`: it is done, but the answer never comes.
   */
  readonly status: 402 | 409 | 429 | 500 | 502 | 503 | "late" | "network";
  /** How many calls it strikes; 1 when absent. */
  readonly times?: number | undefined;
}

export class Outages {
  #planned: { readonly outage: Outage; left: number }[] = [];

  plan(outage: Outage): void {
    this.#planned.push({ outage, left: outage.times ?? 1 });
  }

  clear(): void {
    this.#planned = [];
  }

  /** Whether this call is struck; counts it. @throws ApiError for those with a status */
  strike(method: string, path: string): "late" | "network" | undefined {
    const struck = this.#planned.find(
      ({ outage, left }) => left > 0 && (outage.method ?? method) === method && new RegExp(outage.path).test(path),
    );
    if (!struck) return undefined;
    struck.left -= 1;
    const { status } = struck.outage;
    if (status === "late" || status === "network") return status;
    if (status === 429)
      throw new ApiError(429, {
        type: "invalid_request_error",
        code: "rate_limit",
        message: "Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.",
      });
    throw new ApiError(status, {
      type: "api_error",
      message:
        "Sorry, an unknown error occurred. Please try again in a little bit, or contact us at https://support.stripe.com if the problem persists.",
    });
  }
}
