/**
 * The jobs this browser knows, and what the person has just asked for but the server has not yet
 * confirmed. Versions come from anywhere in any order; the shared merge decides which one stands.
 */
import { createStore } from "zustand/vanilla";
import { CanceledJob, QueuedJob, isActive } from "../../../common/job.ts";
import type { Job } from "../../../common/job.ts";
import { mergeIntoTable, mergeSnapshot, visibleJobs } from "../../../common/merge.ts";
import type { JobTable, JobVersion, Snapshot } from "../../../common/merge.ts";
import type { PolledList } from "../api/api.ts";

/** What a person asked for; shown as done until the answer says how it really went. */
export type Intent = "cancel" | "remove" | "retry";

export interface JobsState {
  readonly table: JobTable;
  readonly intents: ReadonlyMap<string, Intent>;
  /** `failed` only while no list has ever arrived: later on an old list beats none. */
  readonly phase: "loading" | "ready" | "failed";
  readonly receive: (version: JobVersion) => void;
  /** Many at once, as one change. */
  readonly receiveAll: (versions: readonly JobVersion[]) => void;
  readonly receiveSnapshot: (snapshot: Snapshot) => void;
  readonly receiveList: (list: PolledList) => void;
  /** Forgets everything, removals included: the list to come is somebody else's. */
  readonly forget: () => void;
  readonly listFailed: () => void;
  readonly listAskedAgain: () => void;
  readonly intend: (id: string, intent: Intent) => void;
  readonly settle: (id: string) => void;
  readonly intendAll: (ids: readonly string[], intent: Intent) => void;
  readonly settleAll: (ids: readonly string[]) => void;
}

export type JobsStore = ReturnType<typeof createJobsStore>;

export function createJobsStore() {
  return createStore<JobsState>()((set, get) => ({
    table: new Map(),
    intents: new Map(),
    phase: "loading",
    receive: (version) => set((state) => ({ table: mergeIntoTable(state.table, version) })),
    receiveAll: (versions) => set((state) => ({ table: versions.reduce<JobTable>(mergeIntoTable, state.table) })),
    receiveSnapshot: (snapshot) => set((state) => ({ table: mergeSnapshot(state.table, snapshot), phase: "ready" })),
    receiveList: ({ jobs, asOf }) =>
      set((state) => ({
        phase: "ready",
        // Without the server's time nothing can be said about jobs that are missing.
        table:
          asOf === null
            ? jobs.reduce<JobTable>(mergeIntoTable, state.table)
            : mergeSnapshot(state.table, { asOf, jobs }),
      })),
    forget: () => set({ table: new Map(), intents: new Map(), phase: "loading" }),
    listFailed: () => set((state) => (state.phase === "loading" ? { phase: "failed" } : state)),
    listAskedAgain: () => set((state) => (state.phase === "failed" ? { phase: "loading" } : state)),
    intend: (id, intent) => get().intendAll([id], intent),
    settle: (id) => get().settleAll([id]),
    intendAll: (ids, intent) =>
      set((state) => ({ intents: new Map([...state.intents, ...ids.map((id) => [id, intent] as const)]) })),
    settleAll: (ids) => set((state) => ({ intents: new Map([...state.intents].filter(([id]) => !ids.includes(id))) })),
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

/** Every job as a person is to see it, newest first. Worked out once for each state of the store. */
export const jobsToShow = lastAnswerKept(({ table, intents }: Shown): readonly Job[] =>
  visibleJobs(table).flatMap((job) => asIntended(job, intents.get(job.id)) ?? []),
);

/** The same, by id. */
export const jobsById = lastAnswerKept(
  (state: Shown): ReadonlyMap<string, Job> => new Map(jobsToShow(state).map((job) => [job.id, job])),
);

type Shown = Pick<JobsState, "table" | "intents">;

/** Twenty rows ask the same of the same state with every push. */
function lastAnswerKept<Answer>(answerTo: (state: Shown) => Answer): (state: Shown) => Answer {
  let last: { readonly table: JobTable; readonly intents: JobsState["intents"]; readonly answer: Answer } | undefined;
  return ({ table, intents }) => {
    if (last?.table !== table || last.intents !== intents)
      last = { table, intents, answer: answerTo({ table, intents }) };
    return last.answer;
  };
}
