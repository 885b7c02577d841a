interface Kept<Value> {
  readonly value: Value;
  readonly setAtMs: number;
}

interface Settings<Value> {
  /** An entry is dropped when it was not set for so long. */
  readonly keptMs: number;
  /** The entry that was set longest ago is dropped first. */
  readonly maxSize?: number;
  /** Called with the value of each dropped entry. */
  readonly onDropped?: (value: Value) => void;
  /** Whether no entry is too old for the present. */
  readonly holds?: () => boolean;
}

/** Keeps the newest entries, each for a time. */
export class RecentMap<Value> {
  /** In the order in which they were set, oldest first. */
  readonly #entries = new Map<string, Kept<Value>>();
  readonly #settings: Settings<Value>;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: Settings<Value>) {
    this.#settings = settings;
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
    this.#timer ??= setTimeout(() => this.#dropOld(), this.#settings.keptMs).unref();
    const [oldest] = this.#entries;
    if (oldest !== undefined && this.#entries.size > (this.#settings.maxSize ?? Infinity)) this.#drop(...oldest);
  }

  /** Drops an entry without a word. */
  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Drops all entries without a word. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#entries.clear();
  }

  #dropOld(): void {
    this.#timer = undefined;
    const { keptMs, holds } = this.#settings;
    const nowMs = performance.now();
    for (const [key, entry] of this.#entries) {
      const keptForMs = holds?.() ? keptMs : entry.setAtMs + keptMs - nowMs;
      if (keptForMs > 0) {
        this.#timer = setTimeout(() => this.#dropOld(), keptForMs).unref();
        return;
      }
      this.#drop(key, entry);
    }
  }

  #drop(key: string, { value }: Kept<Value>): void {
    this.#entries.delete(key);
    this.#settings.onDropped?.(value);
  }
}
