/** Jobs as a request and a worker make them, without a server. */
import type { Domain } from "../../domain/domain.ts";
import type { Viewer } from "../../domain/accounts/viewer.ts";
import { createConversion } from "../../domain/jobs/add-jobs.ts";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import { beginProcessing, claimJob, failJob, finishJob } from "../../domain/jobs/work.ts";

/** Adds a job for an MP3 of the video with this name. */
export function addJob(domain: Domain, viewer: Viewer, name = "a"): Promise<StoredJob> {
  return createConversion(domain, viewer, { youtubeUrl: `https://video.example/${name}`, format: "mp3" });
}

/** @throws Error if the job cannot be completed, for example because it has ended */
export async function completeByWorker(domain: Domain, job: StoredJob): Promise<StoredJob> {
  await claimJob(domain, job._id, "w");
  await beginProcessing(domain, job, { stage: "store", progress: 99 });
  return ended(await finishJob(domain, job, { fileKey: `${job._id}.1.mp3`, fileSize: 1 }, job.tier));
}

/** Fails a job for a reason that no retry helps. @throws Error if the job cannot be failed */
export async function failByWorker(domain: Domain, job: StoredJob): Promise<StoredJob> {
  await claimJob(domain, job._id, "w");
  return ended(await failJob(domain, job, "private"));
}

function ended(job: StoredJob | null): StoredJob {
  if (!job) throw new Error("the job was not as expected");
  return job;
}
