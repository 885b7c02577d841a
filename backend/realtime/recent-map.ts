/** A map of bounded size. A new entry drops the entry that was set longest ago. */
export class RecentMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #maxSize: number;
  readonly #onDropped: (value: Value) => void;

  /** @param onDropped called with the value of each dropped entry */
  constructor(maxSize: number, onDropped: (value: Value) => void = () => undefined) {
    this.#maxSize = maxSize;
    this.#onDropped = onDropped;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  set(key: string, value: Value): void {
    // A map keeps the order of insertion, so the oldest entry is the first.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries;
    if (oldest === undefined || this.#entries.size <= this.#maxSize) return;
    this.#entries.delete(oldest[0]);
    this.#onDropped(oldest[1]);
  }
}
