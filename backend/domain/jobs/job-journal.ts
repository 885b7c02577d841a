/** What those who run the site are told of the life of each job, as lines of the log and as traces. */
import type { ConversionErrorCode } from "../../../common/errors.ts";
import type { Stage } from "../../../common/job.ts";
import { traceIdOf } from "../call.ts";
import type { StoredJob } from "./job-model.ts";

/** Its functions do not throw. They are called after the write that they are about. */
export interface JobJournal {
  /** The job was added, or its status has changed. @param job as it is now */
  moved(job: StoredJob): void;
  /** The attempt that this process runs has begun a stage. */
  stage(job: StoredJob, stage: Stage): void;
  /** The attempt that this process runs gets the file that is made, or was made, for the other job. */
  follows(job: StoredJob, other: StoredJob): void;
  /** An error ends the attempt that this process runs. Whether the job ends with it is said by {@link moved}. */
  failing(job: StoredJob, code: ConversionErrorCode): void;
  /** A stored job lacks a field that its status promises. It reads as one that failed with `internal`. */
  unreadable(job: Pick<StoredJob, "_id" | "attempt" | "call">, field: string): void;
  /** This process has no more to do with the attempt. Changes nothing if {@link moved} has said so already. */
  left(job: Pick<StoredJob, "_id" | "attempt">): void;
}

/** For commands and tests. */
export const SILENT_JOURNAL: JobJournal = {
  moved: () => undefined,
  stage: () => undefined,
  follows: () => undefined,
  failing: () => undefined,
  unreadable: () => undefined,
  left: () => undefined,
};

/** @returns the fields that every line of the log about a job has, so that one query finds all of them */
export function logFieldsOf({ _id, attempt, call }: Pick<StoredJob, "_id" | "attempt" | "call">) {
  return { jobId: _id, attempt, requestId: call?.id, traceId: call && traceIdOf(call) };
}
