import { expect, it } from "vitest";
import { newViewer, openTestDomain } from "../dev/testing/test-domain.ts";
import { createConversion } from "../domain/jobs/requests.ts";
import { claimJob } from "../domain/jobs/work.ts";
import { SiteBusy } from "../pipeline/errors/site-refusal.ts";
import { endFailedJob } from "./conversion-failure.ts";
import type { JobContext } from "./job-context.ts";

it("queues a job until the site may be asked again, and frees its worker", async () => {
  const domain = await openTestDomain();
  try {
    const link = { youtubeUrl: "https://video.example/a", format: "mp3" } as const;
    const { _id } = await createConversion(domain, newViewer(), link);
    const job = await claimJob(domain, _id, "worker-1");
    if (!job) throw new Error("the job was not claimed");
    const silent = (): undefined => undefined;
    const log = { debug: silent, info: silent, warn: silent, error: silent };
    const untilMs = Date.now() + 60_000;
    await endFailedJob({ domain, log } as unknown as JobContext, job, new SiteBusy(untilMs));
    const stored = await domain.stored(_id);
    expect(stored).toMatchObject({ status: "queued", resumesAt: new Date(untilMs) });
    expect(stored).not.toHaveProperty("workerId");
  } finally {
    await domain.close();
  }
});
