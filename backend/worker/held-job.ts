/**
 * One job in this worker's hands: what is told about it, how often it is written, and whether it
 * is still ours. Everything that is reported is told; how often it is pushed is decided where pushes are made.
 */
import { neverBackwards } from "../../common/progress.ts";
import type { Domain } from "../domain/domain.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import {
  beginProcessing,
  describeJob,
  pushProgress,
  renewLease,
  saveProgress,
  type ProgressUpdate,
} from "../domain/jobs/work.ts";

export class HeldJob {
  #job: StoredJob;
  readonly #domain: Domain;
  readonly #writeIntervalMs: number;
  readonly #onLost: (held: HeldJob) => void;
  readonly #onError: (error: unknown) => void;
  /** Database work on the job, one after the other. */
  #writes: Promise<void> = Promise.resolve();
  #latest: ProgressUpdate | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  #isBegun = false;
  /** Nothing new is taken; what was taken is still written. */
  #isReleased = false;
  #isLost = false;

  constructor(
    domain: Domain,
    job: StoredJob,
    /** At least this long between two writes of the job's progress. */
    writeIntervalMs: number,
    listeners: { readonly onLost: (held: HeldJob) => void; readonly onError: (error: unknown) => void },
  ) {
    this.#domain = domain;
    this.#job = job;
    this.#writeIntervalMs = writeIntervalMs;
    this.#onLost = listeners.onLost;
    this.#onError = listeners.onError;
  }

  /** The job as last read or written by us. */
  get job(): StoredJob {
    return this.#job;
  }

  /** The job has become a user's, which goes for pushes at once. */
  adopt(userId: string): void {
    this.#job = { ...this.#job, userId };
  }

  describe(about: { title?: string; durationSeconds?: number; thumbnailKey?: string; note?: string }): void {
    this.#enqueue(async () => this.#keep(await describeJob(this.#domain, this.#job, about)));
  }

  report(update: ProgressUpdate): void {
    if (this.#isReleased) return;
    this.#latest = { ...update, progress: neverBackwards(this.#latest?.progress ?? 0, update.progress) };
    if (!this.#isBegun) {
      this.#isBegun = true;
      const first = this.#latest;
      this.#enqueue(async () => {
        this.#keep(await beginProcessing(this.#domain, this.#job, first));
        if (this.#latest !== first) this.#push();
      });
      return;
    }
    this.#push();
    this.#writeTimer ??= setTimeout(() => this.#write(), this.#writeIntervalMs);
  }

  /** Extends the lease, also while the file of a released job is being stored; learns whether the job is still ours. */
  async renew(): Promise<void> {
    if (this.#isLost) return;
    if (!(await renewLease(this.#domain, this.#job))) this.#lose();
  }

  /** Nothing more is told or written; resolves when the last write has ended. */
  async release(): Promise<void> {
    this.#isReleased = true;
    clearTimeout(this.#writeTimer);
    await this.#writes;
  }

  #push(): void {
    if (this.#isReleased || this.#latest === undefined) return;
    // Only after the job is known to be processing: a push must not run ahead of what is stored.
    if (this.#job.status === "processing") pushProgress(this.#domain, this.#job, this.#latest);
  }

  #write(): void {
    this.#writeTimer = undefined;
    const update = this.#latest;
    if (update === undefined) return;
    this.#enqueue(async () => this.#keep(await saveProgress(this.#domain, this.#job, update)));
  }

  #enqueue(write: () => Promise<void>): void {
    if (this.#isReleased) return;
    this.#writes = this.#writes.then(() => (this.#isLost ? undefined : write())).catch(this.#onError);
  }

  #keep(job: StoredJob | null): void {
    // An owner, once there, stays: what was read before the job was adopted may arrive after the word of it.
    if (job) this.#job = { ...job, userId: job.userId ?? this.#job.userId };
    else this.#lose();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    void this.release();
    this.#onLost(this);
  }
}
