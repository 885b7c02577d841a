/** A selection of several batches that is converted by worker processes which are killed. */
import { expect, it } from "vitest";
import { openKillableWorkers } from "../dev/testing/killable-workers.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import { createSelection } from "../domain/jobs/selections.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";

const LINKS = 60;

it("converts a selection of 60 as three batches, each link once, when its worker is killed twice", async () => {
  await using workers = await openKillableWorkers();
  const { domain, server } = workers;
  const email = "pro@example.org";
  const user = await signIn(domain, "a-device", { issuer: "https://issuer", subject: "pro", email });
  await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro" } });
  const urls = Array.from({ length: LINKS }, (_, index) => `${server.site.urlOf("rain")}?part=${index}`);
  const viewer = { deviceId: "a-device", userId: user._id, tier: "pro" } as const;
  const { batchId, jobs } = await createSelection(domain, viewer, { title: "Rain", urls, format: "mp3" });
  expect(jobs).toHaveLength(20);

  const countCompleted = () => domain.jobs.countDocuments({ batchId, status: "completed" });
  const patience = { timeout: 120_000, interval: 50 };
  for (const completed of [1, 25]) {
    await workers.startWorker();
    await expect.poll(countCompleted, patience).toBeGreaterThanOrEqual(completed);
    await workers.kill();
  }
  expect(await countCompleted()).toBeLessThan(LINKS);
  await workers.startWorker();
  await expect.poll(countCompleted, patience).toBe(LINKS);

  const stored = await domain.jobs.find({ batchId }).sort({ batchPosition: 1 }).lean<StoredJob[]>();
  expect(stored.map(({ sourceUrl }) => sourceUrl)).toEqual(urls);
  expect(stored.map(({ batchPosition }) => batchPosition)).toEqual(urls.map((_, index) => index));
  expect(await domain.selections.findById(batchId).lean()).toMatchObject({ queued: LINKS, links: [] });
});
