/**
 * The viewer's jobs, and the changes that the server has not confirmed yet. Versions of jobs may arrive
 * in any order; common/merge.ts decides which one is the newest.
 */
import { createStore } from "zustand/vanilla";
import { CanceledJob, QueuedJob, isActive } from "../../../common/job.ts";
import type { Job } from "../../../common/job.ts";
import { isTombstone, mergeIntoTable, mergeSnapshot, visibleJobs } from "../../../common/merge.ts";
import type { JobTable, JobVersion, Snapshot } from "../../../common/merge.ts";
import type { PolledList } from "../api/conditional-polls.ts";

/** A requested change; the page shows its expected result until the response arrives. */
export type Intent = "cancel" | "remove" | "retry";

interface Intended {
  readonly intent: Intent;
  /** Of the job as the visitor saw it. */
  readonly attempt: number;
}

export interface JobsState {
  readonly table: JobTable;
  readonly intents: ReadonlyMap<string, Intended>;
  /** Jobs whose removal can still be undone; see stores/removals.ts. */
  readonly hidden: ReadonlySet<string>;
  /** `failed` only when no list has ever arrived; later an old list is better than an error. */
  readonly phase: "loading" | "ready" | "failed";
  /** How far the device's clock is ahead of the server's, at least 0: files expire by the server's. */
  readonly clockAheadMs: number;
  readonly receive: (version: JobVersion) => void;
  /** Receives many versions as one change of the store. */
  readonly receiveAll: (versions: readonly JobVersion[]) => void;
  readonly receiveSnapshot: (snapshot: Snapshot) => void;
  readonly receiveList: (list: PolledList) => void;
  /** Removes everything, tombstones included, because the next list is of another viewer. */
  readonly clear: () => void;
  readonly listFailed: () => void;
  readonly listRequested: () => void;
  readonly intend: (ids: readonly string[], intent: Intent) => void;
  readonly settle: (ids: readonly string[]) => void;
  readonly hide: (id: string) => void;
  readonly unhide: (id: string) => void;
}

export type JobsStore = ReturnType<typeof createJobsStore>;

export function createJobsStore() {
  return createStore<JobsState>()((set) => ({
    table: new Map(),
    intents: new Map(),
    hidden: new Set(),
    phase: "loading",
    clockAheadMs: 0,
    receive: (version) => set((state) => ({ table: mergeIntoTable(state.table, version) })),
    receiveAll: (versions) => set((state) => ({ table: versions.reduce<JobTable>(mergeIntoTable, state.table) })),
    receiveSnapshot: (snapshot) =>
      set(({ table }) => ({ table: mergeSnapshot(table, snapshot), phase: "ready", ...clockAt(snapshot.asOf) })),
    receiveList: ({ jobs, asOf }) =>
      set((state) => ({
        phase: "ready",
        // Without the server's time, a missing job may also be newer than the list.
        table:
          asOf === null
            ? jobs.reduce<JobTable>(mergeIntoTable, state.table)
            : mergeSnapshot(state.table, { asOf, jobs }),
        ...(asOf === null ? {} : clockAt(asOf)),
      })),
    clear: () => set({ table: new Map(), intents: new Map(), phase: "loading" }),
    listFailed: () => set((state) => (state.phase === "loading" ? { phase: "failed" } : state)),
    listRequested: () => set((state) => (state.phase === "failed" ? { phase: "loading" } : state)),
    intend: (ids, intent) =>
      set(({ intents, table }) => {
        const attemptOf = (job: JobVersion | undefined) => (job && !isTombstone(job) ? job.attempt : 0);
        const added = ids.map((id) => [id, { intent, attempt: attemptOf(table.get(id)) }] as const);
        return { intents: new Map([...intents, ...added]) };
      }),
    settle: (ids) => set((state) => ({ intents: new Map([...state.intents].filter(([id]) => !ids.includes(id))) })),
    hide: (id) => set((state) => ({ hidden: new Set([...state.hidden, id]) })),
    unhide: (id) => set((state) => ({ hidden: new Set([...state.hidden].filter((other) => other !== id)) })),
  }));
}

function clockAt(asOf: string): Pick<JobsState, "clockAheadMs"> {
  return { clockAheadMs: Math.max(0, Date.now() - Date.parse(asOf)) };
}

/** @returns milliseconds since 1970, on a device whose clock is ahead by the server's clock */
export const serverNow = ({ clockAheadMs }: Pick<JobsState, "clockAheadMs">): number => Date.now() - clockAheadMs;

/** Applies a requested change to a job. @returns null for a removed job */
export function asIntended(job: Job, { intent, attempt = 0 }: Partial<Intended> = {}): Job | null {
  if (intent === "remove") return null;
  if (intent === "cancel" && isActive(job.status)) return CanceledJob.parse({ ...job, status: "canceled" });
  // The end of the next attempt may be known before the answer to the request for it.
  if (intent === "retry" && job.attempt <= attempt && !isActive(job.status))
    return QueuedJob.parse({ ...job, status: "queued", progress: 0, attempt: job.attempt + 1 });
  return job;
}

/** All jobs that are not hidden, with their requested changes applied, newest first. */
export const jobsToShow = memoizeLast(({ table, intents, hidden }: Shown): readonly Job[] =>
  visibleJobs(table).flatMap((job) => (hidden.has(job.id) ? [] : (asIntended(job, intents.get(job.id)) ?? []))),
);

/** The jobs of {@link jobsToShow} by id. */
export const jobsById = memoizeLast(
  (state: Shown): ReadonlyMap<string, Job> => new Map(jobsToShow(state).map((job) => [job.id, job])),
);

/** Files of the jobs of {@link jobsToShow}. */
export const filesToShow = memoizeLast((state: Shown) =>
  jobsToShow(state).flatMap((job) =>
    "downloadUrl" in job && job.downloadUrl ? { jobId: job.id, url: job.downloadUrl } : [],
  ),
);

type Shown = Pick<JobsState, "table" | "intents" | "hidden">;

/** Remembers the last result, because every row computes the same from the same state at each push. */
function memoizeLast<Result>(compute: (state: Shown) => Result): (state: Shown) => Result {
  let last: { readonly of: Shown; readonly result: Result } | undefined;
  return ({ table, intents, hidden }) => {
    const { of: before } = last ?? {};
    if (!last || before?.table !== table || before.intents !== intents || before.hidden !== hidden)
      last = { of: { table, intents, hidden }, result: compute({ table, intents, hidden }) };
    return last.result;
  };
}
