/**
 * Memory for bytes on their way to the disk, used again and again. What requests leave behind is collected at once;
 * what of it is kept for a while outlives two small collections and then costs a large one, of the whole heap, for every
 * 40 MB: a tenth of a second of CPU each, as much as fetching them.
 */

/** Four to a megabyte: the last one of a range is half empty. */
export const SLAB_BYTES = 256 * 1_024;
/** Kept for the next; as much as one conversion has waiting. */
const MOST_SPARE = 64;

const spare: Buffer[] = [];

/** Holds whatever was in it before. */
export function takeSlab(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
}

/** Nobody may read or write it any more. */
export function giveBackSlab(slab: Buffer): void {
  if (spare.length < MOST_SPARE) spare.push(slab);
}
