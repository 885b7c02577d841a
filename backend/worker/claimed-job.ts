/**
 * A job that this worker has claimed: pushes its progress to browsers, writes it to the database at intervals, and
 * detects when the lease is lost. The publisher limits how many of the pushes are sent.
 */
import PQueue from "p-queue";
import type { Domain } from "../domain/domain.ts";
import type { HeldJob } from "../domain/jobs/job-model.ts";
import {
  beginProcessing,
  describeJob,
  pauseJob,
  pushProgress,
  renewLease,
  saveProgress,
  type JobDetails,
  type ProgressUpdate,
} from "../domain/jobs/work.ts";

/**
 * Shortest time between two pushes of progress. The publisher sends five a second; a download reports a hundred times as
 * often, and making each of these pushes took a tenth of the server's CPU time.
 */
const PUSH_INTERVAL_MS = 40;

export class ClaimedJob {
  #job: HeldJob;
  readonly #domain: Domain;
  readonly #writeIntervalMs: number;
  readonly #onLost: (job: ClaimedJob) => void;
  readonly #onError: (error: unknown) => void;
  /** Database writes of this job run one after the other. */
  readonly #writes = new PQueue({ concurrency: 1 });
  #latest: ProgressUpdate | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  #pushTimer: NodeJS.Timeout | undefined;
  #pushedAtMs = -Infinity;
  #hasBegun = false;
  /** No new writes are accepted; those already queued still run. */
  #isClosed = false;
  #isLost = false;

  /**
   * @param writeIntervalMs shortest time between two database writes of the progress
   * @param listeners `onLost` is called once, when the job no longer belongs to this attempt
   */
  constructor(
    domain: Domain,
    job: HeldJob,
    writeIntervalMs: number,
    listeners: { readonly onLost: (job: ClaimedJob) => void; readonly onError: (error: unknown) => void },
  ) {
    this.#domain = domain;
    this.#job = job;
    this.#writeIntervalMs = writeIntervalMs;
    this.#onLost = listeners.onLost;
    this.#onError = listeners.onError;
  }

  /** The job as this worker last read or wrote it. */
  get stored(): HeldJob {
    return this.#job;
  }

  /** Sets the user who owns the job from now on; the next push already goes to this user. */
  adopt(userId: string): void {
    this.#job = { ...this.#job, userId };
  }

  saveDetails(details: JobDetails): void {
    this.#enqueue(async () =>
      this.#accept(await describeJob(this.#domain, this.#job, details, this.#processingProgress)),
    );
  }

  /** @param resumesAt when the job goes on that the video site asked to wait; null: it goes on now */
  pause(resumesAt: Date | null): void {
    this.#enqueue(async () => {
      this.#accept(await pauseJob(this.#domain, this.#job, resumesAt, this.#processingProgress));
    });
  }

  /** Pushes the progress to browsers soon and writes it to the database at the next interval. */
  reportProgress(update: ProgressUpdate): void {
    if (this.#isClosed) return;
    const before = this.#latest;
    this.#latest = update;
    if (before?.stage !== update.stage) this.#domain.journal.stage(this.#job, update.stage);
    if (!this.#hasBegun) {
      this.#begin(update);
      return;
    }
    // A job that waits for the site pushes only when its stage or percentage has changed: another download may go on.
    if (this.#job.resumesAt && before?.stage === update.stage && before.progress === update.progress) return;
    this.#pushSoon();
    this.#writeTimer ??= setTimeout(() => this.#writeProgress(), this.#writeIntervalMs);
  }

  /** Extends the lease, also while the file of a closed job is being stored. Detects a lost lease. */
  async renewLease(): Promise<void> {
    if (this.#isLost) return;
    if (!(await renewLease(this.#domain, this.#job))) this.#lose();
  }

  /** Stops pushes and new writes. Resolves when the last queued write has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#writeTimer);
    clearTimeout(this.#pushTimer);
    await this.#writes.onIdle();
  }

  /** The progress that may be stored with another change: a job that is not stored as processing has none. */
  get #processingProgress(): ProgressUpdate | undefined {
    return this.#job.status === "processing" ? this.#latest : undefined;
  }

  #begin(first: ProgressUpdate): void {
    this.#hasBegun = true;
    this.#enqueue(async () => {
      this.#accept(await beginProcessing(this.#domain, this.#job, first));
      if (this.#latest !== first) this.#push();
    });
  }

  /** Pushes the progress now, or the latest one as soon as the interval has passed. */
  #pushSoon(): void {
    const waitMs = this.#pushedAtMs + PUSH_INTERVAL_MS - performance.now();
    if (waitMs <= 0) this.#push();
    else this.#pushTimer ??= setTimeout(() => this.#push(), waitMs);
  }

  #push(): void {
    clearTimeout(this.#pushTimer);
    this.#pushTimer = undefined;
    this.#pushedAtMs = performance.now();
    if (this.#isClosed || this.#latest === undefined) return;
    // A push must not be ahead of the database, so it waits until the job is stored as processing.
    if (this.#job.status === "processing") pushProgress(this.#domain, this.#job, this.#latest);
  }

  #writeProgress(): void {
    this.#writeTimer = undefined;
    const update = this.#latest;
    if (update === undefined) return;
    this.#enqueue(async () => this.#accept(await saveProgress(this.#domain, this.#job, update)));
  }

  #enqueue(write: () => Promise<void>): void {
    if (this.#isClosed) return;
    this.#writes.add(async () => (this.#isLost ? undefined : write())).catch(this.#onError);
  }

  /** @param job the result of a write; null when the job no longer belongs to this attempt */
  #accept(job: HeldJob | null): void {
    // A write that began before the adoption returns a job without its new owner, so a known owner is kept.
    if (job) this.#job = { ...job, userId: job.userId ?? this.#job.userId };
    else this.#lose();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    void this.close();
    this.#onLost(this);
  }
}
