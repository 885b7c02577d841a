import { join } from "node:path";
import { copyFile } from "../tool-files/tool-files.ts";
import { releaseFile, thumbnailKeyOf } from "../domain/jobs/files.ts";
import type { ClaimedJob } from "./claimed-job.ts";
import type { JobContext } from "./job-context.ts";
import type { JobGroup } from "./job-group.ts";

/** The picture of a conversion: stores it and gives its key to every job. A job goes on without it on any failure. */
export class ConversionThumbnail {
  readonly #context: JobContext;
  readonly #jobs: JobGroup;
  /** Key of the picture that jobs are given; it is in the store. */
  #key: string | undefined;
  /** Key of the picture that this conversion has begun to store. */
  #ownKey: string | undefined;
  #pending: Promise<void> = Promise.resolve();

  constructor(context: JobContext, jobs: JobGroup) {
    this.#context = context;
    this.#jobs = jobs;
  }

  /** Resolves when the picture is stored and given to the jobs. Never rejects. */
  get settled(): Promise<void> {
    return this.#pending;
  }

  /**
   * Begins to store a picture under the key of the first job.
   * @param path a JPEG file
   * @param folder the temporary folder of the conversion
   */
  store(path: string, folder: string): void {
    const [first] = this.#jobs;
    if (!first) return;
    const { store, log } = this.#context;
    const key = thumbnailKeyOf(first.stored);
    this.#ownKey = key;
    this.#pending = (async () => {
      // The store takes the file away, but the pipeline still needs it as cover art.
      const copy = join(folder, "thumbnail-to-store.jpg");
      await copyFile(path, copy);
      await store.put(key, copy);
      await this.#giveToAll(key);
    })().catch((error: unknown) => log.warn({ error, jobId: first.stored._id }, "could not store a thumbnail"));
  }

  /** Uses a picture that another worker has stored, if there is none yet. */
  async useStored(key: string): Promise<void> {
    if (this.#key === undefined) await this.#giveToAll(key);
  }

  /** Gives the picture to a job that joins late. */
  giveToLateJob(job: ClaimedJob): void {
    this.#pending = Promise.all([this.#pending, this.#give(job)]).then(() => undefined);
  }

  /** Deletes this conversion's picture from the store if no job names it: a job lost meanwhile will never name it. */
  async removeUnused(): Promise<void> {
    if (this.#ownKey === undefined) return;
    const { domain, log } = this.#context;
    try {
      await releaseFile(domain, this.#ownKey);
    } catch (error) {
      log.warn({ error, key: this.#ownKey }, "could not remove an unused thumbnail");
    }
  }

  async #giveToAll(key: string): Promise<void> {
    this.#key = key;
    await Promise.all(Array.from(this.#jobs, (job) => this.#give(job)));
  }

  /** Never rejects. */
  async #give(job: ClaimedJob): Promise<void> {
    const { store, log } = this.#context;
    const key = this.#key;
    if (key === undefined) return;
    try {
      // The picture of another job is deleted with that job.
      const exists = key === thumbnailKeyOf(job.stored) || (await store.stat(key)) !== null;
      if (exists) job.saveDetails({ thumbnailKey: key });
    } catch (error) {
      log.warn({ error, jobId: job.stored._id }, "could not look for a thumbnail in the store");
    }
  }
}
