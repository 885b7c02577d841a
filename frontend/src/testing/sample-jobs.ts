import { Job } from "../../../common/job.ts";

/**
 * Creates a valid job for tests.
 * @param fields of the wire format; those of a queued MP3 conversion by default
 */
export function makeJob(fields: Partial<Record<string, unknown>> = {}): Job {
  const time = new Date("2026-01-01T12:00:00Z").toISOString();
  return Job.parse({
    id: "one",
    title: "A clip",
    format: "mp3",
    quality: "128kbps",
    status: "queued",
    progress: 0,
    attempt: 1,
    createdAt: time,
    updatedAt: time,
    ...(fields["status"] === "processing" && { stage: "download" }),
    ...(fields["status"] === "failed" && { error: { code: "network", message: "The connection broke." } }),
    ...(fields["status"] === "completed" && { progress: 100, fileSize: 1_000, expiresAt: time }),
    ...fields,
  });
}

/** @returns a job with a file. @param hour of its creation */
export const makeReadyJob = (id: string, hour: number): Job =>
  makeJob({
    id,
    title: `Tape ${id}`,
    status: "completed",
    createdAt: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
    downloadUrl: `/api/conversions/${id}/file`,
    expiresAt: "2099-01-01T00:00:00.000Z",
  });

/** @returns jobs that were canceled, "Clip 0" first, each created a minute after the one before */
export const makeCanceledJobs = (count: number): Job[] =>
  Array.from({ length: count }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    return makeJob({
      id: `clip-${index}`,
      title: `Clip ${index}`,
      status: "canceled",
      createdAt: time,
      updatedAt: time,
    });
  });
