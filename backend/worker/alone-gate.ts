/** Lets most conversions of a process run side by side, and a few of them with no other beside them. */

interface Waiting {
  readonly alone: boolean;
  readonly begin: () => void;
}

export class AloneGate {
  #runningCount = 0;
  #isAlone = false;
  /** In order of arrival, so that neither kind waits for ever. */
  readonly #waiting: Waiting[] = [];

  /**
   * Resolves when the caller may run. One that runs alone waits until all others have left; while it waits or runs,
   * those that come later wait.
   * @returns the caller's place; disposing of it leaves it
   */
  async enter(alone: boolean): Promise<Disposable> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ alone, begin: resolve });
    this.#beginNext();
    await promise;
    let hasLeft = false;
    return {
      [Symbol.dispose]: () => {
        if (hasLeft) return;
        hasLeft = true;
        this.#runningCount -= 1;
        this.#isAlone = false;
        this.#beginNext();
      },
    };
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#mayBegin(next); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#runningCount += 1;
      this.#isAlone = next.alone;
      next.begin();
    }
  }

  #mayBegin({ alone }: Waiting): boolean {
    return !this.#isAlone && (!alone || this.#runningCount === 0);
  }
}
