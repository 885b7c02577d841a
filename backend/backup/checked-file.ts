/** Writes and reads files together with their SHA-256. All files are readable by their owner only. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";

/** What a manifest says of a file. */
export interface Part {
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Written to the disk at once. */
const CHUNK_BYTES = 1_000_000;

/** Writes a new file from chunks, and flushes it to the disk. */
export async function writeChunks(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Part> {
  const hash = createHash("sha256");
  let bytes = 0;
  await using handle = await open(file, "wx", 0o600);
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const flush = async (): Promise<void> => {
    const chunk = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    hash.update(chunk);
    bytes += chunk.length;
    await handle.writeFile(chunk);
  };
  for await (const chunk of chunks) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= CHUNK_BYTES) await flush();
  }
  await flush();
  await handle.sync();
  return { bytes, sha256: hash.digest("hex") };
}

/** Writes a new file, and flushes it to the disk. */
export function writeWhole(file: string, text: string): Promise<Part> {
  return writeChunks(file, [Buffer.from(text)]);
}

/** @throws the signal's reason when aborted */
export async function hashFile(file: string, signal?: AbortSignal): Promise<Part> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    signal?.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}
