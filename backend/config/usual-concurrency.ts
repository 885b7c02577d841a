import { availableParallelism, totalmem } from "node:os";

const GIB = 2 ** 30;
/** Memory of this process with its database and storage clients, and of the system. */
const OWN_BYTES = GIB / 2;
/** Memory of a conversion: yt-dlp with the metadata of a long video, and an encoder at 1080p. */
const CONVERSION_BYTES = GIB / 2;
/**
 * Conversions beyond the number of cores. Each conversion waits for its site or the disk for some time, and another one
 * can use the core meanwhile. Two cores finished a batch in 11 % less time with one more, and no sooner with two.
 */
const EXTRA_CONVERSIONS = 1;

/**
 * The default number of conversions at the same time, for this machine or within the limits of its container.
 * @returns 1 to 64
 */
export function usualConcurrency(
  cores: number = availableParallelism(),
  memoryBytes: number = usableMemoryBytes(),
): number {
  return Math.min(
    64,
    Math.max(1, Math.min(cores + EXTRA_CONVERSIONS, Math.floor((memoryBytes - OWN_BYTES) / CONVERSION_BYTES))),
  );
}

function usableMemoryBytes(): number {
  // Without a limit this is zero or more than the machine has.
  const limitBytes = process.constrainedMemory();
  return limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem();
}
