import { randomUUID } from "node:crypto";
import PQueue from "p-queue";
import { UserError } from "../../common/errors.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";

export interface LinkSlotSettings {
  /** Parent of the temporary folders, one for each run. */
  readonly scratchFolder: string;
  /** Runs at the same time; conversions are not counted and do not wait for them. */
  readonly concurrency: number;
}

/** Runs that may wait for each slot; further requests are rejected. */
const WAITING_PER_SLOT = 8;

/** Bounds how many links are looked at together before anything is converted. */
export class LinkSlots {
  readonly #settings: LinkSlotSettings;
  readonly #queue: PQueue;

  constructor(settings: LinkSlotSettings) {
    this.#settings = settings;
    this.#queue = new PQueue({ concurrency: settings.concurrency });
  }

  /** @throws UserError unavailable_now when too many runs wait */
  requireFreeSlot(): void {
    if (this.#queue.size >= this.#settings.concurrency * WAITING_PER_SLOT)
      throw new UserError("unavailable_now", "Too many links are being looked at. Try again in a few seconds.");
  }

  /** Waits for a slot, and runs the work with a temporary folder unless the signal was aborted meanwhile. */
  run<T>(signal: AbortSignal, work: (folder: string) => Promise<T>): Promise<T> {
    return this.#queue.add(async () => {
      signal.throwIfAborted();
      await using folder = await openJobFolder(this.#settings.scratchFolder, `preview-${randomUUID()}`);
      return await work(folder.path);
    });
  }

  /** Resolves when nothing runs or waits. */
  async untilIdle(): Promise<void> {
    await this.#queue.onIdle();
  }
}
