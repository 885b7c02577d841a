/**
 * One way to a file for everybody who asked for it: a run of the pipeline, or waiting for the run of
 * another worker. Jobs join while it lasts and leave when they are canceled; it ends early only when
 * nobody is left.
 */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ConversionError } from "../../common/errors.ts";
import { TIERS } from "../../common/tiers.ts";
import type { Domain } from "../domain/domain.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import {
  fileKeyOf,
  stillHasFile,
  referenceFile,
  releaseFile,
  thumbnailKeyOf,
  dropFileReference,
} from "../domain/jobs/files.ts";
import type { ConversionLeases } from "../domain/jobs/conversion-leases.ts";
import {
  failJob,
  findReusable,
  finishJob,
  handBack,
  recordDeath,
  startOver,
  type ProgressUpdate,
} from "../domain/jobs/work.ts";
import type { ConvertedFile, ConvertListener, ConvertRequest } from "../pipeline/convert.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";
import type { FileStore, Incoming } from "../storage/file-store.ts";
import { HeldJob } from "./held-job.ts";

export interface Workshop {
  readonly domain: Domain;
  readonly store: FileStore;
  readonly leases: ConversionLeases;
  /** Where jobs have their temporary folders. */
  readonly scratchFolder: string;
  /** At least this long between two writes of one job's progress. */
  readonly writeIntervalMs: number;
  convert(request: ConvertRequest, listener: ConvertListener, signal: AbortSignal): Promise<ConvertedFile>;
  log: {
    debug(data: object, text: string): void;
    info(data: object, text: string): void;
    warn(data: object, text: string): void;
    error(data: object, text: string): void;
  };
}

/** Why a run is ended from outside. */
class Abandoned extends Error {}
class Stopping extends Error {}
/** The process has to end because of an error that no promise caught. */
class Dying extends Error {}
/** Why one ends that waited for another worker: that one died or failed. Whoever comes next makes the file. */
class LeftAlone extends Error {}

/** How often somebody who waits for another worker's file looks how far it is. */
const LOOK_MS = 500;
/** How often it is said that the file is still being stored. */
const STORING_MS = 250;

export class Conversion {
  readonly #workshop: Workshop;
  /** For whom the run was begun; others find it under way. */
  readonly #firstId: string;
  readonly #key: string;
  readonly #members = new Map<string, HeldJob>();
  readonly #abort = new AbortController();
  /** What a job that joins late has missed. */
  #known: { title?: string; durationSeconds?: number; note?: string } = {};
  #thumbnailKey: string | undefined;
  /** Of the picture that we have begun to store. */
  #ownPictureKey: string | undefined;
  #progress: ProgressUpdate | undefined;
  #storing: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Whether this worker holds the conversion's lease. */
  #hasLease = false;
  readonly #following = Promise.withResolvers<void>();
  /** Resolves when another worker is found to be making the file: waiting for it takes no place here. */
  readonly following: Promise<void> = this.#following.promise;
  /** Settles when the run is over and every job has been told. Never rejects. */
  readonly done: Promise<void>;

  constructor(workshop: Workshop, first: StoredJob) {
    this.#workshop = workshop;
    this.#firstId = first._id;
    this.#key = first.conversionKey;
    this.#admit(first);
    this.done = this.#run(first);
  }

