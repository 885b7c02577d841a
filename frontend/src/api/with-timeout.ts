/** @returns a signal that also aborts after a time. `AbortSignal.any` would do it, but not before Firefox 124. */
export function withTimeout(signal: AbortSignal, timeoutMs: number): AbortSignal {
  const either = new AbortController();
  for (const one of [signal, AbortSignal.timeout(timeoutMs)]) {
    if (one.aborted) either.abort(one.reason);
    one.addEventListener("abort", () => either.abort(one.reason), { signal: either.signal });
  }
  return either.signal;
}
