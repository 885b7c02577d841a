import { randomUUID } from "node:crypto";
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

interface WaitingRun {
  readonly site: string;
  readonly start: () => void;
}

/**
 * Bounds how many links are looked at together before anything is converted. There is one slot more than a site may
 * have, so that a site that does not answer holds up its own links alone.
 */
export class LinkSlots {
  readonly #settings: LinkSlotSettings;
  /** The site of each run. */
  readonly #running: string[] = [];
  /** Oldest first. */
  readonly #waiting: WaitingRun[] = [];
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
    this.#waiting.push({ site, start: started.resolve });
    this.#startNext();
    await started.promise;
    return {
      [Symbol.dispose]: () => {
        this.#running.splice(this.#running.indexOf(site), 1);
        this.#startNext();
        this.#ends.announce();
      },
    };
  }

  /** The next run is one of the site that has the fewest slots. */
  #startNext(): void {
    if (this.#running.length >= this.#slots) return;
    const held = ({ site }: WaitingRun): number => this.#running.filter((other) => other === site).length;
    const [next] = this.#waiting.toSorted((one, other) => held(one) - held(other));
    if (!next || held(next) >= this.#settings.concurrency) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#running.push(next.site);
    next.start();
  }
}
