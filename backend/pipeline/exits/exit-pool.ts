/**
 * Chooses the exit of each extraction and conversion. An exit that the site refuses (bot check, rate limit) is paused:
 * it is not used for some time, which grows with each refusal in a row. Then one caller tests it before the others use
 * it again. Each exit has a budget of extractions per hour. Without a usable exit, callers wait in order of arrival.
 * Pauses, tests and budgets are common to all processes that share the states.
 */
import { randomUUID } from "node:crypto";
import { type Exit, withUniqueNames } from "./exit.ts";
import {
  afterNothing,
  afterRefusal,
  afterSuccess,
  type ExitState,
  type ExitUse,
  isTested,
  nextChangeMs,
  UNUSED_EXIT,
  usableFromMs,
  withoutUse,
  withUse,
} from "./exit-state.ts";
import { type ExitStates, InProcessExitStates } from "./exit-states.ts";

/** The longest delay of a timer that Node can set. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface ExitPoolOptions {
  /** At least one. */
  readonly exits: readonly Exit[];
  /** Extractions per exit in any hour. Infinity: no bound. */
  readonly extractionsPerHour: number;
  /** Absent: this process knows only what it learns itself. */
  readonly states?: ExitStates;
  readonly log?: (line: string) => void;
  /** Milliseconds since 1970; tests set their own clock. */
  readonly now?: () => number;
}

/** A permission for one extraction through one exit. Only the first report counts. Its methods never reject. */
export interface ExitPermit {
  readonly exit: Exit;
  /** The site answered as it should. */
  succeeded(): Promise<void>;
  /**
   * The site refused this exit; it is paused.
   * @param pauseMs how long the site asked us to wait, if it said so
   */
  refused(reason: string, pauseMs?: number): Promise<void>;
  /** Nothing was learned about the exit: the caller aborted, or the video itself is the reason of the failure. */
  release(): Promise<void>;
}

/** What operators see of an exit. */
export interface ExitStatus {
  readonly name: string;
  /** Refused by the site a while ago, or being tested after that. */
  readonly isPaused: boolean;
  readonly refusalsInARow: number;
}

export interface AcquireOptions {
  /** Called when the caller has to wait, with the moment (ms since 1970) of the next try; Infinity: unknown. */
  readonly onWait?: (untilMs: number) => void;
  /** Name of an exit that is used only where no other can be. */
  readonly avoided?: string | undefined;
}

interface Waiter extends AcquireOptions {
  readonly resolve: (permit: ExitPermit) => void;
}

export class ExitPool {
  /** In order of their last use by this process: the one that was not used for longest comes first. */
  readonly #exits: Exit[];
  /** In the operator's order. */
  readonly #names: readonly string[];
  readonly #states: ExitStates;
  readonly #budget: number;
  readonly #log: (line: string) => void;
  readonly #now: () => number;
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isServing = false;
  #hasChanged = false;

  constructor(options: ExitPoolOptions) {
    const { exits, extractionsPerHour, states = new InProcessExitStates() } = options;
    if (exits.length === 0) throw new RangeError("an exit pool needs an exit");
    this.#exits = withUniqueNames(exits);
    this.#names = this.#exits.map(({ name }) => name);
    this.#states = states;
    this.#budget = extractionsPerHour;
    this.#log = options.log ?? (() => undefined);
    this.#now = options.now ?? Date.now;
    states.onChange(() => this.#serve());
    // The first look at a shared state fetches it.
    for (const name of this.#names) states.get(name);
  }

  /** The number of exits. */
  get size(): number {
    return this.#exits.length;
  }

  /** Milliseconds since 1970 by the pool's clock. */
  get nowMs(): number {
    return this.#now();
  }

  get statuses(): readonly ExitStatus[] {
    const nowMs = this.#now();
    return this.#names.map((name) => {
      const state = this.#states.get(name);
      const isPaused = state.pausedUntilMs > nowMs || isTested(state, nowMs);
      return { name, isPaused, refusalsInARow: state.refusalsInARow };
    });
  }

  /** Whether the site refuses every exit. False while one only has no budget left. */
  get areAllPaused(): boolean {
    return this.statuses.every(({ isPaused }) => isPaused);
  }

