/**
 * One conversion for all jobs of this worker that ask for the same file. It runs the pipeline, or waits for another
 * worker that already makes the file. Jobs may join and leave meanwhile; without jobs the conversion is aborted.
 */
import { findingsOf, type Findings } from "../../common/findings.ts";
import { TIERS } from "../../common/tiers.ts";
import { untilFound } from "../../common/waiting.ts";
import { fileKeyOf, stillHasFile, referenceFile, releaseFile, dropFileReference } from "../domain/jobs/files.ts";
import { subjectsOf, videoSubject } from "../domain/blocks/subjects.ts";
import { videoKeyOf } from "../domain/jobs/conversion-key.ts";
import { logFieldsOf } from "../domain/jobs/job-journal.ts";
import { findJob, isHeld } from "../domain/jobs/find-jobs.ts";
import type { HeldJob, JobWithFile, StoredJob } from "../domain/jobs/job-model.ts";
import { setFields } from "../domain/jobs/set-fields.ts";
import { storedChapters } from "../domain/jobs/stored-chapters.ts";
import { findReusable, findSameVideo, finishJob, type JobDetails, type SameVideoRequest } from "../domain/jobs/work.ts";
import type { NamedVideo } from "../pipeline/conversion.ts";
import type { ConvertedFile, ConvertListener } from "../pipeline/convert.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";
import type { FileUpload } from "../storage/file-store.ts";
import {
  endFailedJob,
  NoJobsLeft,
  OtherFileUnavailable,
  WorkerCrashing,
  WorkerStopping,
} from "./conversion-failure.ts";
import { ConversionThumbnail } from "./conversion-thumbnail.ts";
import { EarlyOffer } from "./early-offer.ts";
import { followedProgress } from "./followed-progress.ts";
import type { JobContext } from "./job-context.ts";
import { JobGroup } from "./job-group.ts";
import { StageClock } from "./stage-clock.ts";
import { storePatiently } from "./store-patiently.ts";
import { findStoredSource } from "./stored-source.ts";
import { tapeRequest } from "./tape-request.ts";

/** How often a conversion that waits for another worker reads that worker's progress. */
const FOLLOW_INTERVAL_MS = 500;
/** How often progress is reported while the file is being stored. */
const STORING_REPORT_MS = 250;

/** A file for the jobs of a conversion. */
interface Delivery {
  readonly fileKey: string;
  readonly sizeBytes: number;
  readonly durationSeconds?: number | undefined;
  readonly chapters?: StoredJob["chapters"];
  readonly note?: string | undefined;
  readonly findings: Findings;
  /** Set when the file was made for a job outside this conversion: details of the video from that job. */
  readonly reused?: {
    readonly title: string;
    readonly thumbnailKey?: string;
    readonly subjects?: string[];
    readonly videoKey?: string;
  };
  /** Puts the file into the store if it is not there yet. @returns false when the file was removed */
  ensureStored(): Promise<boolean>;
}

/** Finds a job whose file is the wanted one. */
type FindFile = () => Promise<JobWithFile | null>;

/** There is a file of the video, or somebody makes it: another link led to it before. */
class SameVideo extends Error {
  readonly request: SameVideoRequest;

  constructor(request: SameVideoRequest) {
    super("the same video was asked for by another link");
    this.request = request;
  }
}

export class Conversion {
  readonly #context: JobContext;
  /** The job for which the conversion was begun, as it was then; later ones joined it. */
  readonly #first: HeldJob;
  /** The job that the lease names. */
  #leasedFor: string;
  readonly #key: string;
  readonly #jobs: JobGroup;
  readonly #thumbnail: ConversionThumbnail;
  readonly #early: EarlyOffer;
  readonly #clock: StageClock;
  readonly #abort = new AbortController();
  /** Key of the file that this conversion has begun to store. */
  #storedKey: string | undefined;
  /** Keys for which this worker holds the lease to make the file: that of the link, and that of the video once it is known. */
  readonly #leased = new Set<string>();
  readonly #waitingForOther = Promise.withResolvers<void>();
  /** Resolves when this conversion begins to wait for another worker, which takes no slot of this worker. */
  readonly waitingForOther: Promise<void> = this.#waitingForOther.promise;
  /** Resolves when every job has been completed, failed or requeued. Never rejects. */
  readonly done: Promise<void>;

