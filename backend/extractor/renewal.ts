/**
 * Keeps yt-dlp new: installs a newer release beside the one in use, tries it, and swaps it in. One process at a time
 * does this for a data folder; the others see the new pointer.
 */
import { mkdir } from "node:fs/promises";
import { CanaryError, type Canaries, TrialPostponed } from "./canary.ts";
import type { Environment, ExtractorFolder } from "./extractor-folder.ts";
import type { ReleaseDraft } from "./installation.ts";
import type { CurrentExtractor } from "./current-extractor.ts";
import { describeWait, noteOffer, reasonToWait, ripeRelease, type ReleaseRules } from "./release-choice.ts";
import { ageInDays, compareVersions, isWanted, type PackageSet, releaseText, type Release } from "./releases.ts";
import { InstallError } from "./run-installer.ts";
import { describeHeldBack, findWhatHoldsBack } from "./held-back.ts";
import { DAY_MS, HOUR_MS } from "../../common/durations.ts";

/** yt-dlp releases every few weeks, and the same day when a large site breaks; nightly releases come daily. */
const INTERVAL_MS = 6 * HOUR_MS;
/** Servers that started together do not ask the index together. */
const JITTER_MS = HOUR_MS;
/** Within this time, several processes, and one that restarts often, do not ask the index again. */
const SHARED_MS = 3 * HOUR_MS;
/** The same while jobs wait for a newer version: a look takes some seconds of a processor. */
const SOON_MS = HOUR_MS / 4;
/** A start does not wait for the schedule when yt-dlp is older; sites break releases of this age. */
const OLD_AT_START_DAYS = 14;
/** While most links fail with the present version, a new one waits no longer than this. */
const URGENT_WAIT_MS = 6 * HOUR_MS;

/** What came of one try. The steps are also given to `onStep` while it runs. */
export type RenewalOutcome =
  | { readonly kind: "swapped"; readonly version: string }
  | { readonly kind: "nothing newer" | "refused before" | "waiting"; readonly version: string }
  | { readonly kind: "dropped" | "postponed"; readonly version: string; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "locked" };

/** What is counted of all tries. */
export type CountedOutcome = RenewalOutcome["kind"] | "rolled back";

/** "resolving": the draft is being made; "placed": installed under its name; "pointing": the new pointer is written. */
export type RenewalStep = "resolving" | "installing" | "placed" | "pointing";

export interface RenewalOptions {
  readonly release: Release;
  readonly rules: ReleaseRules;
  readonly folder: ExtractorFolder;
  readonly current: CurrentExtractor;
  readonly canaries: Pick<Canaries, "tryVersion">;
  /** @param signal aborted when the server stops */
  readonly openDraft: (signal: AbortSignal) => ReleaseDraft;
  /** @returns releases the lock; undefined when another process holds it */
  readonly tryLock: (folder: string) => Promise<(() => void) | undefined>;
  readonly log: { info(line: string): void; warn(line: string): void };
  readonly count?: (outcome: CountedOutcome) => void;
  /** Awaited before each step. */
  readonly onStep?: (step: RenewalStep) => Promise<void>;
}

