/**
 * Watches the clients with which YouTube is asked. One that fails for most videos which another client then gets is
 * asked last, until it works again. A canary that it is asked for alone decides; a video can be refused to a good client.
 * Each process decides for itself.
 */
import { MINUTE_MS } from "../../common/durations.ts";
import type { ClientRecord } from "../pipeline/probe/youtube.ts";
import type { CanaryResult } from "./canary.ts";
import { FailureShare } from "./failure-share.ts";

/** A client is tried no more often: each try costs one or two extractions of the exits' budget. */
const INTERVAL_MS = 30 * MINUTE_MS;

export interface ClientWatchOptions {
  readonly log: { info(line: string): void; warn(line: string): void };
  readonly nowMs?: () => number;
}

/**
 * Tries one client alone. "failed": it is refused a canary that others get.
 * @param signal aborted when the server stops
 */
export type TryClient = (client: string, signal: AbortSignal) => Promise<CanaryResult>;

export class ClientWatch implements ClientRecord, AsyncDisposable {
  /** Absent: no canary is known, so the videos alone decide, and a client is asked first again after the interval. */
  tryClient: TryClient | undefined;
  readonly failing = new Set<string>();
  readonly #options: ClientWatchOptions;
  readonly #shares = new Map<string, FailureShare>();
  readonly #triedAtMs = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #isTrying = false;

  constructor(options: ClientWatchOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#run(() => this.retry()), INTERVAL_MS).unref();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new Error("the server stops"));
    await this.#running;
  }

  note(link: string, got: string, refused: readonly string[]): void {
    this.#shareOf(got).add(link, "worked");
    for (const client of refused) this.#shareOf(client).add(link, "failed");
    const suspect = refused.find((client) => this.#isSuspect(client));
    if (suspect !== undefined) this.#run(() => this.#judge(suspect));
  }

  /** Another yt-dlp may ask with a client in another way. */
  toolChanged(): void {
    this.#shares.clear();
    this.#triedAtMs.clear();
    this.#run(() => this.retry());
  }

  /** Tries the failing clients, and asks those that work in their place again. */
  async retry(): Promise<void> {
    for (const client of this.failing) {
      const result = this.tryClient ? await this.tryClient(client, this.#stopping.signal) : "passed";
      if (result !== "passed") continue;
      this.failing.delete(client);
      this.#shares.delete(client);
      const reason = this.tryClient ? "it reads a canary again" : "it is tried again, as no canary can tell";
      this.#options.log.info(`YOUTUBE_CLIENTS: ${client} is asked in its place again: ${reason}`);
    }
  }

  /** Resolves when what has begun is done. */
  async settled(): Promise<void> {
    await this.#running;
  }

  #isSuspect(client: string): boolean {
    if (this.#isTrying || this.failing.has(client) || !this.#shareOf(client).isBad) return false;
    return this.#nowMs - (this.#triedAtMs.get(client) ?? -Infinity) >= INTERVAL_MS;
  }

  async #judge(client: string): Promise<void> {
    this.#triedAtMs.set(client, this.#nowMs);
    const share = Math.round(100 * this.#shareOf(client).share);
    const result = this.tryClient ? await this.tryClient(client, this.#stopping.signal) : "failed";
    if (result !== "failed") return;
    this.failing.add(client);
    const words = this.tryClient ? ", and a canary" : "";
    this.#options.log.warn(
      `YOUTUBE_CLIENTS: ${client} is asked last from now on: it was refused ${share} % of its last videos${words} that another client got`,
    );
  }

  get #nowMs(): number {
    return this.#options.nowMs?.() ?? performance.now();
  }

  #shareOf(client: string): FailureShare {
    const known = this.#shares.get(client);
    if (known) return known;
    const share = new FailureShare();
    this.#shares.set(client, share);
    return share;
  }

  /** Runs one try at a time in the background. */
  #run(work: () => Promise<void>): void {
    if (this.#isTrying || this.#stopping.signal.aborted) return;
    this.#isTrying = true;
    this.#running = work()
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted)
          this.#options.log.warn(`a client of YouTube could not be tried: ${String(error)}`);
      })
      .finally(() => (this.#isTrying = false));
  }
}