  /** Begins the conversion. @param first a claimed job */
  constructor(context: JobContext, first: HeldJob) {
    this.#context = context;
    this.#first = first;
    this.#key = first.conversionKey;
    this.#leasedFor = first._id;
    this.#clock = new StageClock(Date.now() - (first.call?.at ?? first.createdAt).getTime());
    this.#early = new EarlyOffer({
      files: context.earlyFiles,
      fileKey: fileKeyOf(first),
      onChange: (earlyName) => this.#jobs.saveDetails({ earlyName }),
      signal: this.#abort.signal,
      onCopyError: (error) =>
        context.log.warn({ ...logFieldsOf(first), error }, "could not make the copy that is read early"),
    });
    this.#jobs = new JobGroup(context, {
      onLeave: (jobId) => this.#early.leave(jobId),
      onLeft: () => this.#leaseForAnotherJob(),
      onEmpty: () => this.#abort.abort(new NoJobsLeft("every job of this conversion has left")),
    });
    this.#thumbnail = new ConversionThumbnail(context, this.#jobs);
    this.#jobs.add(first);
    this.done = this.#run(first);
  }

  /** @returns false when the conversion is ending and takes no more jobs */
  join(job: HeldJob): boolean {
    if (this.#jobs.isSealed) return false;
    this.#context.domain.journal.follows(job, this.#first);
    this.#thumbnail.giveToLateJob(this.#jobs.add(job));
    return true;
  }

  /** Removes a canceled job; a later attempt of it stays. */
  cancel(jobId: string, attempt: number): void {
    this.#jobs.cancel(jobId, attempt);
  }

  /** Sets the owner of the job, if it belongs to this conversion. */
  adopt(jobId: string, userId: string): void {
    this.#jobs.adopt(jobId, userId);
  }

  async renewLeases(): Promise<void> {
    const { leases } = this.#context;
    await Promise.all([
      this.#jobs.renewLeases(),
      ...Array.from(this.#leased, (key) => leases.renew(key, this.#leasedFor)),
    ]);
  }

  /**
   * Aborts the conversion; its jobs go back to the queue.
   * @param isCrashing the process ends after an uncaught error, so each job counts a worker death
   */
  stop(isCrashing: boolean): void {
    const reason = isCrashing
      ? new WorkerCrashing("the worker is crashing")
      : new WorkerStopping("the worker is stopping");
    this.#abort.abort(reason);
  }

  /** Other workers read the progress of the job that the lease names, which ends with that job. */
  #leaseForAnotherJob(): void {
    const { leases, log } = this.#context;
    const [other] = this.#jobs;
    if (!other || this.#jobs.has(this.#leasedFor)) return;
    this.#leasedFor = other.stored._id;
    for (const key of this.#leased)
      leases
        .renew(key, this.#leasedFor)
        // It is written again with the next renewal.
        .catch((error: unknown) => log.warn({ error }, "could not name another job of a shared conversion"));
  }

  async #run(first: HeldJob): Promise<void> {
    const { leases } = this.#context;
    try {
      const other = await leases.acquire(this.#key, first._id);
      if (other) await this.#followOther(first, this.#key, this.#findByLink);
      else await this.#convertWithLease(first);
    } catch (error) {
      await this.#thumbnail.settled;
      const left = await this.#jobs.close();
      this.#jobs.beginEnding();
      for (const job of left) await endFailedJob(this.#context, job.stored, error);
      await this.#removeUnusedFile();
    } finally {
      await this.#thumbnail.settled;
      await this.#thumbnail.removeUnused();
    }
  }

  /** Deletes the file of a failed attempt if it was stored already and no job names it. */
  async #removeUnusedFile(): Promise<void> {
    if (this.#storedKey === undefined) return;
    const { domain, log } = this.#context;
    try {
      await releaseFile(domain, this.#storedKey);
    } catch (error) {
      log.warn({ error, key: this.#storedKey }, "could not remove the file of a failed attempt");
    }
  }

  async #convertWithLease(first: HeldJob): Promise<void> {
    this.#leased.add(this.#key);
    try {
      // Another worker may have finished the file just before this one took the lease.
      if (!(await this.#reuseFile(first, this.#findByLink))) await this.#convertUnlessSame(first);
    } finally {
      const keys = [...this.#leased];
      this.#leased.clear();
      for (const key of keys) await this.#context.leases.release(key);
    }
  }

  /** Converts, or uses the file of the same video that was asked for by another link. */
  async #convertUnlessSame(first: HeldJob): Promise<void> {
    try {
      await this.#convert(first);
    } catch (error) {
      if (!(error instanceof SameVideo)) throw error;
      await this.#followOther(first, error.request.videoKey, () => this.#findByVideo(error.request));
    }
  }

  /** @throws SameVideo when there is a file of the video, or somebody makes it */
  async #takeVideo(first: HeldJob, { videoId, name }: NamedVideo): Promise<void> {
    const { domain, leases } = this.#context;
    const videoKey = videoKeyOf(domain, first, name);
    // A second try reads the video again.
    if (this.#leased.has(videoKey)) return;
    const request = { subject: videoSubject(videoId), videoKey };
    this.#jobs.saveDetails({ videoKey, video: request.subject });
    if (await leases.acquire(videoKey, first._id)) throw new SameVideo(request);
    this.#leased.add(videoKey);
    if (await this.#findByVideo(request)) throw new SameVideo(request);
  }

  /** A file that the store has lost is made again. */
  async #stored(other: JobWithFile | null): Promise<JobWithFile | null> {
    return other && (await this.#context.store.stat(other.fileKey)) === null ? null : other;
  }

  readonly #findByLink: FindFile = async () => this.#stored(await findReusable(this.#context.domain, this.#first));

  async #findByVideo(request: SameVideoRequest): Promise<JobWithFile | null> {
    return this.#stored(await findSameVideo(this.#context.domain, request));
  }

  /** Waits for the worker that makes the file and copies its progress to the jobs of this conversion. */
  async #followOther(first: HeldJob, key: string, find: FindFile): Promise<void> {
    const { domain, leases, log } = this.#context;
    const { signal } = this.#abort;
    log.info(logFieldsOf(first), "another worker is making the same file");
    this.#waitingForOther.resolve();
    const look = async (): Promise<boolean> => {
      // The other worker stores its file before it releases the lease, so the lease is read before the file.
      const lease = this.#leased.has(key) ? null : await leases.find(key);
      if (await this.#reuseFile(first, find)) return true;
      if (!lease) throw new OtherFileUnavailable("the worker that made the file has died or failed");
      const otherJob = await findJob(domain, { _id: lease.jobId });
      if (otherJob && isHeld(otherJob)) await this.#copyProgress(otherJob);
      return false;
    };
    await untilFound(look, { everyMs: FOLLOW_INTERVAL_MS, signal });
  }

  async #copyProgress(other: HeldJob): Promise<void> {
    this.#jobs.pause(other.resumesAt ?? null);
    const details = { ...detailsOf(other), ...setFields({ subjects: subjectsOfBoth(this.#first, other) }) };
    if (JSON.stringify(details) !== JSON.stringify(this.#jobs.details)) this.#jobs.saveDetails(details);
    if (other.thumbnailKey !== undefined) await this.#thumbnail.useStored(other.thumbnailKey);
    if (other.status === "processing") this.#jobs.reportProgress(followedProgress(this.#jobs.progress, other));
  }

  /** Completes every job with a file that is already stored. @returns false when there is none */
  async #reuseFile(first: HeldJob, find: FindFile): Promise<boolean> {
    const { domain } = this.#context;
    const other = await find();
    if (!other) return false;
    const { _id, title, fileKey, fileSize, thumbnailKey, durationSeconds, chapters, note, videoKey } = other;
    for (const job of this.#jobs) domain.journal.follows(job.stored, other);
    this.#jobs.reportProgress({ stage: "store", progress: 99 });
    await this.#deliver({
      fileKey,
      sizeBytes: fileSize,
      durationSeconds,
      chapters,
      note,
      findings: findingsOf(other),
      reused: { title, ...setFields({ thumbnailKey, videoKey, subjects: subjectsOfBoth(first, other) }) },
      ensureStored: () => stillHasFile(domain, { _id, fileKey }),
    });
    return true;
  }

  async #convert(first: HeldJob): Promise<void> {
    const { store, scratchFolder, storePatienceMs } = this.#context;
    const same = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, same.signal]);
    const fileKey = fileKeyOf(first);
    await using folder = await openJobFolder(scratchFolder, `${first._id}.${first.attempt}`);
    await using early = this.#early;
    await using uploads = new AsyncDisposableStack();
    /** The upload that began while the file was still being encoded. */
    let upload: { readonly path: string; readonly file: FileUpload } | undefined;
    const listener: ConvertListener = {
      found: ({ origin, thumbnailPath, chapters, ...others }) => {
        if (thumbnailPath !== undefined) this.#thumbnail.store(thumbnailPath, folder.path);
        const subjects = origin && subjectsOf(first.sourceUrl, origin);
        const details = { ...others, ...setFields({ subjects, chapters: chapters && storedChapters(chapters) }) };
        if (Object.keys(details).length > 0) this.#jobs.saveDetails(details);
      },
      named: async (video) => {
        await this.#takeVideo(first, video).catch((error: unknown) => same.abort(error));
        same.signal.throwIfAborted();
      },
      waiting: (untilMs) => this.#jobs.pause(untilMs === null ? null : new Date(untilMs)),
      written: (path, final) => {
        upload ??= { path, file: uploads.use(store.beginUpload(fileKey, path)) };
        if (path === upload.path) upload.file.reportFinalBytes(final);
        early.written(path, final);
      },
      earlyCopy: (copy) => early.offerCopy(copy),
      progress: ({ percent, ...update }) => {
        this.#clock.report(update.stage, update.etaSeconds);
        this.#jobs.reportProgress({ ...update, progress: percent });
      },
    };
    const file = await this.#make(first, folder.path, listener, signal);
    signal.throwIfAborted();
    await this.#deliver({
      fileKey,
      sizeBytes: file.sizeBytes,
      durationSeconds: file.durationSeconds,
      chapters: this.#jobs.details.chapters,
      findings: findingsOf(this.#jobs.details),
      ensureStored: async () => {
        this.#storedKey = fileKey;
        const storeOnce = () => (upload?.path === file.path ? upload.file.finish() : store.put(fileKey, file.path));
        await storePatiently(storeOnce, { patienceMs: storePatienceMs, signal });
        return true;
      },
    });
    await early.complete(file.sizeBytes);
  }

  async #make(first: HeldJob, folder: string, listener: ConvertListener, signal: AbortSignal): Promise<ConvertedFile> {
    const { sourceUrl: url, format, choices = {}, cutOf, tape } = first;
    const limits = TIERS[first.tier];
    if (!tape) {
      const stored = cutOf && (await findStoredSource(this.#context.store, cutOf));
      return this.#context.convert({ url, stored, format, choices, limits, folder }, listener, signal);
    }
    const { request, ...details } = await tapeRequest(this.#context, { ...first, tape });
    // Before a song is read: what is blocked from now on ends the tape with the song.
    this.#jobs.saveDetails(details);
    return this.#context.joinSongs({ ...request, limits, folder }, listener, signal);
  }

  /** Stores the file and completes every job with it. */
  async #deliver(delivery: Delivery): Promise<void> {
    await this.#thumbnail.settled;
    this.#jobs.seal();
    const { domain } = this.#context;
    const { fileKey, reused } = delivery;
    const jobs = Array.from(this.#jobs, (job) => job.stored);
    if (jobs.length === 0) return;
    // Every job names a shared file before any job is completed: a visitor may remove a completed job at once, and a
    // file that no other job names is deleted with it. A single job names it too if the file has another job's key.
    const isOwn = jobs.every((job) => fileKeyOf(job) === fileKey);
    if (reused || !isOwn) await referenceFile(domain, jobs, fileKey, reused);
    if (!(await this.#storeWhileReporting(delivery))) {
      await dropFileReference(domain, jobs, fileKey);
      throw new OtherFileUnavailable("the file was removed while it was being reused");
    }
    await this.#jobs.close();
    this.#jobs.beginEnding();
    await this.#complete(jobs, delivery);
  }

  /** Reports progress with less and less time left while the file is being stored. */
  async #storeWhileReporting(delivery: Delivery): Promise<boolean> {
    const startedMs = performance.now();
    const timer = setInterval(() => this.#reportStoring((performance.now() - startedMs) / 1_000), STORING_REPORT_MS);
    try {
      return await delivery.ensureStored();
    } finally {
      clearInterval(timer);
    }
  }

  #reportStoring(elapsedSeconds: number): void {
    const latest = this.#jobs.progress;
    if (!latest) return;
    const { etaSeconds } = latest;
    const update =
      etaSeconds === undefined ? latest : { ...latest, etaSeconds: Math.max(0.05, etaSeconds - elapsedSeconds) };
    for (const job of this.#jobs) job.reportProgress(update);
  }

  async #complete(jobs: readonly HeldJob[], delivery: Delivery): Promise<void> {
    const completions = jobs.map((job) => this.#completeJob(job, delivery));
    // Every job is tried before a failure of one of them is thrown.
    await Promise.allSettled(completions);
    const completed = await Promise.all(completions);
    if (completed.includes(false)) await releaseFile(this.#context.domain, delivery.fileKey);
  }

  /** @returns false when the job no longer belongs to this worker */
  async #completeJob(
    job: HeldJob,
    { fileKey, sizeBytes, durationSeconds, chapters, note, findings, reused }: Delivery,
  ): Promise<boolean> {
    const file: Parameters<typeof finishJob>[2] = {
      fileKey,
      fileSize: sizeBytes,
      ...setFields({ durationSeconds, chapters, note }),
      ...findings,
    };
    if (reused || job._id !== this.#first._id) file.isRepeat = true;
    // Most of the time of a tape is that of its songs, which have receipts, and a cut asks no site.
    else if (!job.tape && !job.cutOf) file.receipt = this.#clock.receipt();
    const { domain } = this.#context;
    const finished = await finishJob(domain, job, file, job.tier);
    domain.journal.left(job);
    this.#jobs.delete(job._id);
    if (!finished) this.#early.leave(job._id);
    return finished !== null;
  }
}

/** Another link may lead to the video of the other job; what either of them is blocked by is true of both. */
function subjectsOfBoth({ sourceUrl }: HeldJob, { subjects }: StoredJob): string[] | undefined {
  return subjects && [...new Set([...subjects, ...subjectsOf(sourceUrl)])];
}

function detailsOf(job: HeldJob): JobDetails {
  const { title, durationSeconds, chapters, note, subjects } = job;
  return { title, ...setFields({ durationSeconds, chapters, note, subjects }), ...findingsOf(job) };
}
