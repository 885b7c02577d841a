/** Requests that all conversions together have under way to one host, bounded, and shared out evenly among them. */

/** As many as a browser or two would make; sites count by address, and all our conversions come from one. */
export const REQUESTS_PER_HOST = 8;

export interface Turns {
  /**
   * Resolves when `who` may make one more request to the host; disposing of the turn ends it. Of those that wait,
   * whoever has the fewest under way is next. Throws `signal.reason`.
   */
  take(host: string, who: object, signal: AbortSignal): Promise<Disposable>;
}

interface Waiting {
  readonly who: object;
  begin(): void;
}

interface Host {
  /** Requests under way, by whose they are. */
  readonly running: Map<object, number>;
  runningCount: number;
  readonly waiting: Waiting[];
}

/** The turns of one process. */
export class HostTurns implements Turns {
  readonly #limit: number;
  readonly #hosts = new Map<string, Host>();

  constructor(limit: number = REQUESTS_PER_HOST) {
    this.#limit = limit;
  }

  async take(name: string, who: object, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const host = this.#hosts.get(name) ?? { running: new Map<object, number>(), runningCount: 0, waiting: [] };
    this.#hosts.set(name, host);
    if (host.runningCount < this.#limit) this.#begin(host, who);
    else await this.#wait(host, who, signal);
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (!isOver) this.#end(name, host, who);
        isOver = true;
      },
    };
  }

  #wait(host: Host, who: object, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        host.waiting.splice(host.waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        who,
        begin: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      host.waiting.push(waiting);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #begin(host: Host, who: object): void {
    host.runningCount += 1;
    host.running.set(who, (host.running.get(who) ?? 0) + 1);
  }

  #end(name: string, host: Host, who: object): void {
    host.runningCount -= 1;
    const left = (host.running.get(who) ?? 1) - 1;
    if (left > 0) host.running.set(who, left);
    else host.running.delete(who);
    const next = leastServed(host);
    if (next) {
      host.waiting.splice(host.waiting.indexOf(next), 1);
      // Counted before it goes on: nobody may slip in between.
      this.#begin(host, next.who);
      next.begin();
    } else if (host.runningCount === 0) this.#hosts.delete(name);
  }
}

/** Of equals the one that has waited longest. */
function leastServed({ waiting, running }: Host): Waiting | undefined {
  let best: Waiting | undefined;
  for (const one of waiting) if (!best || (running.get(one.who) ?? 0) < (running.get(best.who) ?? 0)) best = one;
  return best;
}
