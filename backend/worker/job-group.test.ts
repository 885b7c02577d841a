import { beforeEach, expect, it } from "vitest";
import { domainForTests, newViewer } from "../dev/testing/test-domain.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { beginProcessing, claimJob, finishJob } from "../domain/jobs/work.ts";
import type { JobContext } from "./job-context.ts";
import { JobGroup } from "./job-group.ts";

const domain = domainForTests();
let group: JobGroup;
let job: StoredJob;
/** What the log and the listener were told. */
let told: string[];
beforeEach(async () => {
  const { _id } = await createConversion(domain, newViewer(), {
    youtubeUrl: "https://video.example/a",
    format: "mp3",
  });
  const claimed = await claimJob(domain, _id, "worker-1");
  if (!claimed) throw new Error("the job was not claimed");
  await beginProcessing(domain, claimed, { stage: "download", progress: 1 });
  told = [];
  const tell = (_: object, text: string): void => void told.push(text);
  const context = { domain, writeIntervalMs: 60_000, log: { debug: tell, info: tell, warn: tell, error: tell } };
  group = new JobGroup(context as unknown as JobContext, {
    onLeave: () => told.push("left"),
    onLeft: () => undefined,
    onEmpty: () => told.push("empty"),
  });
  job = claimed;
  group.add(job);
});

async function finish(): Promise<void> {
  expect(await finishJob(domain, job, { fileKey: "a.mp3", fileSize: 1 }, "free")).not.toBeNull();
}

it("does not take a job for lost whose lease was renewed while it was completed", async () => {
  await group.close();
  group.beginEnding();
  await finish();
  // The conversion has not heard yet that it is completed.
  await group.renewLeases();
  expect(told).toEqual([]);
  expect(group.has(job._id)).toBe(true);
});

it("lets a job go that belongs to another worker", async () => {
  await finish();
  await group.renewLeases();
  expect(told).toEqual(["the job no longer belongs to this worker", "left", "empty"]);
  expect(group.has(job._id)).toBe(false);
});
