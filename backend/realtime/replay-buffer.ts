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
  /** In the order of emission, oldest first. */
  readonly #entries = new Map<string, { readonly emit: () => void; readonly atMs: number }>();
  readonly #cluster: ClusterLink;
  readonly #unsubscribe: () => void;
  /** Runs while there are entries, so that the last ones go too when nothing happens any more. */
  #timer: NodeJS.Timeout | undefined;

  constructor(cluster: ClusterLink) {
    this.#cluster = cluster;
    this.#unsubscribe = cluster.onChange((isUp) => {
      if (isUp) this.#replay();
    });
  }

  /**
   * Replaces the entry of the same key.
   * @param key names the job or list that the event is about
   * @param emit sends the event; it was called once already
   */
  add(key: string, emit: () => void): void {
    // A map keeps the order of insertion: an entry that is replaced moves to the end.
    this.#entries.delete(key);
    this.#entries.set(key, { emit, atMs: Date.now() });
    this.#dropOldEntries();
  }

  stop(): void {
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#entries.clear();
  }

  #dropOldEntries(): void {
    const mayBeLostFromMs = Date.now() - MAY_BE_LOST_MS;
    for (const [key, { atMs }] of this.#entries) {
      const isNeeded = !this.#cluster.isUp() || atMs >= mayBeLostFromMs;
      if (isNeeded && this.#entries.size <= MAX_ENTRIES) break;
      this.#entries.delete(key);
    }
    if (this.#entries.size > 0) this.#timer ??= setTimeout(() => this.#dropLater(), MAY_BE_LOST_MS).unref();
  }

  #dropLater(): void {
    this.#timer = undefined;
    this.#dropOldEntries();
  }

  #replay(): void {
    for (const { emit } of this.#entries.values()) emit();
  }
}
