/** The finished job or batch that the document title names until the visitor looks at the page, or starts another. */
import { createStore } from "zustand/vanilla";
import type { Job } from "../../../common/job.ts";

export interface FinishedState {
  /** One job, or the jobs of a batch; empty without a finished one. */
  readonly jobs: readonly Job[];
  readonly show: (jobs: readonly Job[]) => void;
  readonly clear: () => void;
}

export type FinishedStore = ReturnType<typeof createFinishedStore>;

export function createFinishedStore() {
  return createStore<FinishedState>()((set, get) => ({
    jobs: [],
    show: (jobs) => set({ jobs }),
    clear: () => void (get().jobs.length > 0 && set({ jobs: [] })),
  }));
}
