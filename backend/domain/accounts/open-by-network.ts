import { subnetOf } from "./network.ts";

/**
 * Counts what is open at the same time for each network, and bounds it. In memory only: each process has connections
 * and open files of its own to bound.
 */
export class OpenByNetwork {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  mayOpen(address: string): boolean {
    return (this.#counts.get(subnetOf(address)) ?? 0) < this.#limit;
  }

  /** @returns a function to be called once, when it is closed */
  add(address: string): () => void {
    const network = subnetOf(address);
    this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(network) ?? 0) - 1;
      if (left > 0) this.#counts.set(network, left);
      else this.#counts.delete(network);
    };
  }
}
