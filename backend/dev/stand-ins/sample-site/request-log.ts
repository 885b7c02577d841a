/** The requests that the sample site received, for tests to read or wait for. */
export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly range?: string;
  readonly userAgent?: string;
}

interface Waiter {
  readonly path: string;
  readonly nth: number;
  readonly resolve: (request: RecordedRequest) => void;
}

export class RequestLog {
  readonly requests: RecordedRequest[] = [];
  readonly #counts = new Map<string, number>();
  #waiters: Waiter[] = [];

  /** @returns number of requests for the path so far, this one included */
  record(request: RecordedRequest): number {
    this.requests.push(request);
    const nth = (this.#counts.get(request.path) ?? 0) + 1;
    this.#counts.set(request.path, nth);
    const isMet = (waiter: Waiter): boolean => waiter.path === request.path && waiter.nth === nth;
    const met = this.#waiters.filter(isMet);
    this.#waiters = this.#waiters.filter((waiter) => !isMet(waiter));
    for (const waiter of met) waiter.resolve(request);
    return nth;
  }

  /** Waits for the n-th request (from 1) of a path since the last reset. */
  nth(path: string, nth: number): Promise<RecordedRequest> {
    const known = this.requests.filter((request) => request.path === path)[nth - 1];
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiters.push({ path, nth, resolve }));
  }

  clear(): void {
    this.requests.length = 0;
    this.#counts.clear();
  }
}
