import { neverBackwards } from "../../common/progress.ts";
import type { ProcessingJob } from "../domain/jobs/job-model.ts";
import { setFields } from "../domain/jobs/set-fields.ts";
import type { ProgressUpdate } from "../domain/jobs/work.ts";

/**
 * @param known what was reported to the jobs that follow another worker's
 * @param other a job of that worker, or of the next one: it may have begun anew, or be written less often
 * @returns what to report next; fields that are not set stay out
 */
export function followedProgress(known: ProgressUpdate | undefined, other: ProcessingJob): ProgressUpdate {
  const { stage, progress, etaSeconds, bytesPerSecond } = other;
  const percent = neverBackwards(known?.progress ?? 0, progress);
  return { stage, progress: percent, ...setFields({ etaSeconds, bytesPerSecond }) };
}
