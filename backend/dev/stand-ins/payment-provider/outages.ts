/** Failures that a test plans: error statuses, broken connections, lost answers. */

export interface Outage {
  /** Pattern that the path must contain. */
  readonly path: RegExp | string;
  readonly method?: string | undefined;
  /** Text that the query or the body of the call must contain, such as an email address. */
  readonly about?: string | undefined;
  /** `network`: the connection breaks before the call runs; `late`: it breaks after the call has run. */
  readonly status: 429 | 500 | "late" | "network";
  /** Number of calls that fail; 1 unless given. */
  readonly times?: number | undefined;
}

export class Outages {
  readonly #planned: { readonly outage: Outage; left: number }[] = [];

  plan(outage: Outage): void {
    this.#planned.push({ outage, left: outage.times ?? 1 });
  }

  /**
   * Finds the first planned outage that matches a call, and counts it.
   * @param details query and body of the call
   */
  next(method: string, path: string, details: string): Outage["status"] | undefined {
    const match = this.#planned.find(
      ({ outage, left }) =>
        left > 0 &&
        (outage.method ?? method) === method &&
        new RegExp(outage.path).test(path) &&
        details.includes(encodeURIComponent(outage.about ?? "")),
    );
    if (match) match.left -= 1;
    return match?.outage.status;
  }
}
