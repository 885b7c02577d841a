/**
 * Decides from this process's extractions whether a site fails for most visitors. A link counts once, with its newest
 * outcome, so that one broken video that is tried again and again is not a site that fails. Failing begins and ends at
 * different shares, so that the state does not flicker.
 */
import type { ConversionErrorCode } from "../../../common/errors.ts";
import { setNewest } from "../../../common/set-newest.ts";
import type { SiteFailureReason } from "../../../common/site-status.ts";

/** Older outcomes do not count. */
const WINDOW_MS = 10 * 60_000;
/** The newest links that count: on a busy server, those of some seconds. */
const RECENT_LINKS = 20;
/** With fewer links, a few broken videos could decide. */
const LEAST_LINKS = 5;
const FAILING_FROM_SHARE = 0.6;
const WORKING_FROM_SHARE = 0.3;
/** Without any outcome for this long, nothing is known. Exits are paused for an hour at most, and tested after it. */
const FORGOTTEN_MS = 70 * 60_000;

/** What an extraction says about its site. A video that is private or gone is an answer of a working site. */
export type SiteOutcome = "works" | SiteFailureReason;

/** What an error code of an extraction says about its site; null where it says nothing. */
const OUTCOMES: Readonly<Record<ConversionErrorCode, SiteOutcome | null>> = {
  site_blocked: "refusing",
  // The site refuses some exits, or the operator's own budget is used up: see `isRefusedEverywhere`.
  busy: null,
  site_changed: "changed",
  invalid_link: null,
  unsupported_host: null,
  unavailable: "works",
  private: "works",
  members_only: "works",
  login_required: "works",
  geo_blocked: "works",
  live: "works",
  playlist: "works",
  too_long: "works",
  too_large: "works",
  part_outside: "works",
  no_subtitles: "works",
  no_chapters: "works",
  network: null,
  timeout: null,
  storage: null,
  blocked: null,
  internal: null,
};

/** @returns null for an outcome that says nothing about the site */
export function siteOutcomeOf(code: ConversionErrorCode | "ok"): SiteOutcome | null {
  return code === "ok" ? "works" : OUTCOMES[code];
}

interface Entry {
  readonly outcome: SiteOutcome;
  readonly atMs: number;
}

/** What a process says about a site. */
export interface SiteHealthState {
  /** Null: nothing is known. */
  readonly outcome: SiteOutcome | null;
  /** Number of recent links that it is decided from. */
  readonly links: number;
}

export class SiteHealth {
  readonly #now: () => number;
  readonly #isStillRefused: () => boolean;
  /** By link, newest last. */
  readonly #entries = new Map<string, Entry>();
  #failure: SiteFailureReason | undefined;
  /** Set by a refusal through every exit, until an extraction works. */
  #isRefusedEverywhere = false;
  #lastMs = -Infinity;

  /**
   * @param options.isStillRefused whether the site still refuses every exit; another process may have found out that
   *   it does not
   * @param options.now milliseconds; tests set their own clock
   */
  constructor(options: { readonly isStillRefused?: () => boolean; readonly now?: () => number } = {}) {
    this.#isStillRefused = options.isStillRefused ?? (() => true);
    this.#now = options.now ?? Date.now;
  }

  /**
   * @param link in its canonical form
   * @param isRefusedEverywhere whether the site refuses every exit: then all jobs wait, whatever their video
   */
  record(link: string, outcome: SiteOutcome, isRefusedEverywhere = false): void {
    const nowMs = this.#now();
    setNewest(this.#entries, link, { outcome, atMs: nowMs }, RECENT_LINKS);
    this.#lastMs = nowMs;
    if (isRefusedEverywhere) this.#isRefusedEverywhere = true;
    else if (outcome === "works" && this.#isRefusedEverywhere) this.#endRefusal();
    this.#decide();
  }

  /** The tool was exchanged: failures that came from the old one do not count any more. */
  toolChanged(): void {
    this.#removeEntries("changed");
    this.#decide();
  }

  get state(): SiteHealthState {
    const nowMs = this.#now();
    if (nowMs - this.#lastMs >= FORGOTTEN_MS) {
      this.#isRefusedEverywhere = false;
      this.#failure = undefined;
      this.#entries.clear();
      return { outcome: null, links: 0 };
    }
    this.#decide();
    return { outcome: this.#failure ?? "works", links: this.#recent().length };
  }

  /** One exit works again, and waiting jobs start: refusals from before say nothing about it. */
  #endRefusal(): void {
    this.#isRefusedEverywhere = false;
    this.#removeEntries("refusing");
    if (this.#failure === "refusing") this.#failure = undefined;
  }

  #removeEntries(outcome: SiteOutcome): void {
    for (const [link, entry] of this.#entries) if (entry.outcome === outcome) this.#entries.delete(link);
  }

  #recent(): readonly Entry[] {
    const fromMs = this.#now() - WINDOW_MS;
    return [...this.#entries.values()].filter(({ atMs }) => atMs > fromMs);
  }

  #decide(): void {
    if (this.#isRefusedEverywhere && !this.#isStillRefused()) this.#endRefusal();
    if (this.#isRefusedEverywhere) {
      this.#failure = "refusing";
      return;
    }
    const recent = this.#recent();
    const failed = recent.filter(({ outcome }) => outcome !== "works");
    const share = failed.length / Math.max(1, recent.length);
    if (recent.length >= LEAST_LINKS && share >= FAILING_FROM_SHARE) this.#failure = reasonOf(failed);
    // Without recent outcomes, the site is what it was.
    else if (recent.length > 0 && share <= WORKING_FROM_SHARE) this.#failure = undefined;
  }
}

/** @returns the reason of most failures */
function reasonOf(failed: readonly Entry[]): SiteFailureReason {
  const changed = failed.filter(({ outcome }) => outcome === "changed").length;
  return 2 * changed > failed.length ? "changed" : "refusing";
}
