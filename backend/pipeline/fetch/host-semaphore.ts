/** A semaphore for each host: limits the concurrent requests to it, and shares them evenly among the conversions. */

/** About as many as a browser or two open. A site counts requests by IP address, and all conversions share one. */
export const REQUESTS_PER_HOST = 8;

export interface HostSemaphore {
  /**
   * Acquires a slot for one request. When slots are scarce, the owner with the fewest slots goes first.
   * @param host origin of the address
   * @param owner the conversion's guard session; compared by identity
   * @returns the slot; disposing of it releases it
   * @throws `signal.reason` when aborted
   */
  acquire(host: string, owner: object, signal: AbortSignal): Promise<Disposable>;
}

interface Waiter {
  readonly owner: object;
  /** Ends the wait with a slot. */
  grant(): void;
}

interface Host {
  /** Slots in use, by owner. */
  readonly slots: Map<object, number>;
  slotCount: number;
  /** In order of arrival. */
  readonly waiters: Waiter[];
}

/** The semaphore of a process that shares its hosts with no other process. */
export class InProcessHostSemaphore implements HostSemaphore {
  readonly #limit: number;
  readonly #hosts = new Map<string, Host>();

  constructor(limit: number = REQUESTS_PER_HOST) {
    this.#limit = limit;
  }

  async acquire(name: string, owner: object, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const host = this.#hosts.get(name) ?? { slots: new Map<object, number>(), slotCount: 0, waiters: [] };
    this.#hosts.set(name, host);
    if (host.slotCount < this.#limit) this.#count(host, owner);
    else await this.#wait(host, owner, signal);
    let isReleased = false;
    return {
      [Symbol.dispose]: () => {
        if (!isReleased) this.#release(name, host, owner);
        isReleased = true;
      },
    };
  }

  #wait(host: Host, owner: object, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        host.waiters.splice(host.waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        owner,
        grant: () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      host.waiters.push(waiter);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #count(host: Host, owner: object): void {
    host.slotCount += 1;
    host.slots.set(owner, (host.slots.get(owner) ?? 0) + 1);
  }

  #release(name: string, host: Host, owner: object): void {
    host.slotCount -= 1;
    const remaining = (host.slots.get(owner) ?? 1) - 1;
    if (remaining > 0) host.slots.set(owner, remaining);
    else host.slots.delete(owner);
    const next = nextWaiter(host);
    if (next) {
      host.waiters.splice(host.waiters.indexOf(next), 1);
      // Count before the waiter resumes, so that no other caller takes the slot in between.
      this.#count(host, next.owner);
      next.grant();
    } else if (host.slotCount === 0) this.#hosts.delete(name);
  }
}

/** @returns the waiter whose owner has the fewest slots; if several have as few, the first one */
function nextWaiter({ waiters, slots }: Host): Waiter | undefined {
  let best: Waiter | undefined;
  for (const waiter of waiters)
    if (!best || (slots.get(waiter.owner) ?? 0) < (slots.get(best.owner) ?? 0)) best = waiter;
  return best;
}
