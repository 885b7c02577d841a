/** A map of bounded size that forgets the entry that was set longest ago. */
export class RecentMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #maxSize: number;
  readonly #onForgotten: (value: Value) => void;

  /** @param onForgotten is called with each entry that has to make room */
  constructor(maxSize: number, onForgotten: (value: Value) => void = () => undefined) {
    this.#maxSize = maxSize;
    this.#onForgotten = onForgotten;
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
    this.#onForgotten(oldest[1]);
  }
}
