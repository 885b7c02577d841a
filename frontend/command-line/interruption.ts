/** Ctrl-C and the other ways to end the command early. */

/** npm passes the signal of a terminal on to its children, which have it from the terminal too. */
const SAME_PRESS_MS = 500;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * @param onFirst called at the first signal
 * @param onSecond called at the next one, unless it is the same
 * @returns a function that stops listening
 */
export function onInterruption(onFirst: () => void, onSecond: () => void): () => void {
  let firstMs: number | null = null;
  function onSignal(): void {
    if (firstMs === null) {
      firstMs = performance.now();
      onFirst();
    } else if (performance.now() - firstMs > SAME_PRESS_MS) onSecond();
  }
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
