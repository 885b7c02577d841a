/**
 * Makes a reading that costs much at most once in a while; callers in between share its result. One that failed is not
 * kept.
 */
export function keepFor<T>(keepMs: number, read: () => Promise<T>, now: () => number = Date.now): () => Promise<T> {
  let kept: { readonly atMs: number; readonly result: Promise<T> } | undefined;
  return () => {
    if (!kept || now() - kept.atMs >= keepMs) {
      const current = { atMs: now(), result: read() };
      kept = current;
      current.result.catch(() => {
        if (kept === current) kept = undefined;
      });
    }
    return kept.result;
  };
}
