import { randomUUID } from "node:crypto";
import { createConversion } from "../../domain/jobs/add-jobs.ts";
import type { CanceledJob } from "../../domain/jobs/job-model.ts";
import type { TestDomain } from "./test-domain.ts";

/** Adds ended jobs of an owner, the newest last. */
export async function addEndedJobs(
  domain: TestDomain,
  count: number,
  owner: { deviceId: string; userId: string | null },
): Promise<void> {
  const viewer = { ...owner, tier: "free" as const };
  const { _id: _unused, ...job } = await createConversion(domain, viewer, {
    youtubeUrl: "https://youtu.be/dQw4w9WgXcQ",
    format: "mp3",
  });
  await domain.jobs.deleteMany(owner);
  const jobs = Array.from({ length: count }, (_, n): CanceledJob => {
    const { place: _place, ...rest } = job;
    return { ...rest, _id: randomUUID(), status: "canceled", createdAt: new Date(n), updatedAt: new Date() };
  });
  await domain.jobs.insertMany(jobs);
}
