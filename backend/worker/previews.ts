/** Looks at links for people who have yet to decide: few at a time, each once, and never for nobody. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import PQueue from "p-queue";
import type { Preview } from "../../common/api.ts";
import { UserError } from "../../common/errors.ts";
import type { Tier } from "../../common/tiers.ts";
import type { Previews } from "../domain/jobs/previews.ts";
import { estimate } from "../pipeline/plan/estimate.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import type { VideoInfo } from "../pipeline/probe/info.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";
import { makePicture } from "../pipeline/encode/picture.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { SharedWork, type SharedWorkOptions } from "../pipeline/process/shared-work.ts";

export interface PreviewSettings {
  /** Where each look has a temporary folder. */
  readonly scratchFolder: string;
  /** Looks at a time; conversions are not counted and do not wait. */
  readonly concurrency: number;
  /** What takes longer goes without a picture. */
  readonly pictureMs: number;
  readonly kept: SharedWorkOptions;
}

/** So many wait for each that is looked at; whoever comes then is asked to come back. */
const WAITING_PER_PLACE = 8;

/** The extractions are the pipeline's own, where a conversion finds them. */
export function createPreviews(pipeline: Pipeline, settings: PreviewSettings): Previews & { stop(): Promise<void> } {
  const { scratchFolder, concurrency, pictureMs, kept } = settings;
  const queue = new PQueue({ concurrency });
  const extractions = pipeline.extractions ?? new SharedWork<VideoInfo>(kept);
  const pictures = new SharedWork<string | null>(kept);

  /** When it is its turn, unless nobody waits by then. */
  function inTurn<T>(signal: AbortSignal, work: (folder: string) => Promise<T>): Promise<T> {
    return queue.add(async () => {
      signal.throwIfAborted();
      await using folder = await openJobFolder(scratchFolder, `preview-${randomUUID()}`);
      return await work(folder.path);
    });
  }

  function read(link: string, signal: AbortSignal): Promise<VideoInfo> {
    return extractions.share(
      link,
      (shared) => inTurn(shared, (folder) => extract(pipeline, link, folder, shared)),
      signal,
    );
  }

  async function show(info: VideoInfo, folder: string, signal: AbortSignal): Promise<string | null> {
    const patience = AbortSignal.timeout(pictureMs);
    try {
      const picture = await makePicture(pipeline, info, folder, AbortSignal.any([signal, patience]));
      return picture ? `data:image/jpeg;base64,${await readFile(picture.thumbnailPath, "base64")}` : null;
    } catch (error) {
      signal.throwIfAborted();
      if (patience.aborted) return null;
      throw error;
    }
  }

  return {
    async look(link: string, tier: Tier, signal: AbortSignal): Promise<Preview> {
      if (queue.size >= concurrency * WAITING_PER_PLACE)
        throw new UserError("unavailable_now", "Too many links are being looked at. Try again in a few seconds.");
      const info = await read(link, signal);
      const thumbnail = await pictures.share(
        link,
        (shared) => inTurn(shared, (folder) => show(info, folder, shared)),
        signal,
      );
      const estimateFor = (format: "mp3" | "mp4") => estimate(info, format, tier, pipeline.limits.maxSourceFactor);
      return {
        title: info.title,
        thumbnail,
        durationSeconds: info.durationSeconds ?? null,
        estimates: { mp3: estimateFor("mp3"), mp4: estimateFor("mp4") },
      };
    },
    async stop() {
      extractions.stop();
      pictures.stop();
      await queue.onIdle();
    },
  };
}
