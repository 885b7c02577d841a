interface Waiting {
  readonly isExclusive: boolean;
  readonly begin: () => void;
}

/** A lock within one process: many holders may share it, but an exclusive holder has it without any other. */
export class SharedExclusiveLock {
  #holderCount = 0;
  #isHeldExclusively = false;
  /** In order of arrival, so that neither kind waits forever. */
  readonly #queue: Waiting[] = [];

  /**
   * Resolves when the caller holds the lock. While an exclusive caller waits or holds the lock, later callers wait.
   * @returns releases the lock when it is disposed of
   */
  async acquire(isExclusive: boolean): Promise<Disposable> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#queue.push({ isExclusive, begin: resolve });
    this.#beginNext();
    await promise;
    let isReleased = false;
    return {
      [Symbol.dispose]: () => {
        if (isReleased) return;
        isReleased = true;
        this.#holderCount -= 1;
        this.#isHeldExclusively = false;
        this.#beginNext();
      },
    };
  }

  #beginNext(): void {
    for (let next = this.#queue[0]; next && this.#mayBegin(next); next = this.#queue[0]) {
      this.#queue.shift();
      this.#holderCount += 1;
      this.#isHeldExclusively = next.isExclusive;
      next.begin();
    }
  }

  #mayBegin({ isExclusive }: Waiting): boolean {
    return !this.#isHeldExclusively && (!isExclusive || this.#holderCount === 0);
  }
}
