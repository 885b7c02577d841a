/** A selection of several batches that is converted by worker processes which are killed. */
import { expect, it } from "vitest";
import { TIERS } from "../../common/tiers.ts";
import { openKillableWorkers } from "../dev/testing/killable-workers.ts";
import { signIn } from "../domain/accounts/sign-in.ts";
import { createSelection } from "../domain/jobs/selections.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";

const BATCH = TIERS.pro.batchSize;
const LINKS = 3 * BATCH;

it("converts a selection of three batches, each link once, when its worker is killed twice", async () => {
  await using workers = await openKillableWorkers();
  const { domain, server, linkOf } = workers;
  const email = "pro@example.org";
  const user = await signIn(domain, "a-device", { issuer: "https://issuer", subject: "pro", email });
  await domain.users.updateOne({ _id: user._id }, { $set: { tier: "pro" } });
  const urls = Array.from({ length: LINKS }, (_, index) => linkOf(`part-${index}`));
  const viewer = { deviceId: "a-device", userId: user._id, tier: "pro" } as const;
  // The sound is copied: encoding sixty takes most of the time, and tells nothing of the selection.
  const { batchId, jobs } = await createSelection(domain, viewer, { title: "Rain", urls, format: "original" });
  expect(jobs).toHaveLength(BATCH);

  const countCompleted = () => domain.jobs.countDocuments({ batchId, status: "completed" });
  const released = new Set<string>();
  /** Lets so many links complete. The site holds back all others, so that no worker is done before it is killed. */
  const complete = async (count: number): Promise<void> => {
    await expect
      .poll(async () => {
        const running = await domain.jobs.find({ batchId, status: "processing" }).lean<JobDocument[]>();
        for (const { sourceUrl } of running)
          if (released.size < count && !released.has(sourceUrl)) {
            released.add(sourceUrl);
            server.site.release(sourceUrl);
          }
        return countCompleted();
      })
      .toBe(count);
  };
  for (const count of [1, BATCH + 5]) {
    await workers.startWorker();
    await complete(count);
    await workers.kill();
  }
  for (const url of urls) server.site.release(url);
  await workers.startWorker();
  await expect.poll(countCompleted).toBe(LINKS);

  const stored = await domain.jobs.find({ batchId }).sort({ batchPosition: 1 }).lean<JobDocument[]>();
  expect(stored.map(({ sourceUrl }) => sourceUrl)).toEqual(urls);
  expect(stored.map(({ batchPosition }) => batchPosition)).toEqual(urls.map((_, index) => index));
  expect(await domain.selections.findById(batchId).lean()).toMatchObject({ queued: LINKS, links: [] });
});
