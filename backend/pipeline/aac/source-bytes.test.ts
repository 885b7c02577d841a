import { getEventListeners } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SourceBytes } from "./source-bytes.ts";

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bytes-"));
  path = join(folder, "bytes");
  await writeFile(path, "0123456789");
});
afterAll(() => rm(folder, { recursive: true }));

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
