/** How many cores a conversion may use, so that those running side by side do not get in each other's way. */
import { availableParallelism } from "node:os";

export class CoreShare {
  readonly #coreCount: number;
  #runningCount = 0;

  constructor(coreCount: number = availableParallelism()) {
    this.#coreCount = coreCount;
  }

  /** Counts a conversion until disposed. */
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

  /** Whether more than one is running now. */
  get isShared(): boolean {
    return this.#runningCount > 1;
  }

  /** For one of those that are running now; at least 1. */
  get coresEach(): number {
    return Math.max(1, Math.floor(this.#coreCount / Math.max(1, this.#runningCount)));
  }
}
