/** Measures where the time of one attempt goes, for the receipt of its job. */
import type { Stage } from "../../common/job.ts";
import type { Receipt } from "../../common/receipt.ts";

type Part = Exclude<keyof Receipt, "waitSeconds" | "promisedSeconds">;

const PART_OF_STAGE = { download: "lineSeconds", convert: "ourSeconds", store: "ourSeconds" } as const satisfies Record<
  Stage,
  Part
>;

/** To the millisecond. */
const inSeconds = (ms: number): number => Math.round(Math.max(0, ms)) / 1_000;

export class StageClock {
  readonly #now: () => number;
  readonly #waitMs: number;
  readonly #spentMs: Record<Part, number> = { siteSeconds: 0, lineSeconds: 0, ourSeconds: 0 };
  #part: Part = "siteSeconds";
  #sinceMs: number;
  #promisedMs: number | undefined;

  /**
   * Call it when the attempt begins.
   * @param waitMs since the request
   * @param now a clock that does not jump, in milliseconds
   */
  constructor(waitMs: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#waitMs = Math.max(0, waitMs);
    this.#sinceMs = now();
  }

  /** @param etaSeconds the estimate that the visitor sees; the first one is kept */
  report(stage: Stage, etaSeconds: number | undefined): void {
    this.#turnTo(PART_OF_STAGE[stage]);
    if (etaSeconds !== undefined) this.#promisedMs ??= this.#totalMs() + etaSeconds * 1_000;
  }

  /** @returns the receipt of a file that is there now */
  receipt(): Receipt {
    this.#turnTo(this.#part);
    const { siteSeconds, lineSeconds, ourSeconds } = this.#spentMs;
    return {
      waitSeconds: inSeconds(this.#waitMs),
      siteSeconds: inSeconds(siteSeconds),
      lineSeconds: inSeconds(lineSeconds),
      ourSeconds: inSeconds(ourSeconds),
      ...(this.#promisedMs === undefined ? {} : { promisedSeconds: inSeconds(this.#promisedMs) }),
    };
  }

  #turnTo(part: Part): void {
    const now = this.#now();
    this.#spentMs[this.#part] += now - this.#sinceMs;
    this.#sinceMs = now;
    this.#part = part;
  }

  #totalMs(): number {
    const { siteSeconds, lineSeconds, ourSeconds } = this.#spentMs;
    return this.#waitMs + siteSeconds + lineSeconds + ourSeconds;
  }
}
