import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import PQueue from "p-queue";
import type { Preview } from "../../common/api.ts";
import { UserError } from "../../common/errors.ts";
import type { Tier } from "../../common/tiers.ts";
import type { Previews } from "../domain/jobs/previews.ts";
import { makePicture } from "../pipeline/encode/picture.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { estimate } from "../pipeline/plan/estimate.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import type { VideoInfo } from "../pipeline/probe/info.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";
import { SharedWork, type SharedWorkOptions } from "../pipeline/process/shared-work.ts";

export interface PreviewSettings {
  /** Parent of the temporary folders, one for each preview. */
  readonly scratchFolder: string;
  /** Previews at the same time; conversions are not counted and do not wait for them. */
  readonly concurrency: number;
  /** A preview has no picture if making it takes longer than this. */
  readonly pictureMs: number;
  /** How long results are reused. */
  readonly kept: SharedWorkOptions;
}

/** Previews that may wait for each one that runs; further requests are rejected. */
const WAITING_PER_SLOT = 8;

/**
 * Reads a link's metadata and picture before a visitor converts it. Equal requests share one run, which is aborted
 * when all of them are aborted. The extracted metadata is kept in the pipeline, so that a conversion can reuse it.
 */
export class PreviewMaker implements Previews {
  readonly #pipeline: Pipeline;
  readonly #settings: PreviewSettings;
  readonly #queue: PQueue;
  readonly #extractions: SharedWork<VideoInfo>;
  readonly #pictures: SharedWork<string | null>;

  constructor(pipeline: Pipeline, settings: PreviewSettings) {
    this.#pipeline = pipeline;
    this.#settings = settings;
    this.#queue = new PQueue({ concurrency: settings.concurrency });
    this.#extractions = pipeline.extractions ?? new SharedWork<VideoInfo>(settings.kept);
    this.#pictures = new SharedWork<string | null>(settings.kept);
  }

  async create(link: string, tier: Tier, signal: AbortSignal): Promise<Preview> {
    if (this.#queue.size >= this.#settings.concurrency * WAITING_PER_SLOT)
      throw new UserError("unavailable_now", "Too many links are being looked at. Try again in a few seconds.");
    const info = await this.#extractions.share(link, (shared) => this.#extract(link, shared), signal);
    const thumbnail = await this.#pictures.share(link, (shared) => this.#makePicture(info, shared), signal);
    const { maxSourceFactor } = this.#pipeline.limits;
    return {
      title: info.title,
      thumbnail,
      durationSeconds: info.durationSeconds ?? null,
      estimates: {
        mp3: estimate(info, "mp3", tier, maxSourceFactor),
        mp4: estimate(info, "mp4", tier, maxSourceFactor),
      },
    };
  }

  /** Aborts everything that runs or waits. */
  async stop(): Promise<void> {
    this.#extractions.stop();
    this.#pictures.stop();
    await this.#queue.onIdle();
  }

  #extract(link: string, signal: AbortSignal): Promise<VideoInfo> {
    return this.#runInFolder(signal, (folder) => extract(this.#pipeline, link, folder, signal));
  }

  /** @returns a data URL; null when the video has no picture or making it took too long */
  #makePicture(info: VideoInfo, signal: AbortSignal): Promise<string | null> {
    return this.#runInFolder(signal, async (folder) => {
      const deadline = AbortSignal.timeout(this.#settings.pictureMs);
      try {
        const picture = await makePicture(this.#pipeline, info, folder, AbortSignal.any([signal, deadline]));
        return picture ? `data:image/jpeg;base64,${await readFile(picture.thumbnailPath, "base64")}` : null;
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) return null;
        throw error;
      }
    });
  }

  /** Waits for a slot, and runs the work with a temporary folder unless the signal was aborted meanwhile. */
  #runInFolder<T>(signal: AbortSignal, work: (folder: string) => Promise<T>): Promise<T> {
    return this.#queue.add(async () => {
      signal.throwIfAborted();
      await using folder = await openJobFolder(this.#settings.scratchFolder, `preview-${randomUUID()}`);
      return await work(folder.path);
    });
  }
}
