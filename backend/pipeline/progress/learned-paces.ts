/**
 * Learns from recent conversions how long work takes compared with its planned time, which differs between machines and
 * with the load on them.
 */

/**
 * What a conversion does with the fetched files: encode an MP3, only change the container, encode the picture, or write
 * FLAC or WAV.
 */
export type WorkKind = "mp3" | "copy" | "encode" | "lossless";

/** In shorter work the start of the tool takes most of the time, so nothing is learned from it. */
const MIN_PLANNED_SECONDS = 0.3;
/** The newest measurement counts as much as all before it, because the load changes quickly. */
const NEWEST_SHARE = 0.5;
const MAX_FACTOR = 20;

export class LearnedPaces {
  readonly #factors = new Map<WorkKind, number>();

  /** @returns real time divided by planned time; 1 before anything was learned */
  factorOf(work: WorkKind): number {
    return this.#factors.get(work) ?? 1;
  }

  /** @param seconds real time that the work took */
  learn(work: WorkKind, plannedSeconds: number, seconds: number): void {
    if (plannedSeconds < MIN_PLANNED_SECONDS) return;
    const factor = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, seconds / plannedSeconds));
    const before = this.#factors.get(work) ?? factor;
    this.#factors.set(work, before * (1 - NEWEST_SHARE) + factor * NEWEST_SHARE);
  }
}
