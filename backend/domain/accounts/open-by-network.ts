import { subnetOf } from "./network.ts";

/**
 * Counts what is open at the same time for each key, and bounds it. In memory only: each process has connections and
 * open files of its own to bound. Count and look without waiting between the two.
 */
export class OpenByKey {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  mayOpen(key: string): boolean {
    return (this.#counts.get(key) ?? 0) < this.#limit;
  }

  /** @returns a function to be called once, when it is closed */
  add(key: string): () => void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }
}

/** The same for the network of an address. */
export class OpenByNetwork extends OpenByKey {
  override mayOpen(address: string): boolean {
    return super.mayOpen(subnetOf(address));
  }

  override add(address: string): () => void {
    return super.add(subnetOf(address));
  }
}
