/** A start of a job, as a worker that has it in hands names it in every write. */

/** Names one start of one job. */
export interface Fence {
  readonly _id: string;
  readonly attempt: number;
}

/** The job, if that start of it still lasts. */
export function held(fence: Fence): object {
  return { _id: fence._id, attempt: fence.attempt, status: { $in: ["pending", "processing"] } };
}
