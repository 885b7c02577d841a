/**
 * Removals of ended jobs that can still be undone. The job is hidden at once, but the server is asked to remove it and
 * its file only after the visitor could undo that for {@link UNDO_MS}, or when the page is left. One removal is offered
 * at a time, the newest; the time of the others stands still, and of one that a toast covers or whose row is held.
 */
import { createStore } from "zustand/vanilla";
import { isTombstone } from "../../../common/merge.ts";
import type { Job } from "../../../common/job.ts";
import type { JobsStore } from "./jobs.ts";
import { PausableTimer } from "./pausable-timer.ts";

/** Long enough to notice a slip and to reach the button by keyboard. */
export const UNDO_MS = 10_000;

export interface Removal {
  readonly id: string;
  readonly title: string;
  /** The attempt that was removed; another window may start a later one. */
  readonly attempt: number;
}

export interface RemovalsState {
  /** Oldest first; the last one is offered to the visitor. */
  readonly pending: readonly Removal[];
  /**
   * The removal whose row keeps its place, with the offer in it, so that no other row comes under the finger; null for
   * none. Then the offer has no toast.
   */
  readonly heldId: string | null;
  readonly remove: (job: Pick<Job, "id" | "title" | "attempt">, isHeld?: boolean) => void;
  /** Must be called when the pointer has left the place of a held row, and when the place is gone. */
  readonly letGo: (id: string) => void;
  /** Shows the job again. Does nothing when its removal was sent already. */
  readonly undo: (id: string) => void;
  /** Must be called when a toast takes the place of the offer, and when it is gone. */
  readonly cover: (isCovered: boolean) => void;
  /** Sends all removals at once, because the page is left. */
  readonly sendAll: () => void;
}

export interface RemovalsParts {
  readonly jobs: JobsStore;
  /** Removes a job at the server; hides it from the first moment on. */
  readonly send: (id: string) => Promise<void>;
}

export type RemovalsStore = ReturnType<typeof createRemovalsStore>;

export function createRemovalsStore({ jobs, send }: RemovalsParts) {
  const timers = new Map<string, PausableTimer>();
  let isCovered = false;

  return createStore<RemovalsState>()((set, get) => {
    /** @returns the removal, which is pending no longer; undefined when it was not */
    function take(id: string): Removal | undefined {
      const removal = get().pending.find((pending) => pending.id === id);
      timers.get(id)?.stop();
      timers.delete(id);
      if (removal) set(({ pending }) => ({ pending: pending.filter((other) => other !== removal) }));
      runOffered();
      return removal;
    }

    /** Lets the time of the offered removal run, and no other. */
    function runOffered(): void {
      const newest = get().pending.at(-1);
      const offered = isCovered || newest?.id === get().heldId ? undefined : newest;
      for (const [id, timer] of timers)
        if (id === offered?.id) timer.start(() => finish(id));
        else timer.pause();
    }

    function finish(id: string): void {
      const removal = take(id);
      const job = jobs.getState().table.get(id);
      // A job that another window has retried meanwhile is kept: only its earlier attempt was removed.
      if (removal && job && !isTombstone(job) && job.attempt <= removal.attempt) void send(id);
      jobs.getState().unhide(id);
    }

    jobs.subscribe(({ table }) => {
      for (const { id } of get().pending) {
        const job = table.get(id);
        // Removed in another window: nothing is left to undo.
        if (job && isTombstone(job)) finish(id);
      }
    });

    return {
      pending: [],
      heldId: null,
      letGo(id) {
        if (get().heldId !== id) return;
        set({ heldId: null });
        runOffered();
      },
      remove({ id, title, attempt }, isHeld = false) {
        take(id);
        set({ heldId: isHeld ? id : null });
        jobs.getState().hide(id);
        set(({ pending }) => ({ pending: [...pending, { id, title, attempt }] }));
        const timer = new PausableTimer();
        timer.reset(UNDO_MS);
        timers.set(id, timer);
        runOffered();
      },
      undo(id) {
        if (take(id)) jobs.getState().unhide(id);
      },
      cover(isNowCovered) {
        isCovered = isNowCovered;
        runOffered();
      },
      sendAll() {
        for (const { id } of get().pending) finish(id);
      },
    };
  });
}
