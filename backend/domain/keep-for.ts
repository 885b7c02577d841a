/** Gives the kept result of a reading, or reads. */
export interface Kept<T> {
  (): Promise<T>;
  /** The next call reads again. */
  forget(): void;
}

/**
 * Makes a reading that costs much at most once in a while; callers in between share its result. One that failed is not
 * kept.
 */
export function keepFor<T>(keepMs: number, read: () => Promise<T>, now: () => number = Date.now): Kept<T> {
  let kept: { readonly atMs: number; readonly result: Promise<T> } | undefined;
  const current = (): Promise<T> => {
    if (!kept || now() - kept.atMs >= keepMs) {
      const begun = { atMs: now(), result: read() };
      kept = begun;
      begun.result.catch(() => {
        if (kept === begun) kept = undefined;
      });
    }
    return kept.result;
  };
  const forget = (): void => {
    kept = undefined;
  };
  return Object.assign(current, { forget });
}
