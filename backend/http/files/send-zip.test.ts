import { once } from "node:events";
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import Koa from "koa";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { IS_S3_TESTED, startTestStorage, type TestStorage } from "../../dev/testing/test-storage.ts";
import { testFolder } from "../../dev/testing/test-folder.ts";
import { openDiskStore } from "../../storage/disk-store.ts";
import type { FileStore } from "../../storage/file-store.ts";
import { openS3Store } from "../../storage/s3-store.ts";
import { downloadName } from "../../../common/download-name.ts";
import { sendZip, type ZipEntry } from "./send-zip.ts";

const run = promisify(execFile);
let storage: TestStorage;
let folder: string;
let files: FileStore;
if (IS_S3_TESTED) {
  beforeAll(async () => {
    storage = await startTestStorage();
  });
  afterAll(() => storage[Symbol.asyncDispose]());
}

async function put(key: string, bytes: Buffer): Promise<void> {
  const path = join(folder, "new");
  await writeFile(path, bytes);
  await files.put(key, path);
}

/** Starts a server that answers with the archive. @returns also the streams that it has opened so far */
async function serve(
  entries: readonly ZipEntry[],
): Promise<{ url: string; opened: Readable[]; close(): Promise<void> }> {
  const opened: Readable[] = [];
  const store: Pick<FileStore, "stat" | "read"> = {
    stat: (key) => files.stat(key),
    async read(key, range) {
      const stream = await files.read(key, range);
      opened.push(stream);
      return stream;
    },
  };
  const app = new Koa();
  app.use((ctx) => sendZip(ctx, store, entries, "all.zip"));
  app.on("error", () => undefined);
  const answer = app.callback();
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    opened,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Titles that are hard to turn into distinct file names. */
const ODD_TITLES = [
  "a".repeat(500),
  "a".repeat(500),
  "A".repeat(500),
  "語".repeat(500),
  "語".repeat(500),
  "👩🏽\u200d🚀".repeat(60),
  "é".repeat(300),
  "e\u0301".repeat(300),
  "CON",
  "con",
  "nul.txt",
  "COM1",
  '<b>: "x" | \\ / ? *',
  "../../etc/passwd",
  "/etc/passwd",
  "C:\\Windows",
  "C:",
  "a",
  "A",
  "a\u200e",
  "\u202ea",
  "a.",
  "a ",
  "",
  "...",
  "???",
  "-rf",
  "~",
  "Missing files.txt",
  "Straße",
  "STRASSE",
  "half \ud83d",
];

const KEPT: [where: string, openStore: (folder: string) => Promise<FileStore>][] = [["on disk", openDiskStore]];
if (IS_S3_TESTED) KEPT.push(["in S3-compatible storage", async () => openS3Store(await storage.settings())]);

describe.each(KEPT)("an archive of files %s", (_, openStore) => {
  beforeEach(async () => {
    folder = await testFolder();
    files = await openStore(join(folder, "files"));
  });

  it("sends existing files under unique names, and a text that lists the missing ones", async () => {
    const one = Buffer.alloc(3_000_000, "a");
    const two = Buffer.from("second");
    await put("k1.mp3", one);
    await put("k2.mp3", two);
    const served = await serve([
      { key: "k1.mp3", name: "Süß 🌧️.mp3" },
      { key: "gone.mp3", name: "Gone.mp3" },
      { name: "Expired.mp3" },
      { key: "k2.mp3", name: "Süß 🌧️.mp3" },
    ]);
    try {
      const answer = await fetch(served.url);
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
        200,
        "application/zip",
        "attachment; filename=all.zip",
      ]);
      const archive = join(folder, "all.zip");
      const bytes = Buffer.from(await answer.arrayBuffer());
      await writeFile(archive, bytes);
      expect(answer.headers.get("content-length")).toBe(String(bytes.length));
      const script = [
        "import json, sys, zipfile",
        "z = zipfile.ZipFile(sys.argv[1])",
        "entries = [[i.filename, i.file_size, i.compress_type] for i in z.infolist()]",
        "notice = z.read('Missing files.txt').decode()",
        "print(json.dumps({'bad': z.testzip(), 'entries': entries, 'notice': notice}))",
      ].join("\n");
      const { stdout } = await run("python3", ["-c", script, archive]);
      const seen = z
        .object({ bad: z.null(), entries: z.array(z.tuple([z.string(), z.number(), z.number()])), notice: z.string() })
        .parse(JSON.parse(stdout));
      const [notice, ...files] = seen.entries;
      expect(notice?.[0]).toBe("Missing files.txt");
      expect(files).toEqual([
        ["Süß 🌧️.mp3", one.length, 0],
        ["Süß 🌧️ (2).mp3", two.length, 0],
      ]);
      expect(seen.notice).toContain("Gone.mp3");
    } finally {
      await served.close();
    }
  });

  it("unpacks to the same number of files for any titles", async () => {
    const entries = ODD_TITLES.map((title, index) => ({ key: `k${index}.mp3`, name: downloadName(title, "mp3") }));
    for (const [index, { key }] of entries.entries()) await put(key, Buffer.from(`file ${index}`));
    const served = await serve(entries);
    try {
      const archive = join(folder, "all.zip");
      await writeFile(archive, Buffer.from(await (await fetch(served.url)).arrayBuffer()));
      const env = { ...process.env, LC_ALL: "C.UTF-8" };
      await run("unzip", ["-q", archive, "-d", join(folder, "by-unzip")], { env });
      await run(
        "python3",
        [
          "-c",
          "import sys,zipfile\nzipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])",
          archive,
          join(folder, "by-python"),
        ],
        { env },
      );
      for (const way of ["by-unzip", "by-python"]) {
        const names = await readdir(join(folder, way));
        const texts = await Promise.all(names.map((name) => readFile(join(folder, way, name), "utf8")));
        expect(texts.toSorted()).toEqual(entries.map((_, index) => `file ${index}`).toSorted());
        for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(new Set(names.map((name) => name.normalize("NFC").toLowerCase())).size).toBe(entries.length);
      }
    } finally {
      await served.close();
    }
  });

  it("sends its length before any file is read, also for HEAD", async () => {
    for (const key of ["k1.mp4", "k2.mp4"]) await put(key, Buffer.alloc(1_000_000));
    const served = await serve([
      { key: "k1.mp4", name: "a.mp4" },
      { key: "k2.mp4", name: "b.mp4" },
    ]);
    try {
      const asked = await fetch(served.url, { method: "HEAD" });
      const whole = await (await fetch(served.url)).arrayBuffer();
      expect([asked.status, asked.headers.get("content-length")]).toEqual([200, String(whole.byteLength)]);
      expect(whole.byteLength).toBeGreaterThan(2_000_000);
      for (const stream of served.opened) if (!stream.closed) await once(stream, "close");
    } finally {
      await served.close();
    }
  });

  it("opens each file after the one before was sent, and closes it when the browser disconnects", async () => {
    for (const key of ["k1.mp4", "k2.mp4"]) await put(key, Buffer.alloc(30_000_000));
    const served = await serve([
      { key: "k1.mp4", name: "a.mp4" },
      { key: "k2.mp4", name: "b.mp4" },
    ]);
    try {
      const request = get(served.url);
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      await once(answer, "readable");
      // The header of the archive is sent before the file is opened.
      await vi.waitFor(() => expect(served.opened).toHaveLength(1), { timeout: 60_000, interval: 5 });
      const [first] = served.opened;
      if (!first) throw new Error("nothing was opened");
      const closed = once(first, "close");
      request.on("error", () => undefined);
      request.destroy();
      await closed;
      expect(served.opened).toHaveLength(1);
    } finally {
      await served.close();
    }
  });
});
