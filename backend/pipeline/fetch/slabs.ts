/**
 * A pool of buffers for bytes that wait to be written to disk. Without a pool such buffers outlive two minor garbage
 * collections, and then every 40 MB cause a major one: 0.1 s of CPU, as much as fetching these bytes takes.
 */

/** A quarter of a mebibyte, because the last slab of each range is half empty. */
export const SLAB_BYTES = 256 * 1_024;
/** Slabs in the pool; about as many as one conversion buffers. */
const MAX_POOL_SLABS = 64;

const pool: Buffer[] = [];

/** @returns a slab with arbitrary content */
export function acquireSlab(): Buffer {
  return pool.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
}

/** Puts a slab back into the pool. The caller must not use it afterwards. */
export function releaseSlab(slab: Buffer): void {
  if (pool.length < MAX_POOL_SLABS) pool.push(slab);
}
