import { describe, expect, it } from "vitest";
import { addJob, completeByWorker } from "../../dev/testing/stored-jobs.ts";
import { domainForTests, newViewer } from "../../dev/testing/test-domain.ts";
import { cancelOrRemove } from "./end-jobs.ts";
import type { StoredJob } from "./job-model.ts";
import { getFinishedJob, getJob, listJobs } from "./read-jobs.ts";
import { retryJob } from "./retry-jobs.ts";

const domain = domainForTests({ listLength: 3 });

const NOT_FOUND = expect.objectContaining({ code: "not_found" });

describe("a job of another owner", () => {
  it("is answered with not_found and not listed", async () => {
    const owner = newViewer();
    const user = newViewer({ userId: "user-1" });
    const job = await addJob(domain, owner);
    const users = await addJob(domain, user);
    const strangers = [
      newViewer(),
      newViewer({ userId: "user-2" }),
      newViewer({ deviceId: user.deviceId }),
      newViewer({ deviceId: owner.deviceId, userId: "user-3" }),
    ];
    for (const stranger of strangers) {
      for (const { _id } of stranger.deviceId === owner.deviceId || stranger.deviceId === user.deviceId
        ? [users]
        : [job, users]) {
        await expect(getJob(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
        await expect(getFinishedJob(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
        await expect(cancelOrRemove(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
        await expect(retryJob(domain, stranger, _id)).rejects.toThrow(NOT_FOUND);
      }
      expect(await listJobs(domain, stranger)).toEqual([]);
    }
    expect(await domain.stored(job._id)).toEqual(job);
    expect(await domain.stored(users._id)).toEqual(users);
  });

  it("is found by its user on every device", async () => {
    const job = await addJob(domain, newViewer({ userId: "user-1" }));
    expect(await getJob(domain, newViewer({ userId: "user-1" }), job._id)).toEqual(job);
  });
});

describe("listJobs", () => {
  it("returns the newest jobs first, and all active jobs however old", async () => {
    const viewer = newViewer();
    const created: StoredJob[] = [];
    for (let n = 0; n < 6; n += 1) {
      const job = await addJob(domain, viewer, String(n));
      await domain.jobs.updateOne({ _id: job._id }, { $set: { createdAt: new Date(Date.UTC(2026, 0, 1, n)) } });
      created.push(job);
    }
    const [oldestActive, , ...others] = created;
    for (const job of [...others, created[1]]) if (job) await completeByWorker(domain, job);
    const listed = (await listJobs(domain, viewer)).map((job) => job._id);
    expect(listed).toEqual([created[5]?._id, created[4]?._id, created[3]?._id, oldestActive?._id]);
  });
});

describe("getFinishedJob", () => {
  it("returns a completed job until its file expires, and not_found otherwise", async () => {
    const viewer = newViewer();
    const job = await addJob(domain, viewer);
    await expect(getFinishedJob(domain, viewer, job._id)).rejects.toThrow(NOT_FOUND);
    await completeByWorker(domain, job);
    expect(await getFinishedJob(domain, viewer, job._id)).toMatchObject({ fileKey: `${job._id}.1.mp3` });
    await domain.jobs.updateOne({ _id: job._id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    await expect(getFinishedJob(domain, viewer, job._id)).rejects.toThrow(NOT_FOUND);
  });
});
