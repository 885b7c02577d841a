import { getEventListeners } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { SourceBytes } from "./source-bytes.ts";

const folder = await testFolder();
let path: string;
beforeAll(async () => {
  path = join(folder, "bytes");
  await writeFile(path, "0123456789");
});

it("does not wait for bytes that are already there", async () => {
  const atLeast = vi.fn<() => Promise<number>>(() => Promise.resolve(10));
  await using bytes = await SourceBytes.open(path, new AbortController().signal, { wholeBytes: 6, atLeast });
  expect((await bytes.take(2, 4))?.toString()).toBe("2345");
  expect(atLeast).not.toHaveBeenCalled();
  expect((await bytes.take(6, 4))?.toString()).toBe("6789");
  expect(atLeast).toHaveBeenCalledOnce();
});

it("removes its abort listener when a wait ends or is aborted", async () => {
  const stop = new AbortController();
  await using bytes = await SourceBytes.open(path, stop.signal, {
    wholeBytes: 0,
    atLeast: (wanted) => (wanted > 10 ? Promise.withResolvers<number>().promise : Promise.resolve(10)),
  });
  await bytes.take(0, 4);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  const waiting = bytes.atLeast(11);
  expect(getEventListeners(stop.signal, "abort")).toHaveLength(1);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
});
