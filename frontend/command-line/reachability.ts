/** Whether the server answers, and for how long it is waited for when it does not. */
import { pause } from "../../common/waiting.ts";
import { CommandError, EXIT } from "./command-error.ts";

const RETRY_MS = 1_000;

export interface ReachabilityOptions {
  readonly server: string;
  /** A server that has answered before is waited for as long as this. */
  readonly waitMs: number;
  /** Called when the server stops answering, and when it answers again. */
  readonly onChange: (isReachable: boolean) => void;
}

/** Shared by all calls, so that they give up together. */
export class Reachability {
  readonly #options: ReachabilityOptions;
  /** When the server was first missed; 0 before it has ever answered. */
  #missedSinceMs: number | null = 0;

  constructor(options: ReachabilityOptions) {
    this.#options = options;
  }

  /** The server has answered. */
  reached(): void {
    const wasMissed = this.#missedSinceMs !== null && this.#missedSinceMs > 0;
    this.#missedSinceMs = null;
    if (wasMissed) this.#options.onChange(true);
  }

  /**
   * The server has not answered: resolves when it is time to try again.
   * @throws CommandError noServer when it was waited for long enough; AbortError
   */
  async missed(reason: string, signal: AbortSignal | undefined): Promise<void> {
    const { server, waitMs, onChange } = this.#options;
    const nowMs = performance.now();
    if (this.#missedSinceMs === null) {
      this.#missedSinceMs = nowMs;
      onChange(false);
    }
    if (this.#missedSinceMs === 0 || nowMs - this.#missedSinceMs >= waitMs)
      throw new CommandError(
        EXIT.noServer,
        `No connection to ${server} (${reason}). Check the address and your network, then try again.`,
      );
    await pause(Math.min(RETRY_MS, waitMs), signal);
  }
}
