/**
 * Chooses the exit of each extraction and conversion. An exit that the site refuses (bot check, rate limit) rests: it
 * is not used for some time, which grows with each refusal in a row. Then one conversion tries it before the others use
 * it again. Each exit has a budget of extractions per hour. Without a usable exit, callers wait in order of arrival.
 */
import { DIRECT_EXIT, type Exit } from "./exit.ts";

const MS_PER_HOUR = 3_600_000;
/** Rest after the first refusal; it doubles with each further one. */
const FIRST_REST_MS = 5 * 60_000;
/** YouTube limits a session for up to an hour. */
const LONGEST_REST_MS = MS_PER_HOUR;

export interface ExitPoolOptions {
  /** At least one. */
  readonly exits: readonly Exit[];
  /** Extractions per exit in any hour. Infinity: no bound. */
  readonly extractionsPerHour: number;
  readonly log?: (line: string) => void;
  /** Milliseconds; tests set their own clock. */
  readonly now?: () => number;
}

/** A permission for one extraction through one exit. */
export interface ExitPermit {
  readonly exit: Exit;
  /** The site answered as it should. */
  succeeded(): void;
  /**
   * The site refused this exit; it rests.
   * @param restMs how long the site asked us to wait, if it said so
   */
  refused(reason: string, restMs?: number): void;
  /** Nothing was learned about the exit: the caller aborted, or the video itself is the reason of the failure. */
  release(): void;
}

/** State of an exit, for metrics. */
export interface ExitState {
  readonly name: string;
  readonly isResting: boolean;
  readonly refusalsInARow: number;
  readonly usedInLastHour: number;
}

class ExitRecord {
  readonly exit: Exit;
  refusalsInARow = 0;
  restsUntilMs = 0;
  /** One caller at a time tries an exit after its rest. */
  isOnTrial = false;
  /** Times of the permits of the last hour, oldest first. */
  #usedMs: number[] = [];

  constructor(exit: Exit) {
    this.exit = exit;
  }

  usedInLastHour(nowMs: number): number {
    this.#usedMs = this.#usedMs.filter((usedMs) => usedMs > nowMs - MS_PER_HOUR);
    return this.#usedMs.length;
  }

  use(nowMs: number): void {
    this.#usedMs.push(nowMs);
  }

  /** @returns the moment from which the exit may be used; Infinity while another caller tries it */
  usableFromMs(nowMs: number, budget: number): number {
    if (this.isOnTrial) return Infinity;
    const used = this.usedInLastHour(nowMs);
    const oldest = this.#usedMs.at(-budget);
    const budgetFromMs = used < budget || oldest === undefined ? 0 : oldest + MS_PER_HOUR;
    return Math.max(this.restsUntilMs, budgetFromMs);
  }
}

interface Waiter {
  readonly resolve: (permit: ExitPermit) => void;
  readonly onWait: ((untilMs: number) => void) | undefined;
}

export class ExitPool {
  readonly #records: readonly ExitRecord[];
  readonly #budget: number;
  readonly #log: (line: string) => void;
  readonly #now: () => number;
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor({ exits, extractionsPerHour, log = () => undefined, now = Date.now }: ExitPoolOptions) {
    if (exits.length === 0) throw new RangeError("an exit pool needs an exit");
    this.#records = exits.map((exit) => new ExitRecord(exit));
    this.#budget = extractionsPerHour;
    this.#log = log;
    this.#now = now;
  }

  /** @returns a pool with the machine's default route alone, which never rests */
  static direct(): ExitPool {
    return new ExitPool({ exits: [DIRECT_EXIT], extractionsPerHour: Infinity });
  }

  /** The number of exits. */
  get size(): number {
    return this.#records.length;
  }

  get states(): readonly ExitState[] {
    const nowMs = this.#now();
    return this.#records.map((record) => ({
      name: record.exit.name,
      isResting: record.restsUntilMs > nowMs || record.isOnTrial,
      refusalsInARow: record.refusalsInARow,
      usedInLastHour: record.usedInLastHour(nowMs),
    }));
  }

  /** @returns when an exit can be used, in milliseconds since 1970: now, later, or Infinity while the only one is tried */
  get nextUseMs(): number {
    const nowMs = this.#now();
    return Math.max(nowMs, Math.min(...this.#records.map((record) => record.usableFromMs(nowMs, this.#budget))));
  }

  /**
   * Waits for a usable exit and takes one extraction from its budget.
   * @param onWait called when the caller has to wait, with the moment (ms since 1970) of the next try if it is known
   * @throws `signal.reason` when aborted
   */
  acquire(signal: AbortSignal, onWait?: (untilMs: number) => void): Promise<ExitPermit> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ExitPermit>();
    const waiter: Waiter = { resolve, onWait };
    const onAbort = (): void => {
      const index = this.#waiters.indexOf(waiter);
      if (index >= 0) this.#waiters.splice(index, 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiters.push(waiter);
    this.#serve();
    return promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /** Gives exits to waiting callers, and sets a timer for those that have to go on waiting. */
  #serve(): void {
    clearTimeout(this.#timer);
    while (this.#waiters.length > 0) {
      const nowMs = this.#now();
      const record = this.#best(nowMs);
      if (!record) break;
      this.#waiters.shift()?.resolve(this.#permit(record, nowMs));
    }
    if (this.#waiters.length === 0) return;
    const nowMs = this.#now();
    const nextMs = Math.min(...this.#records.map((record) => record.usableFromMs(nowMs, this.#budget)));
    for (const { onWait } of this.#waiters) onWait?.(nextMs);
    if (nextMs !== Infinity) this.#timer = setTimeout(() => this.#serve(), Math.max(1, nextMs - nowMs)).unref();
  }

  /** @returns the usable exit with the fewest refusals and, among equals, the least use in the last hour */
  #best(nowMs: number): ExitRecord | undefined {
    return this.#records
      .filter((record) => record.usableFromMs(nowMs, this.#budget) <= nowMs)
      .toSorted((a, b) => a.refusalsInARow - b.refusalsInARow || a.usedInLastHour(nowMs) - b.usedInLastHour(nowMs))[0];
  }

  #permit(record: ExitRecord, nowMs: number): ExitPermit {
    record.use(nowMs);
    if (record.refusalsInARow > 0) record.isOnTrial = true;
    let isOpen = true;
    const settle = (change: () => void): void => {
      if (!isOpen) return;
      isOpen = false;
      record.isOnTrial = false;
      change();
      this.#serve();
    };
    return {
      exit: record.exit,
      succeeded: () => settle(() => this.#welcome(record)),
      refused: (reason, restMs) => settle(() => this.#rest(record, reason, restMs)),
      release: () => settle(() => undefined),
    };
  }

  #welcome(record: ExitRecord): void {
    if (record.refusalsInARow > 0) this.#log(`exit ${record.exit.name} works again`);
    record.refusalsInARow = 0;
    record.restsUntilMs = 0;
  }

  #rest(record: ExitRecord, reason: string, askedMs = 0): void {
    const nowMs = this.#now();
    // Conversions that started before the rest began report the same refusal again.
    if (record.restsUntilMs > nowMs) return;
    const restMs = Math.max(askedMs, Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** record.refusalsInARow));
    record.refusalsInARow += 1;
    record.restsUntilMs = nowMs + restMs;
    this.#log(`exit ${record.exit.name} rests for ${Math.round(restMs / 60_000)} min: ${reason}`);
  }
}
