import { expect, it } from "vitest";
import { domainForTests, newViewer } from "../dev/testing/test-domain.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { claimJob } from "../domain/jobs/work.ts";
import { ClaimedJob } from "./claimed-job.ts";

const domain = domainForTests();
const HOUR_MS = 3_600_000;

/** @returns a job with a worker that writes its progress after the test only */
async function claimed(): Promise<ClaimedJob> {
  const { _id } = await createConversion(domain, newViewer(), { youtubeUrl: "https://video.example/a", format: "mp3" });
  const job = await claimJob(domain, _id, "worker-1");
  if (!job) throw new Error("nobody else has claimed the job");
  const fail = (): never => {
    throw new Error("the job is the worker's, and can be written");
  };
  return new ClaimedJob(domain, job, HOUR_MS, { onLost: fail, onError: fail });
}

const published = async () => (await domain.published("job")).map(({ job }) => job);

it("says what it has found with the figures that it pushes, and not with those that were stored", async () => {
  const job = await claimed();
  job.reportProgress({ stage: "download", progress: 0 });
  job.reportProgress({ stage: "download", progress: 4, bytesPerSecond: 22_000 });
  job.saveDetails({ title: "A slow line" });
  await job.close();
  expect((await published()).at(-1)).toMatchObject({ title: "A slow line", progress: 4, bytesPerSecond: 22_000 });
});

it("goes on from a pause with the figures of the last push alone", async () => {
  const job = await claimed();
  job.reportProgress({ stage: "download", progress: 1, etaSeconds: 90 });
  job.reportProgress({ stage: "download", progress: 4, bytesPerSecond: 22_000 });
  job.pause(new Date(Date.now() + HOUR_MS));
  job.pause(null);
  await job.close();
  const last = (await published()).at(-1);
  expect(last).toMatchObject({ progress: 4, bytesPerSecond: 22_000 });
  expect(last).not.toHaveProperty("etaSeconds");
});

it("stores no progress with what is known before it begins", async () => {
  const job = await claimed();
  job.saveDetails({ title: "A slow line" });
  job.reportProgress({ stage: "download", progress: 3 });
  await job.close();
  expect(await published()).toMatchObject([
    { status: "queued" },
    { status: "pending" },
    { status: "pending", title: "A slow line" },
    { status: "processing", progress: 3 },
  ]);
});
