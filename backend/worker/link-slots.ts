import { randomUUID } from "node:crypto";
import { SECOND_MS } from "../../common/durations.ts";
import { UserError } from "../../common/errors.ts";
import { Changes } from "../../common/waiting.ts";
import { siteOf } from "../domain/sites/site-of.ts";
import { openJobFolder } from "../pipeline/process/job-folder.ts";

export interface LinkSlotSettings {
  /** Parent of the temporary folders, one for each run. */
  readonly scratchFolder: string;
  /** Runs of one site at the same time; conversions are not counted and do not wait for them. */
  readonly concurrency: number;
}

/** Runs that may wait for each slot; further requests are rejected. */
const WAITING_PER_SLOT = 8;

/** A run that lasts longer gives up its slot: few last as long whose site answers. */
export const SLOW_MS = 10 * SECOND_MS;

/** All runs for each slot, with those that gave theirs up. */
const RUNS_PER_SLOT = 4;

interface Run {
  readonly site: string;
  readonly start: () => void;
  hasSlot: boolean;
}

/**
 * Bounds how many links are looked at together before anything is converted. There is one slot more than a site may
 * have, so that a site that does not answer holds up its own links alone. Several such sites hold up others until their
 * runs have become slow.
 */
export class LinkSlots {
  readonly #settings: LinkSlotSettings;
  readonly #running: Run[] = [];
  /** Oldest first. */
  readonly #waiting: Run[] = [];
  readonly #ends = new Changes();

  constructor(settings: LinkSlotSettings) {
    this.#settings = settings;
  }

  get #slots(): number {
    return this.#settings.concurrency + 1;
  }

  /** @throws UserError unavailable_now when too many runs wait, of the link's site or of all */
  requireFreeSlot(link: string): void {
    const ofSite = this.#waiting.filter(({ site }) => site === siteOf(link)).length;
    if (
      ofSite >= this.#settings.concurrency * WAITING_PER_SLOT ||
      this.#waiting.length >= this.#slots * WAITING_PER_SLOT
    )
      throw new UserError("unavailable_now", "Too many links are being looked at. Try again in a few seconds.");
  }

  /**
   * Waits for a slot, and runs the work with a temporary folder unless the signal was aborted meanwhile.
   * @param link what is asked, of a site or of its servers of pictures
   */
  async run<T>(link: string, signal: AbortSignal, work: (folder: string) => Promise<T>): Promise<T> {
    using held = new DisposableStack();
    held.use(await this.#take(siteOf(link)));
    signal.throwIfAborted();
    await using folder = await openJobFolder(this.#settings.scratchFolder, `preview-${randomUUID()}`);
    return await work(folder.path);
  }

  /** Resolves when nothing runs or waits. */
  untilIdle(): Promise<void> {
    return this.#ends.until(() => this.#running.length === 0);
  }

  async #take(site: string): Promise<Disposable> {
    const started = Promise.withResolvers<void>();
    const run: Run = { site, start: started.resolve, hasSlot: true };
    this.#waiting.push(run);
    this.#startNext();
    await started.promise;
    const slow = setTimeout(() => {
      run.hasSlot = false;
      this.#startNext();
    }, SLOW_MS).unref();
    return {
      [Symbol.dispose]: () => {
        clearTimeout(slow);
        this.#running.splice(this.#running.indexOf(run), 1);
        this.#startNext();
        this.#ends.announce();
      },
    };
  }

  /** The next run is one of the site that has the fewest. */
  #startNext(): void {
    const taken = this.#running.filter(({ hasSlot }) => hasSlot).length;
    if (taken >= this.#slots || this.#running.length >= this.#slots * RUNS_PER_SLOT) return;
    const runsOf = ({ site }: Run): number => this.#running.filter((other) => other.site === site).length;
    const [next] = this.#waiting.toSorted((one, other) => runsOf(one) - runsOf(other));
    if (!next || runsOf(next) >= this.#settings.concurrency) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next);
    next.start();
  }
}
