/** Why a conversion ends without a file, and what then happens to its jobs. */
import { ConversionError } from "../../common/errors.ts";
import type { Domain } from "../domain/domain.ts";
import { logFieldsOf } from "../domain/jobs/job-journal.ts";
import type { HeldJob } from "../domain/jobs/job-model.ts";
import { failJob, handBack, recordDeath, startOver, waitForSite, waitForTool } from "../domain/jobs/work.ts";
import { waitForSongs } from "../domain/jobs/tapes.ts";
import { SiteBusy, SiteRefusal } from "../pipeline/errors/site-refusal.ts";
import type { JobContext } from "./job-context.ts";

/** All jobs were canceled or lost. */
export class NoJobsLeft extends Error {}

/** The worker stops in order. */
export class WorkerStopping extends Error {}

/** The process has to end after an uncaught error, which one of its jobs may have caused. */
export class WorkerCrashing extends Error {}

/** The file of another worker cannot be used, because that worker died or failed, or because the file was removed. */
export class OtherFileUnavailable extends Error {}

/** A tape was taken up while a song of it was queued again. */
export class SongsNotEnded extends Error {}

/** Requeues or fails a job whose conversion ended with an error. Never rejects: if the write fails, the lease ends. */
export async function endFailedJob(context: JobContext, job: HeldJob, error: unknown): Promise<void> {
  const { domain, log } = context;
  const about = logFieldsOf(job);
  try {
    if (error instanceof WorkerStopping || error instanceof OtherFileUnavailable) await handBack(domain, job);
    else if (error instanceof SongsNotEnded) await waitForSongs(domain, job);
    else if (error instanceof WorkerCrashing) await recordDeath(domain, job);
    else if (error instanceof SiteBusy) {
      log.info({ ...about, untilMs: error.untilMs, detail: error.detail }, "a conversion waits for the video site");
      domain.journal.failing(job, "busy");
      await waitForSite(domain, job, error.untilMs, error.isRefusal);
    } else if (!(error instanceof ConversionError)) {
      log.error({ ...about, error }, "a conversion failed unexpectedly");
      domain.journal.failing(job, "internal");
      // The cause is the database or the disk rather than the video, so another attempt may succeed.
      await startOver(domain, job, "internal");
    } else {
      log.info({ ...about, code: error.code, detail: error.detail, cause: error.cause }, "a conversion failed");
      domain.journal.failing(job, error.code);
      await endAfter(context, job, error);
    }
  } catch (failure) {
    // The database does not answer. The job starts over when its lease has ended.
    log.error({ ...about, error: failure }, "could not write the end of a failed conversion");
  } finally {
    domain.journal.left(job);
  }
}

/** Each start asks every client, so a third one would be told the same. */
const MOST_STARTS_WHEN_REFUSED = 2;

/** @returns how often the job may start again after the error */
function startsLeft({ limits }: Domain, { attempt, finalAttempt }: HeldJob, error: ConversionError): number {
  const left = finalAttempt - attempt;
  const starts = limits.maxAttempts - left;
  const isRefused = error instanceof SiteRefusal && error.refuses === "client";
  return isRefused ? Math.min(left, MOST_STARTS_WHEN_REFUSED - starts) : left;
}

async function endAfter({ domain, lookForNewerTool }: JobContext, job: HeldJob, error: ConversionError): Promise<void> {
  const details = { message: error.message, reason: error.reason, words: error.detail };
  const isToolTooOld = error.code === "site_changed" && lookForNewerTool !== undefined;
  if (isToolTooOld) lookForNewerTool();
  // The first attempts follow at once: the site may have failed for a moment only.
  const isLast = startsLeft(domain, job, error) <= 0;
  if (isToolTooOld && isLast) await waitForTool(domain, job, details);
  else if (error.isTransient && !isLast) await startOver(domain, job, error.code, details);
  else await failJob(domain, job, error.code, details);
}
