/**
 * Decides whether a version of yt-dlp fails more often than the one before it did. A link counts once, with its newest
 * outcome, so that one broken video that is tried again and again does not decide.
 */
import { setNewest } from "../../common/set-newest.ts";

/** Links that count; those that were read before them do not. */
const RECENT = 40;
/** With fewer, a single broken page could decide. */
const LEAST = 20;
/** A new version is given up when at least this share of its links fails … */
const BAD_SHARE = 0.5;
/** … and it is this much more than before: a site that changed fails with every version. */
const WORSE_BY = 0.3;

export class FailureShare {
  /** Whether it failed, by link, newest last. */
  readonly #recent = new Map<string, boolean>();

  /** @param link in its canonical form */
  add(link: string, outcome: "worked" | "failed"): void {
    setNewest(this.#recent, link, outcome === "failed", RECENT);
  }

  /** Share of recent links that failed, 0 to 1; 0 without any. */
  get share(): number {
    return [...this.#recent.values()].filter(Boolean).length / Math.max(1, this.#recent.size);
  }

  /** Whether most links fail. */
  get isBad(): boolean {
    return this.#recent.size >= LEAST && this.share >= BAD_SHARE;
  }

  /** @param shareBefore share of the version before */
  isWorseThan(shareBefore: number): boolean {
    return this.isBad && this.share - shareBefore >= WORSE_BY;
  }
}
