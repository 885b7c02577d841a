import type { FoundList, Lists } from "../domain/jobs/lists.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { readList } from "../pipeline/probe/list-extraction.ts";
import { SharedWork } from "../pipeline/process/shared-work.ts";
import { LinkPictures } from "./link-pictures.ts";
import type { LinkSlots } from "./link-slots.ts";
import type { PreviewSettings } from "./previews.ts";

/** Of an entry in memory, beside its texts. */
const ENTRY_BYTES = 200;

function bytesOf({ entries }: FoundList): number {
  const textBytes = entries.map(({ link, title, thumbnailUrl = "" }) => 2 * (link + title + thumbnailUrl).length);
  return textBytes.reduce((sum, bytes) => sum + ENTRY_BYTES + bytes, 0);
}

/** Reads lists of videos. Equal requests share one run; a list that was read is kept for its next pages. */
export class ListReader implements Lists {
  readonly #pipeline: Pipeline;
  readonly #slots: LinkSlots;
  readonly #lists: SharedWork<FoundList>;
  readonly #pictures: LinkPictures;

  constructor(pipeline: Pipeline, slots: LinkSlots, { pictureMs, kept }: Omit<PreviewSettings, "sponsorsMs">) {
    this.#pipeline = pipeline;
    this.#slots = slots;
    this.#lists = new SharedWork(kept, bytesOf);
    this.#pictures = new LinkPictures(pipeline, slots, pictureMs, kept);
  }

  async read(link: string, most: number, signal: AbortSignal): Promise<FoundList> {
    this.#slots.requireFreeSlot(link);
    return this.#lists.share(
      `${most} ${link}`,
      (shared) =>
        this.#slots.run(link, shared, (folder) =>
          readList({ pipeline: this.#pipeline, signal: shared }, { link, folder, most }),
        ),
      signal,
    );
  }

  picture(url: string, signal: AbortSignal): Promise<string | null> {
    return this.#pictures.of(url, { thumbnailUrls: [url] }, signal);
  }

  /** Drops all kept lists and their pictures. */
  forgetAll(): void {
    this.#lists.forgetAll();
    this.#pictures.forgetAll();
  }

  /** Aborts everything that runs. */
  stop(): void {
    this.#lists.stop();
    this.#pictures.stop();
  }
}
