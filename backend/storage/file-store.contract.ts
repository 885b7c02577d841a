/** The contract of every FileStore. */
import { randomBytes, randomUUID } from "node:crypto";
import { access, mkdtemp, open, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NoSuchFileError, type ByteRange, type FileStore } from "./file-store.ts";

/**
 * Registers the tests.
 * @param openStore opens an empty store
 * @param close removes what `openStore` created
 */
export function describeFileStore(openStore: () => Promise<FileStore>, close: () => Promise<void>): void {
  let store: FileStore;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tapedeck-store-source-"));
    store = await openStore();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await close();
  });

  const newKey = () => `${randomUUID()}.1.mp3`;
  async function local(bytes: Uint8Array): Promise<string> {
    const path = join(folder, randomUUID());
    await writeFile(path, bytes);
    return path;
  }
  async function stored(bytes: Uint8Array = randomBytes(100)): Promise<string> {
    const key = newKey();
    await store.put(key, await local(bytes));
    return key;
  }
  async function bytesOf(key: string, range?: ByteRange): Promise<Buffer> {
    return buffer(await store.read(key, range));
  }
  async function listed(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of store.list()) keys.push(key);
    return keys;
  }

  it("stores every byte and deletes the local file", async () => {
    const bytes = randomBytes(300_000);
    const path = await local(bytes);
    const key = newKey();
    await store.put(key, path);
    expect(bytes.equals(await bytesOf(key))).toBe(true);
    await expect(access(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("returns size and time of a file", async () => {
    const key = await stored(randomBytes(123));
    const file = await store.stat(key);
    expect(file?.sizeBytes).toBe(123);
    expect(file?.modifiedAt).toBeInstanceOf(Date);
  });

  it.each<[string, ByteRange]>([
    ["the first byte", { start: 0, end: 0 }],
    ["the last byte", { start: 99, end: 99 }],
    ["some in the middle", { start: 10, end: 19 }],
    ["all", { start: 0, end: 99 }],
  ])("reads a range of a file: %s", async (_, range) => {
    const bytes = randomBytes(100);
    const key = await stored(bytes);
    expect(await bytesOf(key, range)).toEqual(bytes.subarray(range.start, range.end + 1));
  });

  it("lets a reader finish while the file is removed", async () => {
    // More than all buffers between store and reader can hold.
    const bytes = randomBytes(20_000_000);
    const key = await stored(bytes);
    const reading = await store.read(key);
    await store.remove(key);
    expect(bytes.equals(await buffer(reading))).toBe(true);
  });

  it("lets a reader stop early", async () => {
    const key = await stored(randomBytes(2_000_000));
    const reading = await store.read(key);
    await new Promise((resolve) => reading.once("readable", resolve));
    await new Promise((resolve) => reading.once("close", resolve).destroy());
    expect((await store.stat(key))?.sizeBytes).toBe(2_000_000);
  });

  describe("a file that is uploaded while it is being written", () => {
    /** More than any store sends in one request. */
    const SIZE_BYTES = 20_000_000;
    const HEAD_BYTES = 5_000;

    it("is stored as it is at the end, with a beginning that is written last", async () => {
      const bytes = randomBytes(SIZE_BYTES);
      const path = await local(new Uint8Array());
      const key = newKey();
      await using upload = store.beginUpload(key, path);
      await using file = await open(path, "r+");
      await file.write(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      for (let to = HEAD_BYTES; to < SIZE_BYTES;) {
        const { bytesWritten } = await file.write(bytes, to, Math.min(3_000_000, SIZE_BYTES - to), to);
        to += bytesWritten;
        upload.reportFinalBytes({ from: HEAD_BYTES, to });
      }
      expect(await store.stat(key)).toBeNull();
      await file.write(bytes, 0, HEAD_BYTES, 0);
      await upload.finish();
      expect(bytes.equals(await bytesOf(key))).toBe(true);
      expect((await store.stat(key))?.sizeBytes).toBe(SIZE_BYTES);
      await expect(access(path)).rejects.toMatchObject({ code: "ENOENT" });
      await upload[Symbol.asyncDispose]();
      expect(await store.clearUnfinished(0)).toBe(0);
      expect(await listed()).toContain(key);
    });

    it("can be rewritten with a smaller size", async () => {
      const old = randomBytes(SIZE_BYTES);
      const bytes = randomBytes(SIZE_BYTES - 1_234_567);
      const path = await local(old);
      const key = newKey();
      await using upload = store.beginUpload(key, path);
      upload.reportFinalBytes({ from: 0, to: SIZE_BYTES });
      upload.reportFinalBytes(null);
      await writeFile(path, bytes);
      upload.reportFinalBytes({ from: 0, to: bytes.length });
      await upload.finish();
      expect(bytes.equals(await bytesOf(key))).toBe(true);
    });

    it("leaves nothing in the store and keeps the local file when the upload is disposed of", async () => {
      const path = await local(randomBytes(SIZE_BYTES));
      const key = newKey();
      const upload = store.beginUpload(key, path);
      upload.reportFinalBytes({ from: 0, to: SIZE_BYTES });
      await upload[Symbol.asyncDispose]();
      expect(await store.stat(key)).toBeNull();
      expect(await listed()).not.toContain(key);
      expect(await store.clearUnfinished(0)).toBe(0);
      await access(path);
    });

    it("fails with the code storage when the local file is missing at the end", async () => {
      await using upload = store.beginUpload(newKey(), join(folder, "never-made"));
      await expect(upload.finish()).rejects.toMatchObject({ name: "ConversionError", code: "storage" });
    });
  });

  it("removes a file twice without an error", async () => {
    const key = await stored();
    await store.remove(key);
    await store.remove(key);
    expect(await store.stat(key)).toBeNull();
    expect(await listed()).not.toContain(key);
  });

  it("rejects reading a missing file at once, and returns null for its size", async () => {
    await expect(store.read(newKey())).rejects.toThrow(NoSuchFileError);
    expect(await store.stat(newKey())).toBeNull();
  });

  it("lists each file once", async () => {
    const first = await stored();
    const second = await stored();
    const keys = await listed();
    expect(keys.filter((key) => key === first || key === second).sort()).toEqual([first, second].sort());
  });

  it("fails with the code storage when the local file is missing, and keeps the stored file", async () => {
    const key = await stored(Buffer.from("kept"));
    await expect(store.put(key, join(folder, "never-made"))).rejects.toMatchObject({
      name: "ConversionError",
      code: "storage",
    });
    expect(String(await bytesOf(key))).toBe("kept");
  });

  it("stores no link, and reads nothing through it", async () => {
    const key = await stored(Buffer.from("kept"));
    const secret = await local(Buffer.from("secret"));
    const link = join(folder, randomUUID());
    await symlink(secret, link);
    await expect(store.put(key, link)).rejects.toMatchObject({ name: "ConversionError", code: "internal" });
    expect(String(await bytesOf(key))).toBe("kept");
    await access(secret);
  });

  it("leaves nothing unfinished after a failure, and does not clear finished files", async () => {
    const key = await stored();
    await expect(store.put(newKey(), join(folder, "never-made"))).rejects.toMatchObject({ code: "storage" });
    expect(await store.clearUnfinished(0)).toBe(0);
    expect(await store.stat(key)).not.toBeNull();
  });

  it.each([
    "",
    ".",
    "..",
    "../up.mp3",
    "a/b.mp3",
    "/etc/passwd",
    "a\\b.mp3",
    "a\u0000.mp3",
    "no-extension",
    ".hidden",
    "a..mp3",
    "a.mp3/",
    "a b.mp3",
    "é.mp3",
    "a.mp3\n",
  ])("rejects the malformed key %j with a RangeError", async (key) => {
    const good = await stored();
    const path = await local(randomBytes(1));
    await expect(store.put(key, path)).rejects.toThrow(RangeError);
    expect(() => store.beginUpload(key, path)).toThrow(RangeError);
    await expect(store.stat(key)).rejects.toThrow(RangeError);
    await expect(store.read(key)).rejects.toThrow(RangeError);
    await expect(store.remove(key)).rejects.toThrow(RangeError);
    await access(path);
    expect(await store.stat(good)).not.toBeNull();
  });
}
