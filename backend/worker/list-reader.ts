import type { FoundList, Lists } from "../domain/jobs/lists.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { readList } from "../pipeline/probe/list-extraction.ts";
import { SharedWork, type SharedWorkOptions } from "../pipeline/process/shared-work.ts";
import type { LinkSlots } from "./link-slots.ts";

/** Of an entry in memory, beside its texts. */
const ENTRY_BYTES = 200;

function bytesOf({ entries }: FoundList): number {
  return entries.reduce((sum, { link, title }) => sum + ENTRY_BYTES + 2 * (link.length + title.length), 0);
}

/** Reads lists of videos. Equal requests share one run; a list that was read is kept for its next pages. */
export class ListReader implements Lists {
  readonly #pipeline: Pipeline;
  readonly #slots: LinkSlots;
  readonly #lists: SharedWork<FoundList>;

  constructor(pipeline: Pipeline, slots: LinkSlots, kept: SharedWorkOptions) {
    this.#pipeline = pipeline;
    this.#slots = slots;
    this.#lists = new SharedWork(kept, bytesOf);
  }

  async read(link: string, most: number, signal: AbortSignal): Promise<FoundList> {
    this.#slots.requireFreeSlot();
    return this.#lists.share(
      `${most} ${link}`,
      (shared) =>
        this.#slots.run(shared, (folder) =>
          readList({ pipeline: this.#pipeline, signal: shared }, { link, folder, most }),
        ),
      signal,
    );
  }

  /** Drops all kept lists. */
  forgetAll(): void {
    this.#lists.forgetAll();
  }

  /** Aborts everything that runs. */
  stop(): void {
    this.#lists.stop();
  }
}