export class Renewal implements AsyncDisposable {
  readonly #options: RenewalOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: RenewalOptions) {
    this.#options = options;
    options.current.onWorse = (environment, reason) => this.#run(() => this.rollBack(environment, reason));
    options.current.onBad = () => this.#lookOnce(SHARED_MS);
    if (options.release.kind !== "pinned") options.current.lookForNewer = () => this.#lookOnce(SOON_MS);
  }

  /** Begins the schedule, with a try at once when the version in use is old or another release is wanted. */
  start(): void {
    this.#run(() => this.#checkAtStart());
    this.#schedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort(new Error("the server stops"));
    await this.#running;
  }

  /**
   * Begins a try because canaries of the version in use fail: at once when they begin to fail, and after that not more
   * often than several processes together try.
   */
  checkBecauseOfCanaries(areNew: boolean): void {
    this.#run(() => (areNew ? this.check() : this.#checkIfDue()));
  }

  /**
   * Extractions fail, so a newer release may be out. One look at a time.
   * @param intervalMs time since the last look of any process
   */
  #lookOnce(intervalMs: number): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#run(() => this.#checkIfDue(intervalMs).finally(() => (this.#isLooking = false)));
  }

  /** Looks for a newer release and swaps it in if it passes its canaries. */
  async check(): Promise<RenewalOutcome> {
    const outcome = await this.#check();
    this.#options.count?.(outcome.kind);
    return outcome;
  }

  async #check(): Promise<RenewalOutcome> {
    const { folder, tryLock, log } = this.#options;
    const unlock = await tryLock(folder.home);
    if (!unlock) return { kind: "locked" };
    try {
      return await this.#checkLocked();
    } catch (error) {
      this.#stopping.signal.throwIfAborted();
      if (!(error instanceof InstallError) && !isSystemError(error)) throw error;
      log.warn(`a newer yt-dlp could not be installed, the present one stays: ${error.message}`);
      await this.#noteFailure(error.message);
      return { kind: "failed", reason: error.message };
    } finally {
      unlock();
    }
  }

  /** Goes back to the version before, unless the environment is no longer the present one. */
  async rollBack(environment: Environment, reason: string): Promise<void> {
    const { folder, tryLock, current, log } = this.#options;
    const unlock = await tryLock(folder.home);
    // The next failure tries again.
    if (!unlock) return;
    try {
      const pointer = await folder.readPointer();
      if (pointer.present?.name !== environment.name) return;
      await folder.replacePointer({ present: pointer.previous, previous: null, failureShareBefore: 1 });
      log.warn(`yt-dlp ${environment.version} is rolled back: ${reason}`);
      this.#options.count?.("rolled back");
      await folder.refuse(environment.version, reason);
    } finally {
      unlock();
    }
    await current.refresh();
  }

  async #checkLocked(): Promise<RenewalOutcome> {
    const { folder, current, release, openDraft, log } = this.#options;
    await folder.removeLeftovers();
    await folder.changeKnowledge({ checkedAtMs: Date.now(), checkedFor: releaseText(release) });
    // Another process may have swapped a version in.
    await current.refresh();

    await using draft = openDraft(this.#stopping.signal);
    await this.#step("resolving");
    const offered = await draft.resolve(release);
    if (!isWanted(release, offered.version, current.version))
      return await this.#noteNothingNewer(draft, offered.version);
    await folder.changeKnowledge({ heldBack: null });
    const chosen = await this.#choose(offered);
    if (!chosen || !isWanted(release, chosen.version, current.version))
      return { kind: "waiting", version: offered.version };
    const { version } = chosen;
    const { refused } = await folder.readKnowledge();
    if (refused.some((entry) => compareVersions(entry.version, version) === 0))
      return { kind: "refused before", version };

    log.info(`yt-dlp ${version} is being installed beside ${current.version ?? "the present one"}`);
    await this.#step("installing");
    const environment = await draft.install(chosen);
    await this.#step("placed");
    return await this.#tryAndSwap(environment);
  }

  /** @returns the release to install, which may be older than the offered one; undefined while all of them wait */
  async #choose(offered: PackageSet): Promise<PackageSet | undefined> {
    const { folder, log } = this.#options;
    const nowMs = Date.now();
    const before = await folder.readKnowledge();
    const seen = noteOffer(before.seen, offered, nowMs);
    const rules = this.#rulesNow();
    const waiting = reasonToWait(seen, offered, rules, nowMs);
    await folder.changeKnowledge({ seen: [...seen], waiting });
    if (waiting && JSON.stringify(waiting) !== JSON.stringify(before.waiting)) log.warn(describeWait(waiting));
    return ripeRelease(seen, rules, nowMs);
  }

  /** A pinned version does not wait, because the operator has named it. */
  #rulesNow(): ReleaseRules {
    const { rules, release, current, log } = this.#options;
    if (release.kind === "pinned") return { ...rules, waitMs: 0 };
    if (!current.isFailing || rules.waitMs <= URGENT_WAIT_MS) return rules;
    log.warn(`most links fail with the present yt-dlp, so a new one waits ${URGENT_WAIT_MS / HOUR_MS} hours only`);
    return { ...rules, waitMs: URGENT_WAIT_MS };
  }

  async #tryAndSwap(environment: Environment): Promise<RenewalOutcome> {
    const { folder, current, canaries, log } = this.#options;
    const { version } = environment;
    try {
      await mkdir(folder.draft, { recursive: true });
      await canaries.tryVersion(folder.programOf(environment), folder.draft, this.#stopping.signal);
    } catch (error) {
      if (error instanceof TrialPostponed) return this.#postpone(environment, error.message);
      if (!(error instanceof CanaryError)) throw error;
      await folder.refuse(version, error.message);
      await folder.remove(environment);
      log.warn(`yt-dlp ${version} is dropped: ${error.message}`);
      return { kind: "dropped", version, reason: error.message };
    }
    await folder.replacePointer(
      { present: environment, previous: current.environment, failureShareBefore: current.failureShare },
      () => this.#step("pointing"),
    );
    await current.refresh();
    return { kind: "swapped", version };
  }

  /** Says nothing against the version, which the next try installs again. */
  async #postpone(environment: Environment, reason: string): Promise<RenewalOutcome> {
    const { version } = environment;
    await this.#options.folder.remove(environment);
    this.#options.log.warn(`yt-dlp ${version} could not be tried, the next look tries it again: ${reason}`);
    return { kind: "postponed", version, reason };
  }

  /** Finds out once a day why an install would bring nothing newer than an old version, and logs it. */
  async #noteNothingNewer(draft: ReleaseDraft, version: string): Promise<RenewalOutcome> {
    const { folder, current, release, log } = this.#options;
    const { heldBack, heldBackLoggedAtMs } = await folder.readKnowledge();
    const days = ageInDays(version, Date.now());
    await folder.changeKnowledge({ waiting: null });
    if (release.kind === "pinned" || days <= OLD_AT_START_DAYS) await folder.changeKnowledge({ heldBack: null });
    else if (!heldBack || heldBack.cause === "failed" || Date.now() - heldBackLoggedAtMs >= DAY_MS) {
      const found = await findWhatHoldsBack(draft, release, version);
      log.warn(
        `pip offers no yt-dlp newer than ${version}, which is ${days} days old; ${current.version} stays in use. ` +
          describeHeldBack(found),
      );
      await folder.changeKnowledge({ heldBack: found, heldBackLoggedAtMs: Date.now() });
    }
    return { kind: "nothing newer", version };
  }

  /** The operator's page shows it; a reason that was found before stays, because it says more. */
  async #noteFailure(words: string): Promise<void> {
    const { folder } = this.#options;
    try {
      const { heldBack } = await folder.readKnowledge();
      if (!heldBack || heldBack.cause === "failed")
        await folder.changeKnowledge({ heldBack: { cause: "failed", version: null, words } });
    } catch (error) {
      // On a full disk nothing can be written. The log has the reason.
      if (!isSystemError(error)) throw error;
    }
  }

  async #step(step: RenewalStep): Promise<void> {
    await this.#options.onStep?.(step);
    this.#stopping.signal.throwIfAborted();
  }

  async #checkAtStart(): Promise<void> {
    const { release, folder, current } = this.#options;
    const { checkedFor } = await folder.readKnowledge();
    const isOtherWanted = checkedFor !== undefined && checkedFor !== releaseText(release);
    const isOtherPinned = release.kind === "pinned" && isWanted(release, release.version, current.version);
    if (isOtherWanted || isOtherPinned) await this.check();
    else if (current.version === undefined || ageInDays(current.version, Date.now()) > OLD_AT_START_DAYS)
      await this.#checkIfDue();
  }

  async #checkIfDue(intervalMs = SHARED_MS): Promise<void> {
    const { checkedAtMs } = await this.#options.folder.readKnowledge();
    if (Date.now() - checkedAtMs >= intervalMs) await this.check();
  }

  #schedule(): void {
    const delayMs = INTERVAL_MS - JITTER_MS + 2 * JITTER_MS * Math.random();
    this.#timer = setTimeout(() => {
      this.#run(() => this.#checkIfDue());
      this.#schedule();
    }, delayMs).unref();
  }

  /** Runs work in the background; `asyncDispose` waits for it. */
  #run(work: () => Promise<unknown>): void {
    if (this.#stopping.signal.aborted) return;
    const done = work().catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#options.log.warn(`yt-dlp could not be renewed: ${String(error)}`);
    });
    // Without the results, which would hold those of all work before.
    this.#running = Promise.all([this.#running, done]).then(() => undefined);
  }
}

/** Such as a full disk. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && "syscall" in error;
}
