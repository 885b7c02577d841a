/** Which operators look at the page now: each browser says it again and again while its page is open. */
import type { Bus, BusEvents } from "../bus.ts";

/** How long a browser counts as looking; its page says it again after a third of this. */
export const WATCH_MS = 45_000;

type Watching = BusEvents["operator:watching"];

export class OperatorWatch implements Disposable {
  /** By session. */
  readonly #watchers = new Map<string, { readonly userId: string; readonly untilMs: number }>();
  readonly #unsubscribe: () => void;

  /** @param onWatching called when somebody looks, also when this is known */
  constructor(bus: Pick<Bus, "subscribe">, onWatching: () => void) {
    this.#unsubscribe = bus.subscribe("operator:watching", ({ sessionId, userId, forMs }: Watching) => {
      this.#watchers.set(sessionId, { userId, untilMs: Date.now() + forMs });
      onWatching();
    });
  }

  /** @returns session and user of each browser that looks */
  current(): { readonly sessionId: string; readonly userId: string }[] {
    for (const [sessionId, { untilMs }] of this.#watchers) if (untilMs < Date.now()) this.#watchers.delete(sessionId);
    return Array.from(this.#watchers, ([sessionId, { userId }]) => ({ sessionId, userId }));
  }

  forget(sessionId: string): void {
    this.#watchers.delete(sessionId);
  }

  [Symbol.dispose](): void {
    this.#watchers.clear();
    this.#unsubscribe();
  }
}