  /** Whether nobody waits for an exit, and one can be used at once of whose budget less than half is spent. */
  get hasSpare(): boolean {
    const nowMs = this.#now();
    if (this.#waiters.length > 0) return false;
    return this.#earliest((state) => usableFromMs(state, nowMs, Math.ceil(this.#budget / 2))) <= nowMs;
  }

  /** When an exit can be used, in milliseconds since 1970: now, later, or Infinity while the only one is tested. */
  get nextUseMs(): number {
    const nowMs = this.#now();
    return Math.max(nowMs, this.#earliest(usableFromMs));
  }

  /** @returns the exit with this name, if the pool has it */
  find(name: string): Exit | undefined {
    return this.#exits.find((exit) => exit.name === name);
  }

  /**
   * Waits for a usable exit and takes one extraction from its budget.
   * @throws `signal.reason` when aborted
   */
  acquire(signal: AbortSignal, options: AcquireOptions = {}): Promise<ExitPermit> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ExitPermit>();
    const waiter: Waiter = { ...options, resolve };
    const onAbort = (): void => {
      const index = this.#waiters.indexOf(waiter);
      if (index !== -1) this.#waiters.splice(index, 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiters.push(waiter);
    this.#serve();
    return promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /**
   * The site refused an exit after the extraction, when media was fetched; it is paused.
   * @param pauseMs how long the site asked us to wait, if it said so
   */
  async mediaRefused(name: string, reason: string, pauseMs?: number): Promise<void> {
    const nowMs = this.#now();
    const pause = (state: ExitState): ExitState => {
      const use: ExitUse = { permitId: "", usedMs: nowMs, pausedUntilMs: state.pausedUntilMs };
      // Other conversions that ran at once report the same refusal.
      return state.pausedUntilMs > nowMs ? state : afterRefusal(state, use, nowMs, pauseMs);
    };
    await this.#change(name, pause, reason);
  }

  /** Gives exits to waiting callers. A call while that is under way looks again at its end. */
  #serve(): void {
    this.#hasChanged = true;
    if (this.#isServing) return;
    this.#isServing = true;
    void this.#serveWaiters();
  }

  async #serveWaiters(): Promise<void> {
    while (this.#hasChanged) {
      this.#hasChanged = false;
      for (let waiter = this.#waiters[0]; waiter; waiter = this.#waiters[0]) {
        const exit = this.#best(waiter);
        if (!exit) break;
        await this.#grant(exit);
      }
    }
    this.#isServing = false;
    this.#announceWait();
  }

  /** Tells the callers that have to go on waiting until when, and looks again then. */
  #announceWait(): void {
    clearTimeout(this.#timer);
    if (this.#waiters.length === 0) return;
    const usableMs = this.#earliest(usableFromMs);
    // A caller may leave while it is told, and then the list changes.
    const onWaits = this.#waiters.map(({ onWait }) => onWait);
    for (const onWait of onWaits) onWait?.(usableMs);
    const delayMs = this.#earliest(nextChangeMs) - this.#now();
    this.#timer = setTimeout(() => this.#serve(), Math.min(LONGEST_TIMER_MS, Math.max(1, delayMs))).unref();
  }

  #earliest(momentOf: (state: ExitState, nowMs: number, budget: number) => number): number {
    const nowMs = this.#now();
    return Math.min(...this.#names.map((name) => momentOf(this.#states.get(name), nowMs, this.#budget)));
  }

  /**
   * @returns the usable exit that was not used for longest, so that one whose pause is over is tested next; the avoided
   * one last
   */
  #best({ avoided }: Waiter): Exit | undefined {
    const isAvoided = (exit: Exit): number => Number(exit.name === avoided);
    const nowMs = this.#now();
    return this.#exits
      .map((exit) => ({ exit, state: this.#states.get(exit.name) }))
      .filter(({ state }) => usableFromMs(state, nowMs, this.#budget) <= nowMs)
      .toSorted((a, b) => isAvoided(a.exit) - isAvoided(b.exit) || lastUseMs(a.state) - lastUseMs(b.state))[0]?.exit;
  }

  /** Takes the exit for the first caller, unless another process has made it unusable meanwhile. */
  async #grant(exit: Exit): Promise<void> {
    const permitId = randomUUID();
    const usedMs = this.#now();
    let pausedUntilMs = 0;
    const state = await this.#states.update(exit.name, (before) => {
      if (usableFromMs(before, usedMs, this.#budget) > usedMs) return undefined;
      ({ pausedUntilMs } = before);
      return withUse(before, { permitId, usedMs, pausedUntilMs }, this.#budget);
    });
    if (!state) return;
    this.#exits.push(...this.#exits.splice(this.#exits.indexOf(exit), 1));
    const use: ExitUse = { permitId, usedMs, pausedUntilMs };
    const waiter = this.#waiters.shift();
    if (waiter) waiter.resolve(this.#permit(exit, use));
    // The caller has left meanwhile.
    else await this.#states.update(exit.name, (before) => withoutUse(before, use));
  }

  #permit(exit: Exit, use: ExitUse): ExitPermit {
    let isOpen = true;
    const settle = async (change: (state: ExitState) => ExitState, reason = ""): Promise<void> => {
      if (!isOpen) return;
      isOpen = false;
      await this.#change(exit.name, change, reason);
    };
    return {
      exit,
      succeeded: () => settle((state) => afterSuccess(state, use)),
      refused: (reason, pauseMs) => {
        const nowMs = this.#now();
        return settle((state) => afterRefusal(state, use, nowMs, pauseMs), reason);
      },
      release: () => settle((state) => afterNothing(state, use)),
    };
  }

  /** Changes the state of an exit and logs the beginning and the end of a pause. */
  async #change(name: string, change: (state: ExitState) => ExitState, reason: string): Promise<void> {
    let before = UNUSED_EXIT;
    const after = await this.#states.update(name, (state) => {
      before = state;
      const changed = change(state);
      return changed === state ? undefined : changed;
    });
    if (!after) return;
    if (after.refusalsInARow > before.refusalsInARow) {
      const minutes = Math.round((after.pausedUntilMs - this.#now()) / 60_000);
      this.#log(`exit ${name} is paused for ${minutes} min: ${reason}`);
    } else if (after.refusalsInARow < before.refusalsInARow) this.#log(`exit ${name} works again`);
  }
}

function lastUseMs({ usesMs }: ExitState): number {
  return usesMs.at(-1) ?? 0;
}
