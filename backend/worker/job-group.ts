import { logFieldsOf } from "../domain/jobs/job-journal.ts";
import type { HeldJob } from "../domain/jobs/job-model.ts";
import type { JobDetails, ProgressUpdate } from "../domain/jobs/work.ts";
import { ClaimedJob } from "./claimed-job.ts";
import type { JobContext } from "./job-context.ts";

/** The jobs of this worker that share one conversion. A job that joins late gets all details known so far. */
export class JobGroup implements Iterable<ClaimedJob> {
  readonly #context: JobContext;
  readonly #onLeave: (jobId: string) => void;
  readonly #onLeft: () => void;
  readonly #onEmpty: () => void;
  /** By job id. */
  readonly #jobs = new Map<string, ClaimedJob>();
  #details: JobDetails = {};
  #progress: ProgressUpdate | undefined;
  #resumesAt: Date | null = null;
  #isSealed = false;
  /** A job that does not hold its lease any more may be one that was ended here. */
  #isEnding = false;

  /**
   * @param listeners.onLeave called for each job that leaves before the jobs are ended
   *
   * For a group that is not sealed:
   * @param listeners.onLeft called when a job leaves others behind
   * @param listeners.onEmpty called when the last job leaves; the group is sealed from then on
   */
  constructor(
    context: JobContext,
    listeners: {
      readonly onLeave: (jobId: string) => void;
      readonly onLeft: () => void;
      readonly onEmpty: () => void;
    },
  ) {
    this.#context = context;
    this.#onLeave = listeners.onLeave;
    this.#onLeft = listeners.onLeft;
    this.#onEmpty = listeners.onEmpty;
  }

  get isSealed(): boolean {
    return this.#isSealed;
  }

  get details(): JobDetails {
    return this.#details;
  }

  get progress(): ProgressUpdate | undefined {
    return this.#progress;
  }

  has(jobId: string): boolean {
    return this.#jobs.has(jobId);
  }

  [Symbol.iterator](): Iterator<ClaimedJob> {
    return this.#jobs.values();
  }

  /** Adds a claimed job. A later attempt of the same job replaces the earlier one. */
  add(stored: HeldJob): ClaimedJob {
    const { domain, writeIntervalMs, log } = this.#context;
    const { _id: jobId } = stored;
    const job = new ClaimedJob(domain, stored, writeIntervalMs, {
      onLost: (lost) => {
        if (this.#isEnding) return;
        log.info(logFieldsOf(stored), "the job no longer belongs to this worker");
        this.#leave(lost);
      },
      onError: (error) => log.warn({ ...logFieldsOf(stored), error }, "could not write the progress of a job"),
    });
    void this.#jobs.get(jobId)?.close();
    this.#jobs.set(jobId, job);
    if (Object.keys(this.#details).length > 0) job.saveDetails(this.#details);
    if (this.#progress) job.reportProgress(this.#progress);
    if (this.#resumesAt) job.pause(this.#resumesAt);
    return job;
  }

  /** Removes a canceled job, unless a later attempt of it is in the group. */
  cancel(jobId: string, attempt: number): void {
    const job = this.#jobs.get(jobId);
    if (job?.stored.attempt === attempt) this.#leave(job);
  }

  /** Sets the owner of the job, if it is in the group. */
  adopt(jobId: string, userId: string): void {
    this.#jobs.get(jobId)?.adopt(userId);
  }

  /** Call it before the jobs are completed or fail: then that write tells which of them are lost. */
  beginEnding(): void {
    this.#isEnding = true;
  }

  /** Removes a completed job, so that its lease is not renewed any more. */
  delete(jobId: string): void {
    this.#jobs.delete(jobId);
  }

  saveDetails(details: JobDetails): void {
    this.#details = { ...this.#details, ...details };
    for (const job of this) job.saveDetails(details);
  }

  reportProgress(update: ProgressUpdate): void {
    this.#progress = update;
    for (const job of this) job.reportProgress(update);
  }

  /** @param resumesAt when the conversion goes on that the video site asked to wait; null: it goes on now */
  pause(resumesAt: Date | null): void {
    if (this.#resumesAt?.getTime() === resumesAt?.getTime()) return;
    this.#resumesAt = resumesAt;
    for (const job of this) job.pause(resumesAt);
  }

  async renewLeases(): Promise<void> {
    await Promise.all(Array.from(this, (job) => job.renewLease()));
  }

  /** Lets no more jobs join. */
  seal(): void {
    this.#isSealed = true;
  }

  /**
   * Seals the group and waits for the queued writes of its jobs.
   * @returns the jobs that still belong to this worker afterwards
   */
  async close(): Promise<ClaimedJob[]> {
    this.seal();
    const jobs = [...this];
    await Promise.all(jobs.map((job) => job.close()));
    return jobs.filter((job) => this.#jobs.has(job.stored._id));
  }

  #leave(job: ClaimedJob): void {
    void job.close();
    const { _id } = job.stored;
    this.#context.domain.journal.left(job.stored);
    if (!this.#isEnding) this.#onLeave(_id);
    if (this.#jobs.get(_id) !== job) return;
    this.#jobs.delete(_id);
    if (this.#isSealed) return;
    if (this.#jobs.size > 0) return this.#onLeft();
    // The pipeline is being stopped, so no job may join from here on.
    this.seal();
    this.#onEmpty();
  }
}
