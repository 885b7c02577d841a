/**
 * The current job: the newest single job that was started on this page, until the visitor begins with another link. It
 * is shown in the place of the preview, and all other jobs in the queue. After a reload of the tab it is still there.
 */
import { createStore } from "zustand/vanilla";
import type { TextStorage } from "../platform/text-storage.ts";
import { CURRENT_JOB_KEY as KEY } from "../platform/storage-keys.ts";

export interface CurrentJobState {
  /** The job may be missing in the jobs store: removed, or not loaded yet. */
  readonly id: string | null;
  /**
   * Set while a request for a new job has no answer yet: ids of the jobs before it. The push about the new job may
   * arrive before the answer; the queue does not list it then.
   */
  readonly idsBefore: ReadonlySet<string> | null;
  /** Must be called before the request for a new job. */
  readonly expect: (idsBefore: Iterable<string>) => void;
  /** Must be called when the request has ended, in any way. */
  readonly expectNone: () => void;
  /** Must be called before the job is added to the jobs store, so that it never appears in the queue. */
  readonly begin: (id: string) => void;
  /** Moves the job to the queue. */
  readonly release: () => void;
}

export interface CurrentJobParts {
  /** Storage for the life of the tab. */
  readonly session: TextStorage;
}

export function createCurrentJobStore({ session }: CurrentJobParts) {
  return createStore<CurrentJobState>()((set, get) => ({
    id: session.getItem(KEY),
    idsBefore: null,
    expect: (idsBefore) => set({ idsBefore: new Set(idsBefore) }),
    expectNone: () => set({ idsBefore: null }),
    begin(id) {
      session.setItem(KEY, id);
      set({ id });
    },
    release() {
      if (get().id === null) return;
      session.removeItem(KEY);
      set({ id: null });
    },
  }));
}
