/**
 * @param failures number of failures before the last one
 * @returns the delay before the next try, which doubles with each failure up to `maxMs`
 */
export function doublingDelay(failures: number, firstMs: number, maxMs: number = Infinity): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30));
}