  /** False: it is too late to join. */
  join(job: StoredJob): boolean {
    if (this.#isClosed) return false;
    const held = this.#admit(job);
    if (Object.keys(this.#known).length > 0) held.describe(this.#known);
    this.#storing = Promise.all([this.#storing, this.#givePicture(held)]).then(() => undefined);
    if (this.#progress) held.report(this.#progress);
    return true;
  }

  /** Lets go of a job that was canceled; a later attempt of it stays. */
  drop(jobId: string, attempt: number): void {
    const held = this.#members.get(jobId);
    if (held?.job.attempt === attempt) this.#leave(held);
  }

  /** The job, if it is one of ours, has become a user's. */
  adopt(jobId: string, userId: string): void {
    this.#members.get(jobId)?.adopt(userId);
  }

  async renewLeases(): Promise<void> {
    await Promise.all([
      ...[...this.#members.values()].map((held) => held.renew()),
      ...(this.#hasLease ? [this.#workshop.leases.renew(this.#key)] : []),
    ]);
  }

  /**
   * Ends the run; its jobs go back to the queue.
   * @param isDying the process ends because of an error that one of its jobs may have caused
   */
  stop(isDying: boolean): void {
    this.#abort.abort(isDying ? new Dying("the worker is dying") : new Stopping("the worker is stopping"));
  }

  #admit(job: StoredJob): HeldJob {
    const held = new HeldJob(this.#workshop.domain, job, this.#workshop.writeIntervalMs, {
      onLost: (lost) => {
        this.#workshop.log.info({ jobId: job._id, attempt: job.attempt }, "a job is no longer this worker's");
        this.#leave(lost);
      },
      onError: (error) => this.#workshop.log.warn({ error, jobId: job._id }, "a job's progress could not be written"),
    });
    // The same job at a later attempt replaces itself.
    void this.#members.get(job._id)?.release();
    this.#members.set(job._id, held);
    return held;
  }

  #leave(held: HeldJob): void {
    void held.release();
    if (this.#members.get(held.job._id) !== held) return;
    this.#members.delete(held.job._id);
    if (this.#members.size === 0 && !this.#isClosed) {
      // From here on nobody can join: the pipeline is being torn down.
      this.#isClosed = true;
      this.#abort.abort(new Abandoned("nobody waits for this conversion any more"));
    }
  }

  async #run(first: StoredJob): Promise<void> {
    try {
      const { leases } = this.#workshop;
      if (await leases.acquire(this.#key, first._id)) await this.#follow(first);
      else {
        this.#hasLease = true;
        try {
          // Somebody may have finished between our looking for a file and our taking this over.
          if (!(await this.#takeOver(first))) await this.#convert(first);
        } finally {
          this.#hasLease = false;
          await leases.release(this.#key);
        }
      }
    } catch (error) {
      await this.#storing;
      for (const { job } of await this.#close()) await this.#giveUp(job, error);
    } finally {
      await this.#storing;
      await this.#dropPicture();
    }
  }

  /** Waits for the worker that makes the file, and says of our jobs what becomes known of its own. */
  async #follow(first: StoredJob): Promise<void> {
    this.#workshop.log.info({ jobId: first._id }, "another worker is making the same file");
    this.#following.resolve();
    const { domain, leases } = this.#workshop;
    const { signal } = this.#abort;
    for (;;) {
      const lease = await leases.find(this.#key);
      // In this order: its file is there before its lease ends.
      if (await this.#takeOver(first)) return;
      if (!lease) throw new LeftAlone("the worker that made the file has died or failed");
      const leader = await domain.jobs.findById(lease.jobId).lean<StoredJob>();
      if (leader) await this.#imitate(leader);
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  async #imitate({
    title,
    durationSeconds,
    note,
    thumbnailKey,
    status,
    stage,
    progress,
    etaSeconds,
    bytesPerSecond,
  }: StoredJob): Promise<void> {
    if (status !== "processing") return;
    const about = {
      title,
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
      ...(note === undefined ? {} : { note }),
    };
    if (JSON.stringify(about) !== JSON.stringify(this.#known)) this.#describe(about);
    if (thumbnailKey !== undefined && this.#thumbnailKey === undefined) {
      this.#thumbnailKey = thumbnailKey;
      await Promise.all([...this.#members.values()].map((held) => this.#givePicture(held)));
    }
    if (stage === undefined) return;
    this.#progress = {
      stage,
      progress,
      ...(etaSeconds === undefined ? {} : { etaSeconds }),
      ...(bytesPerSecond === undefined ? {} : { bytesPerSecond }),
    };
    for (const held of this.#members.values()) held.report(this.#progress);
  }

  /** Completes every job from a file that is there already. False: there is none. */
  async #takeOver(first: StoredJob): Promise<boolean> {
    const { domain, store } = this.#workshop;
    const other = await findReusable(domain, first);
    const { fileKey, fileSize, thumbnailKey } = other ?? {};
    if (!other || fileKey === undefined || fileSize === undefined) return false;
    if ((await store.stat(fileKey)) === null) return false;
    for (const held of this.#members.values()) held.report({ stage: "store", progress: 99 });
    const about = { sizeBytes: fileSize, durationSeconds: other.durationSeconds, note: other.note };
    const repeated = { title: other.title, ...(thumbnailKey === undefined ? {} : { thumbnailKey }) };
    await this.#deliver(about, { fileKey, repeated, keep: () => stillHasFile(domain, { _id: other._id, fileKey }) });
    return true;
  }

  /** What becomes of a job whose run ended without a file. */
  async #giveUp(job: StoredJob, error: unknown): Promise<void> {
    const { domain, log } = this.#workshop;
    const about = { jobId: job._id, attempt: job.attempt };
    try {
      if (error instanceof Stopping || error instanceof LeftAlone) await handBack(domain, job);
      else if (error instanceof Dying) await recordDeath(domain, job);
      else if (!(error instanceof ConversionError)) {
        log.error({ ...about, error }, "a conversion failed unexpectedly");
        // The database or the disk, seldom the video: worth another attempt.
        await startOver(domain, job, "internal");
      } else {
        log.info({ ...about, code: error.code, detail: error.detail, cause: error.cause }, "a conversion failed");
        if (error.isTransient) await startOver(domain, job, error.code, error.message);
        else await failJob(domain, job, error.code, error.message);
      }
    } catch (failure) {
      // The database cannot be told now; the lease runs out and the job starts over.
      log.error({ ...about, error: failure }, "the end of a conversion could not be written");
    }
  }

  async #convert(first: StoredJob): Promise<void> {
    const { store } = this.#workshop;
    const fileKey = fileKeyOf(first);
    await using folder = await openJobFolder(this.#workshop.scratchFolder, `${first._id}.${first.attempt}`);
    await using coming = new AsyncDisposableStack();
    let incoming: { readonly path: string; readonly file: Incoming } | undefined;
    const file = await this.#workshop.convert(
      { url: first.sourceUrl, format: first.format, limits: TIERS[first.tier], folder: folder.path },
      {
        metadata: (about) => this.#describe(about),
        note: (note) => this.#describe({ note }),
        thumbnail: (path) => this.#keepPicture(path, folder.path),
        written: (path, final) => {
          incoming ??= { path, file: coming.use(store.begin(fileKey, path)) };
          if (path === incoming.path) incoming.file.grown(final);
        },
        progress: ({ percent, ...update }) => {
          this.#progress = { ...update, progress: percent };
          for (const held of this.#members.values()) held.report(this.#progress);
        },
      },
      this.#abort.signal,
    );
    this.#abort.signal.throwIfAborted();
    const keep = async (): Promise<true> => {
      await (incoming?.path === file.path ? incoming.file.finish() : store.put(fileKey, file.path));
      return true;
    };
    await this.#deliver(file, { fileKey, keep });
  }

  /**
   * Sees to it that the file is stored and gives it to every job.
   * @param source where it is stored, and how that comes about; false: it is gone. `repeated`: what else
   *   is known of a file that was made for another job
   */
  async #deliver(
    file: {
      readonly sizeBytes: number;
      readonly durationSeconds?: number | undefined;
      readonly note?: string | undefined;
    },
    source: {
      readonly fileKey: string;
      readonly repeated?: { readonly title: string; readonly thumbnailKey?: string };
      keep(): Promise<boolean>;
    },
  ): Promise<void> {
    await this.#storing;
    // Whoever joined is served; nobody joins any more.
    this.#isClosed = true;
    const { domain } = this.#workshop;
    const { fileKey, repeated } = source;
    const jobs = [...this.#members.values()].map(({ job }) => job);
    if (jobs.length === 0) return;
    // Everybody has named it before anybody hears of it: whoever does may give it up at once.
    // So has a job that is served when the first one has left: the file is stored under that one's name.
    const isOwn = jobs.every((job) => fileKeyOf(job) === fileKey);
    if (repeated || !isOwn) await referenceFile(domain, jobs, fileKey, repeated);
    {
      using telling = new DisposableStack();
      const sinceMs = performance.now();
      telling.adopt(
        setInterval(() => this.#tellStoring((performance.now() - sinceMs) / 1_000), STORING_MS),
        clearInterval,
      );
      if (!(await source.keep())) {
        await dropFileReference(domain, jobs, fileKey);
        throw new LeftAlone("the file was removed while it was taken over");
      }
    }
    await this.#close();
    const finish = async (job: StoredJob): Promise<boolean> => {
      const finished = await finishJob(
        domain,
        job,
        {
          fileKey,
          fileSize: file.sizeBytes,
          ...(file.durationSeconds === undefined ? {} : { durationSeconds: file.durationSeconds }),
          ...(file.note === undefined ? {} : { note: file.note }),
          ...(job._id === this.#firstId && !repeated ? {} : { isRepeat: true }),
        },
        job.tier,
      );
      // Over: its lease is not to be renewed any more.
      this.#members.delete(job._id);
      return finished !== null;
    };
    const finishing = jobs.map(finish);
    // What goes wrong with one is dealt with when all the others have been told.
    await Promise.allSettled(finishing);
    if ((await Promise.all(finishing)).includes(false)) await releaseFile(domain, fileKey);
  }

  /** Says the same again, with less time left: whoever watches hears that it goes on. */
  #tellStoring(sinceSeconds: number): void {
    if (!this.#progress) return;
    const { etaSeconds, ...rest } = this.#progress;
    const left = etaSeconds === undefined ? {} : { etaSeconds: Math.max(0.05, etaSeconds - sinceSeconds) };
    for (const held of this.#members.values()) held.report({ ...rest, ...left });
  }

  /** No more joining; what was reported is written. Those that are still ours are returned. */
  async #close(): Promise<HeldJob[]> {
    this.#isClosed = true;
    const members = [...this.#members.values()];
    await Promise.all(members.map((held) => held.release()));
    return members.filter((held) => this.#members.has(held.job._id));
  }

  #describe(about: { title?: string; durationSeconds?: number; note?: string }): void {
    this.#known = { ...this.#known, ...about };
    for (const held of this.#members.values()) held.describe(about);
  }

  #keepPicture(path: string, folder: string): void {
    const { store, log } = this.#workshop;
    const [leader] = this.#members.values();
    if (!leader) return;
    const key = thumbnailKeyOf(leader.job);
    this.#ownPictureKey = key;
    this.#storing = (async () => {
      // A copy: the pipeline puts the same picture into the file.
      const copy = join(folder, "thumbnail-to-store.jpg");
      await copyFile(path, copy);
      await store.put(key, copy);
      this.#thumbnailKey = key;
      await Promise.all([...this.#members.values()].map((held) => this.#givePicture(held)));
    })().catch((error: unknown) => log.warn({ error, jobId: leader.job._id }, "a thumbnail could not be stored"));
  }

  /** A job that was lost or removed while its picture was being stored does not name it, and nobody else ever will. */
  async #dropPicture(): Promise<void> {
    if (this.#ownPictureKey === undefined) return;
    const { domain, log } = this.#workshop;
    try {
      await releaseFile(domain, this.#ownPictureKey);
    } catch (error) {
      log.warn({ error, key: this.#ownPictureKey }, "a picture that nobody has could not be removed");
    }
  }

  /** Never rejects: a job goes on without its picture. */
  async #givePicture(held: HeldJob): Promise<void> {
    const key = this.#thumbnailKey;
    if (key === undefined) return;
    try {
      // Another's may be gone with its job.
      if (key === thumbnailKeyOf(held.job) || (await this.#workshop.store.stat(key)) !== null)
        held.describe({ thumbnailKey: key });
    } catch (error) {
      this.#workshop.log.warn({ error, jobId: held.job._id }, "a thumbnail could not be looked for");
    }
  }
}
