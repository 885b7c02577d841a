/** Shares the cores of the machine among the conversions that run. */
import { availableParallelism } from "node:os";

/** Counts the running conversions. One instance is shared by all of them. */
export class CoreShare {
  readonly #coreCount: number;
  #runningCount = 0;

  constructor(coreCount: number = availableParallelism()) {
    this.#coreCount = coreCount;
  }

  /** Counts a conversion as running until disposed. */
  enter(): Disposable {
    this.#runningCount += 1;
    let isInside = true;
    return {
      [Symbol.dispose]: () => {
        if (isInside) this.#runningCount -= 1;
        isInside = false;
      },
    };
  }

  /** Whether more than one conversion is running. */
  get isShared(): boolean {
    return this.#runningCount > 1;
  }

  /** Cores for each running conversion; at least 1. */
  get coresEach(): number {
    return Math.max(1, Math.floor(this.#coreCount / Math.max(1, this.#runningCount)));
  }
}
