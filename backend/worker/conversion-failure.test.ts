import { beforeEach, describe, expect, it } from "vitest";
import { ConversionError } from "../../common/errors.ts";
import { besideDomain, domainForTests, newViewer } from "../dev/testing/test-domain.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { claimJob } from "../domain/jobs/work.ts";
import { SiteBusy, SiteRefusal } from "../pipeline/errors/site-refusal.ts";
import { endFailedJob } from "./conversion-failure.ts";
import type { JobContext } from "./job-context.ts";

const domain = domainForTests({ maxAttempts: 2 });
let jobId: string;
beforeEach(async () => {
  const link = { youtubeUrl: "https://video.example/a", format: "mp3" } as const;
  ({ _id: jobId } = await createConversion(domain, newViewer(), link));
});

/** Lets a worker take the job and fail. @returns the job after that */
async function fail(
  error: Error,
  more: Partial<Pick<JobContext, "domain" | "lookForNewerTool">> = {},
): Promise<JobDocument | null> {
  const job = await claimJob(domain, jobId, "worker-1");
  if (!job) throw new Error("the job was not claimed");
  const silent = (): undefined => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  await endFailedJob({ domain, log, ...more } as unknown as JobContext, job, error);
  return domain.stored(jobId);
}

it("queues a job until the site may be asked again, and frees its worker", async () => {
  const untilMs = Date.now() + 60_000;
  const stored = await fail(new SiteBusy(untilMs));
  expect(stored).toMatchObject({ status: "queued", resumesAt: new Date(untilMs), refusedMs: 60_000 });
  expect(stored).not.toHaveProperty("workerId");
});

it("counts no refusal for a job that waits for its turn", async () => {
  expect(await fail(new SiteBusy(Date.now() + 60_000, { isRefusal: false }))).toMatchObject({ refusedMs: 0 });
});

describe("a job that every client is refused", () => {
  const refused = new SiteRefusal("site_blocked", "client", { isTransient: true });

  it("starts twice, although other failures let it start more often", async () => {
    const patient = { domain: besideDomain(domain, { maxAttempts: 5 }) };
    await domain.jobs.updateOne({ _id: jobId }, { finalAttempt: 5 });
    expect(await fail(refused, patient)).toMatchObject({ status: "queued" });
    expect(await fail(refused, patient)).toMatchObject({
      status: "failed",
      attempt: 2,
      error: { code: "site_blocked" },
    });
  });
});

describe("a job whose site has changed", () => {
  const changed = new ConversionError("site_changed", { detail: "n challenge solving failed" });
  beforeEach(async () => {
    const link = { youtubeUrl: "https://youtu.be/dQw4w9WgXcQ", format: "mp3" } as const;
    ({ _id: jobId } = await createConversion(domain, newViewer(), link));
  });

  it("lets a newer tool be looked for at once, and waits for it when its attempts are used up", async () => {
    let looks = 0;
    const lookForNewerTool = (): void => {
      looks += 1;
    };
    expect(await fail(changed, { lookForNewerTool })).not.toHaveProperty("resumesAt");
    expect(looks).toBe(1);
    for (const wait of [1, 2, 3]) {
      const stored = await fail(changed, { lookForNewerTool });
      expect(stored).toMatchObject({ status: "queued", isCatchingUp: true, toolWaits: wait });
      expect(stored?.resumesAt?.getTime()).toBeGreaterThan(Date.now());
      expect(looks).toBe(1 + wait);
    }
    expect(await fail(changed, { lookForNewerTool })).toMatchObject({
      status: "failed",
      error: { code: "site_changed", words: "n challenge solving failed" },
    });
  });

  it("fails after its attempts where the tool is not renewed", async () => {
    expect(await fail(changed)).toMatchObject({ status: "queued" });
    expect(await fail(changed)).toMatchObject({ status: "failed", error: { code: "site_changed" } });
  });

  it("does not wait for a newer tool after another failure", async () => {
    const lookForNewerTool = (): void => expect.fail("nothing to look for");
    await fail(new ConversionError("network"), { lookForNewerTool });
    expect(await fail(new ConversionError("network"), { lookForNewerTool })).toMatchObject({ status: "failed" });
  });
});
