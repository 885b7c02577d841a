/** Decides whether a version of yt-dlp fails more often than the one before it did. */

/** Extractions that count; older ones do not. */
const RECENT = 40;
/** With fewer, a single broken page could decide. */
const LEAST = 20;
/** A new version is given up when at least this share of its extractions fails … */
const BAD_SHARE = 0.5;
/** … and it is this much more than before: a site that changed fails with every version. */
const WORSE_BY = 0.3;

export class FailureShare {
  #recent: boolean[] = [];

  add(outcome: "worked" | "failed"): void {
    this.#recent.push(outcome === "failed");
    if (this.#recent.length > RECENT) this.#recent.shift();
  }

  /** Share of recent extractions that failed, 0 to 1; 0 without any. */
  get share(): number {
    return this.#recent.filter(Boolean).length / Math.max(1, this.#recent.length);
  }

  /** Whether most extractions fail. */
  get isBad(): boolean {
    return this.#recent.length >= LEAST && this.share >= BAD_SHARE;
  }

  /** @param shareBefore share of the version before */
  isWorseThan(shareBefore: number): boolean {
    return this.isBad && this.share - shareBefore >= WORSE_BY;
  }
}
