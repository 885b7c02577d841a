/** A runner on a real database and real files, whose conversions wait until a test lets them end. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testFolder } from "./test-folder.ts";
import { withoutTapes } from "./test-conversion.ts";
import type { TestDomain } from "./test-domain.ts";
import { expect } from "vitest";
import { untilAborted } from "./until-aborted.ts";
import { openConversionLeaseModel, openConversionLeases } from "../../domain/jobs/conversion-leases.ts";
import type { JobDocument } from "../../domain/jobs/job-model.ts";
import type { Found } from "../../pipeline/conversion.ts";
import type { ConvertListener } from "../../pipeline/convert.ts";
import { openDiskStore } from "../../storage/disk-store.ts";
import type { FileStore } from "../../storage/file-store.ts";
import type { JobContext } from "../../worker/job-context.ts";
import { Runner } from "../../worker/runner.ts";

/** Of the lease to make a file. Longer than any test; a test that needs its end calls `endLeases`. */
const LEASE_MS = 600_000;
export const LINK = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" } as const;
export const ticketFor = (jobId: string) => ({ jobId, renewLock: () => Promise.resolve() });

export interface Bench extends AsyncDisposable {
  readonly domain: TestDomain;
  readonly store: FileStore;
  readonly runner: Runner;
  /** Ends the leases to make files, as if their workers had sent no heartbeat for long. */
  endLeases(): Promise<void>;
  /** Another worker on the same jobs and files; `finish` and `progress` act on its conversions too. */
  openSecond(): Promise<Runner>;
  /** How many conversions both workers have begun. */
  begunCount(): number;
  /** Resolves once a conversion runs. */
  readonly begun: Promise<void>;
  /** Makes the conversion report its progress. */
  progress(percent: number): void;
  /** Makes the conversion report that it waits for the site until a moment, or that it goes on. */
  pause(until: Date | null): void;
  /** Makes the conversion report what it has found out. At its end it reports {@link SHORTFALL}. */
  found(what: Found): void;
  /** Makes the conversion report a picture. */
  picture(): Promise<void>;
  /** Runs before each file that a worker stores. */
  beforePut(action: () => Promise<void>): void;
  /** Puts a file into the store. */
  put(key: string): Promise<void>;
  /** Lets the conversions succeed. */
  finish(): void;
}

export const SHORTFALL = { reason: "site", heightLines: 360 } as const;

/** Replaces the pipeline: each conversion reports its start, and then waits until the test calls `finish`. */
class HeldConversions {
  readonly #begun = Promise.withResolvers<void>();
  readonly #finished = Promise.withResolvers<void>();
  readonly #listeners: ConvertListener[] = [];
  #lastFolder: string | undefined;

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  get count(): number {
    return this.#listeners.length;
  }

  readonly convert: JobContext["convert"] = async (request, listener, signal) => {
    this.#listeners.push(listener);
    this.#lastFolder = request.folder;
    listener.progress({ stage: "download", percent: 10 });
    this.#begun.resolve();
    await Promise.race([this.#finished.promise, untilAborted(signal)]);
    const path = join(request.folder, "result.mp3");
    await writeFile(path, "sound");
    listener.found({ shortfall: SHORTFALL });
    return { path, sizeBytes: 5, durationSeconds: 1 };
  };

  progress(percent: number): void {
    this.#listeners.at(-1)?.progress({ stage: "download", percent });
  }

  pause(until: Date | null): void {
    this.#listeners.at(-1)?.waiting?.(until === null ? null : until.getTime());
  }

  found(what: Found): void {
    this.#listeners.at(-1)?.found(what);
  }

  async picture(): Promise<void> {
    if (this.#lastFolder === undefined) throw new Error("no conversion has begun");
    const path = join(this.#lastFolder, "picture.jpg");
    await writeFile(path, "picture");
    this.#listeners.at(-1)?.found({ thumbnailPath: path });
  }

  finish(): void {
    this.#finished.resolve();
  }
}

/** @param ofTest domain whose database is empty */
export async function openBench(ofTest: TestDomain, { writeIntervalMs } = { writeIntervalMs: 1 }): Promise<Bench> {
  await using opened = new AsyncDisposableStack();
  const folder = await testFolder();
  const store = await openDiskStore(join(folder, "files"));
  let beforePut = () => Promise.resolve();
  const watchedStore: FileStore = {
    put: async (key, path) => {
      await beforePut();
      await store.put(key, path);
    },
    beginUpload: (key, path) => store.beginUpload(key, path),
    stat: (key) => store.stat(key),
    read: (key, range) => store.read(key, range),
    remove: (key) => store.remove(key),
    list: () => store.list(),
    clearUnfinished: (minAgeMs) => store.clearUnfinished(minAgeMs),
  };
  const domain: TestDomain = { ...ofTest, removeFile: (key) => store.remove(key) };
  const conversions = new HeldConversions();
  const silent = () => undefined;
  const open = async (workerId: string) =>
    new Runner(
      {
        domain,
        store: watchedStore,
        leases: await openConversionLeases(domain.jobs.db, { workerId, leaseMs: LEASE_MS }),
        scratchFolder: join(folder, "scratch"),
        writeIntervalMs,
        storePatienceMs: 0,
        log: { debug: silent, info: silent, warn: silent, error: silent },
        convert: conversions.convert,
        joinSongs: withoutTapes,
      },
      workerId,
    );
  const runner = await open("test-worker");
  const put = async (key: string): Promise<void> => {
    const path = join(folder, key);
    await writeFile(path, "stored");
    await store.put(key, path);
  };
  const rest = opened.move();
  return {
    domain,
    store,
    runner,
    found: (what) => conversions.found(what),
    picture: () => conversions.picture(),
    beforePut: (action) => {
      beforePut = action;
    },
    put,
    begun: conversions.begun,
    progress: (percent) => conversions.progress(percent),
    pause: (until) => conversions.pause(until),
    finish: () => conversions.finish(),
    endLeases: async () => {
      await (await openConversionLeaseModel(domain.jobs.db)).updateMany({}, { $set: { expiresAt: new Date(0) } });
    },
    openSecond: () => open("second-worker"),
    begunCount: () => conversions.count,
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

export async function keysIn(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.sort();
}

/** Resolves when the stored job fits. */
export async function until(domain: TestDomain, id: string, fits: (job: JobDocument) => boolean): Promise<void> {
  await expect.poll(async () => fits((await domain.stored(id)) as JobDocument)).toBe(true);
}
