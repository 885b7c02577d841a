import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { ConversionError } from "../../../common/errors.ts";
import { watchDisk } from "./disk-watch.ts";

const MB = 1_000_000;
const MAX_BYTES = 20 * MB;

let folder: string;
beforeEach(async () => {
  folder = await testFolder();
});

/** @returns the code of the error for a file of this size, of which so much was received; undefined without one */
async function codeOf(diskBytes: number, bytesFetched: number): Promise<unknown> {
  const path = join(folder, "source-0");
  await writeFile(path, "");
  await truncate(path, diskBytes);
  using watch = watchDisk({
    folder,
    prefix: "source-",
    maxBytes: MAX_BYTES,
    tooLarge: () => new ConversionError("too_large"),
    bytesFetched: () => bytesFetched,
  });
  try {
    watch.check();
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

it("accepts files that are as large as what was received, also while a segment is on disk twice", async () => {
  expect(await codeOf(10 * MB, 10 * MB)).toBeUndefined();
  expect(await codeOf(20 * MB, 10 * MB)).toBeUndefined();
});

it("refuses files of more than the source limit with too_large when so much was received", async () => {
  expect(await codeOf(21 * MB, 21 * MB)).toBe("too_large");
});

it("refuses files that are larger than what was received with unavailable, below the source limit and above it", async () => {
  expect(await codeOf(10 * MB, 10_000)).toBe("unavailable");
  expect(await codeOf(21 * MB, 10_000)).toBe("unavailable");
});
