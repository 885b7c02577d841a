/**
 * Removals of ended jobs that can still be undone. The job is hidden at once, but the server is asked to remove it and
 * its file only after {@link UNDO_MS}, or when the page is left.
 */
import { createStore } from "zustand/vanilla";
import { isTombstone } from "../../../common/merge.ts";
import type { Job } from "../../../common/job.ts";
import type { JobsStore } from "./jobs.ts";

/** Long enough to notice a slip and to reach the button by keyboard. */
export const UNDO_MS = 10_000;

export interface Removal {
  readonly id: string;
  readonly title: string;
  /** The attempt that was removed; another window may start a later one. */
  readonly attempt: number;
}

export interface RemovalsState {
  /** Oldest first. */
  readonly pending: readonly Removal[];
  readonly remove: (job: Pick<Job, "id" | "title" | "attempt">) => void;
  /** Shows the job again. Does nothing when its removal was sent already. */
  readonly undo: (id: string) => void;
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
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  return createStore<RemovalsState>()((set, get) => {
    /** @returns the removal, which is pending no longer; undefined when it was not */
    function take(id: string): Removal | undefined {
      const removal = get().pending.find((pending) => pending.id === id);
      clearTimeout(timers.get(id));
      timers.delete(id);
      if (removal) set(({ pending }) => ({ pending: pending.filter((other) => other !== removal) }));
      return removal;
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
      remove({ id, title, attempt }) {
        take(id);
        jobs.getState().hide(id);
        set(({ pending }) => ({ pending: [...pending, { id, title, attempt }] }));
        timers.set(
          id,
          setTimeout(() => finish(id), UNDO_MS),
        );
      },
      undo(id) {
        if (take(id)) jobs.getState().unhide(id);
      },
      sendAll() {
        for (const { id } of get().pending) finish(id);
      },
    };
  });
}
