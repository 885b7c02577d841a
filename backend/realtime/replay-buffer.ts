import { RecentMap } from "../domain/recent-map.ts";

/** The other web processes, as a way to their browsers. */
export interface ClusterLink {
  /** Whether the other processes can be reached. */
  isUp(): boolean;
  /** @returns a function that removes the handler */
  onChange(handler: (isUp: boolean) => void): () => void;
}

/** A dead connection is noticed within 4 seconds, so events emitted shortly before may be lost. */
const MAY_BE_LOST_MS = 5_000;
/** If more jobs and lists changed, browsers get the ones that changed longest ago with the next snapshot. */
const MAX_ENTRIES = 10_000;

/**
 * Keeps the latest event about each job or list that other processes may not have received, and emits it
 * again when they can be reached. Browsers merge versions, so receiving an event twice is harmless.
 */
export class ReplayBuffer {
  readonly #entries: RecentMap<() => void>;
  readonly #unsubscribe: () => void;

  constructor(cluster: ClusterLink) {
    this.#entries = new RecentMap({
      keptMs: MAY_BE_LOST_MS,
      maxSize: MAX_ENTRIES,
      holds: () => !cluster.isUp(),
    });
    this.#unsubscribe = cluster.onChange((isUp) => {
      if (isUp) for (const emit of this.#entries.values()) emit();
    });
  }

  /**
   * Replaces the entry of the same key.
   * @param key names the job or list that the event is about
   * @param emit sends the event; it was called once already
   */
  add(key: string, emit: () => void): void {
    this.#entries.set(key, emit);
  }

  stop(): void {
    this.#unsubscribe();
    this.#entries.clear();
  }
}
