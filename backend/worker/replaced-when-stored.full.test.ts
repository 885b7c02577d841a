/** What a server opens to keep or to offer a file, when a tool has put something else in its place. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { keysIn, LINK, ticketFor } from "../dev/testing/runner-bench.ts";
import { domainForTests, newViewer } from "../dev/testing/test-domain.ts";
import { withoutTapes } from "../dev/testing/test-conversion.ts";
import { testFolder } from "../dev/testing/test-folder.ts";
import { openConversionLeases } from "../domain/jobs/conversion-leases.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { openDiskStore } from "../storage/disk-store.ts";
import { EarlyFileBroken, EarlyFiles } from "../storage/early-files.ts";
import { openS3Store } from "../storage/s3-store.ts";
import { PART_BYTES } from "../storage/s3-upload.ts";
import { RefusedFile } from "../tool-files/tool-files.ts";
import { EarlyOffer } from "./early-offer.ts";
import { Runner } from "./runner.ts";

const SECRET = "a secret of the server";
const KEY = "job.1.mp3";
const ofTest = domainForTests();

/** Stands for DATA_DIR. */
let root: string;
/** Of a tool. */
let folder: string;

beforeEach(async () => {
  root = await testFolder();
  folder = join(root, "job");
  await mkdir(folder);
  await writeFile(join(root, "session-keys"), SECRET.padEnd(PART_BYTES));
});

const LEFT: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  "a link to a secret": (path) => symlink(join(root, "session-keys"), path),
  "a link to nothing": (path) => symlink(join(root, "made"), path),
  "a pipe": (path) => promisify(execFile)("mkfifo", [path]),
  "a folder": (path) => mkdir(path),
};

async function expectNothingOutside(...names: readonly string[]): Promise<void> {
  expect((await readdir(root)).toSorted()).toEqual(["job", "session-keys", ...names].toSorted());
  expect((await readFile(join(root, "session-keys"), "utf8")).trimEnd()).toBe(SECRET);
}

function offerTo(files: EarlyFiles) {
  const names: (string | null)[] = [];
  const errors: unknown[] = [];
  const { signal } = new AbortController();
  const onChange = (name: string | null): void => void names.push(name);
  const onCopyError = (error: unknown): void => void errors.push(error);
  const offer = new EarlyOffer({ files, fileKey: KEY, onChange, onCopyError, signal });
  return { offer, names, errors };
}

/** A storage that begins uploads, and takes no bytes. */
async function startStorage() {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.method ?? "");
    if (request.method === "POST") response.end("<R><UploadId>1</UploadId></R>");
    else response.writeHead(request.method === "DELETE" ? 204 : 403).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = openS3Store({
    endpoint,
    publicEndpoint: endpoint,
    region: "somewhere",
    bucket: "bucket",
    prefix: "files/",
    accessKeyId: "name",
    secretAccessKey: "password",
    forcePathStyle: true,
    downloads: "proxy",
    timeoutMs: 5_000,
  });
  const close = async (): Promise<void> => {
    store[Symbol.dispose]();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { store, requests, [Symbol.asyncDispose]: close };
}

describe.each(Object.entries(LEFT))("%s in the place of", (_left, leave) => {
  it("the picture to be stored: the job completes without a picture", async () => {
    const store = await openDiskStore(join(root, "files"));
    const warnings: object[] = [];
    const silent = () => undefined;
    const context = {
      domain: ofTest,
      store,
      leases: await openConversionLeases(ofTest.jobs.db, { workerId: "w", leaseMs: 60_000 }),
      scratchFolder: join(root, "scratch"),
      writeIntervalMs: 1,
      storePatienceMs: 0,
      log: { debug: silent, info: silent, warn: (data: object) => void warnings.push(data), error: silent },
    };
    const convert: ConstructorParameters<typeof Runner>[0]["convert"] = async (request, listener) => {
      listener.progress({ stage: "download", percent: 10 });
      await leave(join(request.folder, "thumbnail-to-store.jpg"));
      const thumbnailPath = join(request.folder, "thumbnail.jpg");
      await writeFile(thumbnailPath, "picture");
      listener.found({ thumbnailPath });
      const path = join(request.folder, "result.mp3");
      await writeFile(path, "sound");
      return { path, sizeBytes: 5, durationSeconds: 1 };
    };
    const { _id } = await createConversion(ofTest, newViewer(), LINK);
    await new Runner({ ...context, convert, joinSongs: withoutTapes }, "w").handle(ticketFor(_id));
    const job = await ofTest.stored(_id);
    expect(job).toMatchObject({ status: "completed" });
    expect(job).not.toHaveProperty("thumbnailKey");
    expect(warnings).toEqual([expect.objectContaining({ error: expect.any(RefusedFile) })]);
    expect(await keysIn(store)).toEqual([`${_id}.1.mp3`]);
    await expectNothingOutside("files", "scratch");
  });

  it("a file that is offered while it is made: its reader is cut off", async () => {
    const files = new EarlyFiles();
    const { offer, names } = offerTo(files);
    await leave(join(folder, "result.mp3"));
    offer.written(join(folder, "result.mp3"), { from: 0, to: 10, standIn: new Uint8Array() });
    const reader = files.find(names[0] ?? "")?.read("job", 0, 10);
    await expect(buffer(reader ?? Readable.from([]))).rejects.toBeInstanceOf(EarlyFileBroken);
    expect(files.isEmpty).toBe(true);
    await offer[Symbol.asyncDispose]();
    await expectNothingOutside();
  });

  it("a copy that is offered: it is not made, and its reader is cut off", async () => {
    const files = new EarlyFiles();
    const { offer, names, errors } = offerTo(files);
    await leave(join(folder, "early.mp4"));
    const make = () => Promise.reject(new Error("it is made"));
    offer.offerCopy({ path: join(folder, "early.mp4"), make });
    const reader = files.find(names[0] ?? "")?.read("job", 0);
    await expect(buffer(reader ?? Readable.from([]))).rejects.toBeInstanceOf(EarlyFileBroken);
    await offer[Symbol.asyncDispose]();
    expect(errors).toEqual([expect.any(RefusedFile)]);
    expect(names.at(-1)).toBeNull();
    await expectNothingOutside();
  });

  it("a file that is sent to S3-compatible storage: no byte is sent, neither early nor at its end", async () => {
    await using storage = await startStorage();
    const path = join(folder, "result.mp3");
    await leave(path);
    const upload = storage.store.beginUpload(KEY, path);
    upload.reportFinalBytes({ from: 0, to: PART_BYTES });
    await expect(upload.finish()).rejects.toBeInstanceOf(RefusedFile);
    await upload[Symbol.asyncDispose]();
    expect(storage.requests.filter((method) => method === "PUT")).toEqual([]);
    await expect(storage.store.put(KEY, path)).rejects.toBeInstanceOf(RefusedFile);
    await expectNothingOutside();
  });
});
