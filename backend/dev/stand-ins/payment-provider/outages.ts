/** Failures that a test plans: error statuses, broken connections, lost answers. */
import { ApiError } from "./api-error.ts";

export interface Outage {
  /** Pattern that the path must contain. */
  readonly path: RegExp | string;
  readonly method?: string | undefined;
  /** Text that the query or the body of the call must contain, such as an email address. */
  readonly about?: string | undefined;
  /** `network`: the connection breaks before the call runs; `late`: it breaks after the call has run. */
  readonly status: 402 | 409 | 429 | 500 | 502 | 503 | "late" | "network";
  /** Number of calls that fail; 1 unless given. */
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

  /**
   * Applies the first planned outage that matches the call, and counts it.
   * @param details query and body of the call
   * @throws ApiError for an outage with a status
   */
  apply(method: string, path: string, details: string): "late" | "network" | undefined {
    const match = this.#planned.find(
      ({ outage, left }) =>
        left > 0 &&
        (outage.method ?? method) === method &&
        new RegExp(outage.path).test(path) &&
        details.includes(encodeURIComponent(outage.about ?? "")),
    );
    if (!match) return undefined;
    match.left -= 1;
    const { status } = match.outage;
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
        "Sorry, an unknown error occurred. Please try again in a little bit, or contact us at " +
        "https://support.stripe.com if the problem persists.",
    });
  }
}
