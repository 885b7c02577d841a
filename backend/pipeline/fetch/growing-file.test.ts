import { randomBytes } from "node:crypto";
import { open, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { GrowingFile } from "./growing-file.ts";
import { SLAB_BYTES } from "./slabs.ts";

const folder = await testFolder();
let files = 0;

const create = (): Promise<GrowingFile> => GrowingFile.create(join(folder, String((files += 1))));

async function readAll(file: GrowingFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.follow()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const MOST_STRETCHES = 5;
const MOST_CHUNKS = 6;
/** Made once, because random bytes cost more than all else here. */
const RANDOM = randomBytes(MOST_STRETCHES * MOST_CHUNKS * SLAB_BYTES);

/** Chunks of several connections, each with its own stretch of the file, in random order. */
const arrivals = fc
  .array(fc.array(fc.integer({ min: 1, max: SLAB_BYTES }), { minLength: 1, maxLength: MOST_CHUNKS }), {
    minLength: 1,
    maxLength: MOST_STRETCHES,
  })
  .chain((stretches) =>
    fc
      .shuffledSubarray(
        stretches.flatMap((chunks, stretch) => chunks.map(() => stretch)),
        { minLength: stretches.flat().length },
      )
      .map((order) => ({ stretches, order })),
  );

it("stores chunks that arrive in any order, and a reader that follows the file reads the same bytes", async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async ({ stretches, order }) => {
      const whole = RANDOM.subarray(
        0,
        stretches.flat().reduce((sum, bytes) => sum + bytes, 0),
      );
      const starts = stretches.map((_, stretch) =>
        stretches
          .slice(0, stretch)
          .flat()
          .reduce((sum, bytes) => sum + bytes, 0),
      );
      await using file = await create();
      const followed = readAll(file);
      const left = stretches.map((chunks) => [...chunks]);
      for (const stretch of order) {
        const bytes = left[stretch]?.shift() ?? 0;
        const at = starts[stretch] ?? 0;
        // The caller may reuse the memory of the bytes after the write.
        const lent = Buffer.from(whole.subarray(at, at + bytes));
        await file.write(lent, at);
        lent.fill(0);
        starts[stretch] = at + bytes;
      }
      await file.complete();
      expect((await followed).equals(whole)).toBe(true);
      expect((await readFile(file.path)).equals(whole)).toBe(true);
      expect([file.wholeBytes, file.receivedBytes]).toEqual([whole.length, whole.length]);
    }),
    { numRuns: 60 },
  );
});

it("writes no gap to disk: bytes after a gap stay in memory", async () => {
  await using file = await create();
  const first = randomBytes(3 * SLAB_BYTES);
  const second = randomBytes(SLAB_BYTES + 7);
  await file.write(second, first.length);
  expect((await stat(file.path)).size).toBe(0);
  await file.write(first, 0);
  expect(await file.atLeast(first.length + second.length)).toBe(first.length + second.length);
  expect((await readFile(file.path)).equals(Buffer.concat([first, second]))).toBe(true);
});

it("stores only the new bytes of overlapping writes", async () => {
  await using file = await create();
  const whole = randomBytes(100_000);
  await file.write(whole.subarray(0, 60_000), 0);
  await file.write(whole.subarray(0, 50_000), 0);
  await file.write(whole.subarray(40_000), 40_000);
  await file.complete();
  expect(file.receivedBytes).toBe(whole.length);
  expect((await readFile(file.path)).equals(whole)).toBe(true);
});

it("is behind while more than 8 MiB wait for the disk, and the writer then waits too", async () => {
  await using file = await create();
  const limitBytes = 8 * 1_048_576;
  const first = file.write(Buffer.alloc(limitBytes), 0);
  expect(file.isBehind).toBe(false);
  const second = file.write(Buffer.alloc(1), limitBytes);
  expect(file.isBehind).toBe(true);
  await Promise.all([first, second]);
  expect([file.isBehind, file.wholeBytes]).toEqual([false, limitBytes + 1]);
});

it("rejects reads, writes and complete() when the disk is full", async () => {
  const file = new GrowingFile("/dev/full", await open("/dev/full", "r+"));
  const reading = file.atLeast(10);
  await file.write(randomBytes(10), 0);
  await expect(reading).rejects.toThrow("ENOSPC");
  await expect(file.complete()).rejects.toThrow("ENOSPC");
  await expect(file.write(randomBytes(10), 10)).rejects.toThrow("ENOSPC");
  await file[Symbol.asyncDispose]();
});
