/** What is known of one exit, and how it changes. Plain data and pure functions, so that processes can share it. */
import { z } from "zod";
import { doublingDelay } from "../../../common/doubling-delay.ts";

const MS_PER_HOUR = 3_600_000;
/** Pause after the first refusal; it doubles with each further one in a row. */
const FIRST_PAUSE_MS = 5 * 60_000;
/** YouTube limits a session for up to an hour. */
const LONGEST_PAUSE_MS = MS_PER_HOUR;
/** Two clients with 60 s each, and a margin. The test of a process that has died ends after this time. */
const TEST_LEASE_MS = 3 * 60_000;

/** All times in milliseconds since 1970. The clocks of processes may differ by seconds; pauses last minutes. */
export const ExitState = z.object({
  refusalsInARow: z.int().nonnegative(),
  /** End of the last pause, which may be over. */
  pausedUntilMs: z.number().nonnegative(),
  /** After a pause, one caller tests the exit, and no other one uses it meanwhile. */
  test: z.object({ permitId: z.string(), untilMs: z.number() }).nullable(),
  /** Times of uses within the last hour, oldest first; as many as the budget counts, at least the last one. */
  usesMs: z.array(z.number()),
});
export type ExitState = Readonly<z.infer<typeof ExitState>>;

export const UNUSED_EXIT: ExitState = { refusalsInARow: 0, pausedUntilMs: 0, test: null, usesMs: [] };

/** Names one use of an exit in its state. */
export interface ExitUse {
  readonly permitId: string;
  readonly usedMs: number;
  /** `pausedUntilMs` when the use began. A report counts only if the exit has not been paused since. */
  readonly pausedUntilMs: number;
}

export function isTested({ test }: ExitState, nowMs: number): boolean {
  return test !== null && test.untilMs > nowMs;
}

/** @returns the moment from which the exit may be used; Infinity while another caller tests it */
export function usableFromMs(state: ExitState, nowMs: number, budget: number): number {
  return isTested(state, nowMs) ? Infinity : Math.max(state.pausedUntilMs, budgetFromMs(state, budget));
}

/** @returns the moment at which the exit may become usable without a report: a test ends too when its caller died */
export function nextChangeMs(state: ExitState, nowMs: number, budget: number): number {
  const { test } = state;
  return test !== null && test.untilMs > nowMs ? test.untilMs : usableFromMs(state, nowMs, budget);
}

function budgetFromMs({ usesMs }: ExitState, budget: number): number {
  const first = usesMs.at(-budget);
  return usesMs.length < budget || first === undefined ? 0 : first + MS_PER_HOUR;
}

/** @returns the state with one more use, which is a test if the exit was refused last */
export function withUse(state: ExitState, { permitId, usedMs }: ExitUse, budget: number): ExitState {
  const recent = state.usesMs.filter((otherMs) => otherMs > usedMs - MS_PER_HOUR);
  const kept = Number.isFinite(budget) ? budget : 1;
  return {
    ...state,
    usesMs: [...recent, usedMs].slice(-kept),
    test: state.refusalsInARow > 0 ? { permitId, untilMs: usedMs + TEST_LEASE_MS } : null,
  };
}

/** @returns the state without a use that did not take place */
export function withoutUse(state: ExitState, use: ExitUse): ExitState {
  const index = state.usesMs.lastIndexOf(use.usedMs);
  return { ...afterNothing(state, use), usesMs: state.usesMs.filter((_, other) => other !== index) };
}

/** @returns the state after the site answered as it should */
export function afterSuccess(state: ExitState, use: ExitUse): ExitState {
  const isNews = state.refusalsInARow > 0 && state.pausedUntilMs === use.pausedUntilMs;
  return isNews ? { ...state, refusalsInARow: 0, test: null } : state;
}

/**
 * Pauses the exit. Uses that began before the last pause report the same refusal again, which changes nothing.
 * @param askedMs how long the site asked us to wait
 */
export function afterRefusal(state: ExitState, use: ExitUse, nowMs: number, askedMs = 0): ExitState {
  if (state.pausedUntilMs !== use.pausedUntilMs) return state;
  const pauseMs = Math.max(askedMs, doublingDelay(state.refusalsInARow, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  return { ...state, refusalsInARow: state.refusalsInARow + 1, pausedUntilMs: nowMs + pauseMs, test: null };
}

/** @returns the state after a use from which nothing was learned; the next caller tests the exit if this one did */
export function afterNothing(state: ExitState, { permitId }: ExitUse): ExitState {
  return state.test?.permitId === permitId ? { ...state, test: null } : state;
}

/** Joins what a process learned alone with what the others know. Uses that both know are counted once. */
export function joinStates(own: ExitState, shared: ExitState): ExitState {
  const later = own.pausedUntilMs > shared.pausedUntilMs ? own : shared;
  const onlyOwn = [...own.usesMs];
  for (const usedMs of shared.usesMs) {
    const index = onlyOwn.indexOf(usedMs);
    if (index !== -1) onlyOwn.splice(index, 1);
  }
  return { ...later, usesMs: [...shared.usesMs, ...onlyOwn].toSorted((a, b) => a - b) };
}
