/** How many conversions at a time suit a machine, or the part of it that a container is given. */
import { availableParallelism, totalmem } from "node:os";

const GIB = 2 ** 30;
/** This process with its database and storage clients, and what the system wants. */
const OWN_BYTES = GIB / 2;
/** yt-dlp with the metadata of a long video, and an encoder at 1080p. */
const CONVERSION_BYTES = GIB / 2;
/**
 * Every conversion waits for its site or the disk for a part of its time: without another one a core stands still
 * meanwhile. Two cores did a batch in 11 % less time with one more, and no better with two.
 */
const BEYOND_CORES = 1;

/** At least one. Defaults to this machine; a container's limits of processors and memory count. */
export function usualConcurrency(
  cores: number = availableParallelism(),
  memoryBytes: number = usableMemoryBytes(),
): number {
  return Math.min(
    64,
    Math.max(1, Math.min(cores + BEYOND_CORES, Math.floor((memoryBytes - OWN_BYTES) / CONVERSION_BYTES))),
  );
}

function usableMemoryBytes(): number {
  // Zero, or more than there is, where nothing is limited.
  const limitBytes = process.constrainedMemory();
  return limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem();
}
