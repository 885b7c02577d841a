/** Ways to wait. Each ends with its signal: it then throws the signal's reason. */

/** Waits for a time. @throws the signal's reason when aborted */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
  signal?.throwIfAborted();
}

/**
 * Waits for work, but no longer than a time. The work goes on after it, and its failure is then ignored.
 * @param late makes the answer when the time is up, or throws; undefined by default
 * @throws what the work throws
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined>;
export async function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late>;
export async function within<T, Late>(ms: number, work: Promise<T>, late?: () => Late): Promise<T | Late | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<() => Late | undefined>((resolve) => {
    timer = setTimeout(() => resolve(() => late?.()), ms);
  });
  try {
    const answer = await Promise.race([work.then((done) => () => done), timeUp]);
    return answer();
  } finally {
    clearTimeout(timer);
  }
}

/** @throws the signal's reason when aborted before the promise settles, which is then ignored */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

interface Looks {
  /** The pause between two looks. */
  readonly everyMs: number;
  /** The pauses vary by half, so that processes that wait for the same do not look at the same moment. */
  readonly isVaried?: boolean;
  readonly signal?: AbortSignal | undefined;
}

type Nothing = false | null | undefined;

/**
 * Looks again and again for what another process does.
 * @param look called at once, and after each pause
 * @returns what was found; undefined when nothing was found within `timeoutMs`
 * @throws what `look` throws, and the signal's reason when aborted
 */
export async function untilFound<T>(look: () => Promise<T | Nothing>, looks: Looks): Promise<T>;
export async function untilFound<T>(
  look: () => Promise<T | Nothing>,
  looks: Looks & { readonly timeoutMs: number },
): Promise<T | undefined>;
export async function untilFound<T>(
  look: () => Promise<T | Nothing>,
  { everyMs, isVaried = false, signal, timeoutMs = Infinity }: Looks & { readonly timeoutMs?: number },
): Promise<T | undefined> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    if (performance.now() >= endMs) return undefined;
    await pause(isVaried ? everyMs * (0.5 + Math.random()) : everyMs, signal);
  }
}

/** For what this process changes itself: each change wakes those that wait. */
export class Changes {
  readonly #waiting: (() => void)[] = [];

  announce(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when it holds, or when the signal is aborted. */
  async until(holds: () => boolean, signal?: AbortSignal): Promise<void> {
    const onAbort = (): void => this.announce();
    const isOver = (): boolean => holds() || signal?.aborted === true;
    signal?.addEventListener("abort", onAbort);
    while (!isOver()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    signal?.removeEventListener("abort", onAbort);
  }
}
