/** Pictures of links that are looked at before a conversion, as data URLs. */
import { makePicture, MAX_COVER_BYTES, type Pictured } from "../pipeline/encode/picture.ts";
import type { Pipeline, Work } from "../pipeline/pipeline.ts";
import { SharedWork, type SharedWorkOptions } from "../pipeline/process/shared-work.ts";
import { readFile } from "../tool-files/tool-files.ts";
import type { LinkSlots } from "./link-slots.ts";

export class LinkPictures {
  readonly #pipeline: Pipeline;
  readonly #slots: LinkSlots;
  readonly #pictureMs: number;
  readonly #pictures: SharedWork<string | null>;

  /** @param pictureMs there is no picture if making it takes longer than this */
  constructor(pipeline: Pipeline, slots: LinkSlots, pictureMs: number, kept: SharedWorkOptions) {
    this.#pipeline = pipeline;
    this.#slots = slots;
    this.#pictureMs = pictureMs;
    this.#pictures = new SharedWork<string | null>(kept, (picture) => picture?.length ?? 0);
  }

  /**
   * @param key equal ones share one picture
   * @returns null when there is none or making it took too long
   */
  of(key: string, pictured: Pictured, signal: AbortSignal): Promise<string | null> {
    return this.#pictures.share(key, (shared) => this.#make(pictured, shared), signal);
  }

  /** Drops all kept pictures. */
  forgetAll(): void {
    this.#pictures.forgetAll();
  }

  /** Aborts everything that runs. */
  stop(): void {
    this.#pictures.stop();
  }

  #make(pictured: Pictured, signal: AbortSignal): Promise<string | null> {
    return this.#slots.run(pictured.thumbnailUrls[0] ?? "", signal, async (folder) => {
      const deadline = AbortSignal.timeout(this.#pictureMs);
      try {
        const bounded: Work = { pipeline: this.#pipeline, signal: AbortSignal.any([signal, deadline]) };
        const picture = await makePicture(bounded, pictured, folder);
        if (!picture) return null;
        const jpeg = await readFile(picture.thumbnailPath, MAX_COVER_BYTES);
        return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
      } catch (error) {
        signal.throwIfAborted();
        if (deadline.aborted) return null;
        throw error;
      }
    });
  }
}
