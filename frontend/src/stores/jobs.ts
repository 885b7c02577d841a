/**
 * The jobs this browser knows, and what the person has just asked for but the server has not yet
 * confirmed. Versions come from anywhere in any order; the shared merge decides which one stands.
 */
import { createStore } from "zustand/vanilla";
import { CanceledJob, QueuedJob, isActive } from "../../../common/job.ts";
import type { Job } from "../../../common/job.ts";
import { mergeIntoTable, mergeSnapshot, visibleJobs } from "../../../common/merge.ts";
import type { JobTable, JobVersion, Snapshot } from "../../../common/merge.ts";
import type { PolledList } from "../api.ts";

/** What a person asked for; shown as done until the answer says how it really went. */
export type Intent = "cancel" | "remove" | "retry";

export interface JobsState {
  readonly table: JobTable;
  readonly intents: ReadonlyMap<string, Intent>;
  /** `failed` only while no list has ever arrived: later on an old list beats none. */
  readonly phase: "loading" | "ready" | "failed";
  readonly receive: (version: JobVersion) => void;
  readonly receiveSnapshot: (snapshot: Snapshot) => void;
  readonly receiveList: (list: PolledList) => void;
  readonly listFailed: () => void;
  readonly listAskedAgain: () => void;
  readonly intend: (id: string, intent: Intent) => void;
  readonly settle: (id: string) => void;
}

export type JobsStore = ReturnType<typeof createJobsStore>;

export function createJobsStore() {
  return createStore<JobsState>()((set) => ({
    table: new Map(),
    intents: new Map(),
    phase: "loading",
    receive: (version) => set((state) => ({ table: mergeIntoTable(state.table, version) })),
    receiveSnapshot: (snapshot) => set((state) => ({ table: mergeSnapshot(state.table, snapshot), phase: "ready" })),
    receiveList: ({ jobs, asOf }) =>
      set((state) => ({
        phase: "ready",
        // Without the server's time nothing can be said about jobs that are missing.
        table: asOf === null ? jobs.reduce<JobTable>(mergeIntoTable, state.table) : mergeSnapshot(state.table, { asOf, jobs }),
      })),
    listFailed: () => set((state) => (state.phase === "loading" ? { phase: "failed" } : state)),
    listAskedAgain: () => set((state) => (state.phase === "failed" ? { phase: "loading" } : state)),
    intend: (id, intent) => set((state) => ({ intents: new Map(state.intents).set(id, intent) })),
    settle: (id) =>
      set((state) => {
        const intents = new Map(state.intents);
        return intents.delete(id) ? { intents } : state;
      }),
  }));
}

/** The job as it will be if the server agrees; null when it will be gone. */
export function asIntended(job: Job, intent: Intent | undefined): Job | null {
  if (intent === "remove") return null;
  if (intent === "cancel" && isActive(job.status)) return CanceledJob.parse({ ...job, status: "canceled" });
  if (intent === "retry" && !isActive(job.status))
    return QueuedJob.parse({ ...job, status: "queued", progress: 0, attempt: job.attempt + 1 });
  return job;
}

/** The rows to show, newest first. */
export function jobsToShow(state: Pick<JobsState, "table" | "intents">): Job[] {
  return visibleJobs(state.table).flatMap((job) => asIntended(job, state.intents.get(job.id)) ?? []);
}
