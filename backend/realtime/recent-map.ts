/** Entries of a {@link RecentMap} that were not set for this long are dropped. */
const KEPT_MS = 60 * 60 * 1_000;

interface Kept<Value> {
  readonly value: Value;
  readonly setAtMs: number;
}

/** A map of bounded size and age: the entry that was set longest ago is dropped first, and each after an hour. */
export class RecentMap<Value> {
  /** In the order in which they were set, oldest first. */
  readonly #entries = new Map<string, Kept<Value>>();
  readonly #maxSize: number;
  readonly #onDropped: (value: Value) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onDropped called with the value of each dropped entry */
  constructor(maxSize: number, onDropped: (value: Value) => void = () => undefined) {
    this.#maxSize = maxSize;
    this.#onDropped = onDropped;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  *values(): Generator<Value> {
    for (const { value } of this.#entries.values()) yield value;
  }

  set(key: string, value: Value): void {
    // A map keeps the order of insertion, so the oldest entry is the first.
    this.#entries.delete(key);
    this.#entries.set(key, { value, setAtMs: performance.now() });
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#dropOld(), KEPT_MS).unref();
    const [oldest] = this.#entries;
    if (oldest !== undefined && this.#entries.size > this.#maxSize) this.#drop(...oldest);
  }

  #dropOld(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const [key, entry] of this.#entries) {
      const keptForMs = entry.setAtMs + KEPT_MS - nowMs;
      if (keptForMs > 0) {
        this.#timer = setTimeout(() => this.#dropOld(), keptForMs).unref();
        return;
      }
      this.#drop(key, entry);
    }
  }

  #drop(key: string, { value }: Kept<Value>): void {
    this.#entries.delete(key);
    this.#onDropped(value);
  }
}
