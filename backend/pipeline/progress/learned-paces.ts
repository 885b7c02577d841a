/** How long work takes here against what was planned for it, from what it took lately: no two machines are alike, nor two hours on one. */

/** What a conversion does with what it fetched: makes an MP3, puts it into another box, or encodes the picture anew. */
export type Work = "mp3" | "copy" | "encode";

/** Of less than this the start is most, and tells nothing of more. */
const LEAST_PLANNED_SECONDS = 0.3;
/** The newest counts as much as all before it: what else runs beside it is what has changed most. */
const NEWEST_SHARE = 0.5;
const MOST_FACTOR = 20;

export class LearnedPaces {
  readonly #factors = new Map<Work, number>();

  /** Of the planned time; 1 before anything was learned. */
  factorOf(work: Work): number {
    return this.#factors.get(work) ?? 1;
  }

  learn(work: Work, plannedSeconds: number, seconds: number): void {
    if (plannedSeconds < LEAST_PLANNED_SECONDS) return;
    const factor = Math.min(MOST_FACTOR, Math.max(1 / MOST_FACTOR, seconds / plannedSeconds));
    const before = this.#factors.get(work) ?? factor;
    this.#factors.set(work, before * (1 - NEWEST_SHARE) + factor * NEWEST_SHARE);
  }
}
