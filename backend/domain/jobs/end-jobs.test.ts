import { describe, expect, it } from "vitest";
import { addJob, completeByWorker } from "../../dev/testing/stored-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import { beginProcessing, claimJob } from "./work.ts";

const domain = domainForTests();

const NOT_FOUND = expect.objectContaining({ code: "not_found" });

describe("cancelOrRemove", () => {
  it.each(["queued", "pending", "processing"] as const)(
    "cancels a %s job with its ticket and its worker, and keeps the record",
    async (status) => {
      const viewer = newViewer();
      const job = await addJob(domain, viewer);
      if (status !== "queued") await claimJob(domain, job._id, "w");
      if (status === "processing") await beginProcessing(domain, job, { stage: "download", progress: 30 });
      expect(await cancelOrRemove(domain, viewer, job._id)).toMatchObject({ status: "canceled" });
      expect(domain.waiting).toEqual([]);
      expect(await domain.published("job:stop")).toEqual([{ id: job._id, attempt: job.attempt }]);
      expect(await domain.stored(job._id)).not.toHaveProperty("workerId");
    },
  );

  it("removes an ended job with its file and thumbnail", async () => {
    const viewer = newViewer();
    const job = await addJob(domain, viewer);
    await completeByWorker(domain, job);
    await domain.jobs.updateOne({ _id: job._id }, { $set: { thumbnailKey: "p.1.jpg" } });
    expect(await cancelOrRemove(domain, viewer, job._id)).toBeNull();
    expect(await domain.stored(job._id)).toBeNull();
    expect(domain.removedFiles).toEqual([`${job._id}.1.mp3`, "p.1.jpg"]);
    expect(await domain.published("job:removed")).toEqual([{ audience: { deviceId: viewer.deviceId }, id: job._id }]);
    await expect(cancelOrRemove(domain, viewer, job._id)).rejects.toThrow(NOT_FOUND);
  });
});
