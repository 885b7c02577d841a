/** Several workers, and many requests, removals and sweeps at the same time, on a real database and real files. */
import { describe, expect, it } from "vitest";
import { domainForTests, newViewer } from "../dev/testing/test-domain.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { cancelOrRemove } from "../domain/jobs/end-jobs.ts";
import { expireFiles } from "../domain/jobs/maintenance.ts";
import { keysIn, LINK, openBench, ticketFor, until } from "../dev/testing/runner-bench.ts";

const ofTest = domainForTests();

describe("two workers with jobs for the same file", () => {
  it("make it once: the second one uses no slot, copies the progress, and reuses the file", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner, store } = bench;
    const second = await bench.openSecond();
    const first = await createConversion(domain, newViewer(), LINK);
    const other = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    await until(domain, other._id, (job) => job.status === "processing");
    bench.progress(42);
    await until(domain, other._id, (job) => job.status === "processing" && job.progress === 42);
    bench.finish();
    await running;
    await until(domain, other._id, (job) => job.status === "completed");
    expect(bench.begunCount()).toBe(1);
    for (const { _id } of [first, other]) {
      const job = await domain.stored(_id);
      expect(job).toMatchObject({ status: "completed", attempt: 1 });
      expect(await store.stat(job?.fileKey ?? "none.1.mp3")).toMatchObject({ sizeBytes: 5 });
    }
    await expect.poll(() => second.runningCount()).toBe(0);
  });

  it("still show the progress to the second one when the job that began it is canceled", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const viewer = newViewer();
    const first = await createConversion(domain, viewer, LINK);
    const joined = await createConversion(domain, newViewer(), LINK);
    const other = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    const joining = runner.handle(ticketFor(joined._id));
    await second.handle(ticketFor(other._id));
    await until(domain, other._id, (job) => job.status === "processing");
    await until(domain, joined._id, (job) => job.status === "processing");
    await cancelOrRemove(domain, viewer, first._id);
    bench.progress(42);
    await until(domain, other._id, (job) => job.status === "processing" && job.progress === 42);
    bench.finish();
    await Promise.all([running, joining]);
    await until(domain, other._id, (job) => job.status === "completed");
    expect(bench.begunCount()).toBe(1);
  });

  it("make it by the second one when the first one dies", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const first = await createConversion(domain, newViewer(), LINK);
    const other = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    await until(domain, other._id, (job) => job.status === "processing");
    await bench.endLeases();
    // The job that waits for the first worker goes back to the queue.
    await until(domain, other._id, (job) => job.status === "queued" && job.attempt === 2);
    const again = second.handle(ticketFor(other._id));
    await expect.poll(() => bench.begunCount()).toBe(2);
    bench.finish();
    await Promise.all([running, again]);
    expect(await domain.stored(other._id)).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("do not wait when the second one has taken over the job of the first one", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const { _id } = await createConversion(domain, newViewer(), LINK);
    const running = runner.handle(ticketFor(_id));
    await bench.begun;
    // As if another worker had reclaimed the job.
    await domain.jobs.updateOne({ _id }, { $set: { status: "queued", attempt: 2 } });
    const again = second.handle(ticketFor(_id));
    await expect.poll(() => bench.begunCount()).toBe(2);
    bench.finish();
    await Promise.all([running, again]);
    expect(await domain.stored(_id)).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("stop waiting when the waiting job is canceled", async () => {
    await using bench = await openBench(ofTest);
    const { domain, runner } = bench;
    const second = await bench.openSecond();
    const viewer = newViewer();
    const first = await createConversion(domain, newViewer(), LINK);
    const other = await createConversion(domain, viewer, LINK);
    const running = runner.handle(ticketFor(first._id));
    await bench.begun;
    await second.handle(ticketFor(other._id));
    await cancelOrRemove(domain, viewer, other._id);
    await expect.poll(() => second.runningCount()).toBe(0);
    expect(await domain.stored(other._id)).toMatchObject({ status: "canceled" });
    bench.finish();
    await running;
  });
});

it("a conversion that waits for the site tells a job that joins late and one that waits for another worker, and ends at once when canceled", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner } = bench;
  const second = await bench.openSecond();
  const viewer = newViewer();
  const first = await createConversion(domain, viewer, LINK);
  const late = await createConversion(domain, viewer, LINK);
  const other = await createConversion(domain, viewer, LINK);
  const running = runner.handle(ticketFor(first._id));
  await bench.begun;
  const resumesAt = new Date(Date.now() + 600_000);
  bench.pause(resumesAt);
  await until(domain, first._id, (job) => job.resumesAt?.getTime() === resumesAt.getTime());
  await runner.handle(ticketFor(late._id));
  await second.handle(ticketFor(other._id));
  for (const { _id } of [late, other])
    await until(domain, _id, (job) => job.resumesAt?.getTime() === resumesAt.getTime());
  await runner.heartbeat();
  bench.pause(null);
  for (const { _id } of [first, late, other]) await until(domain, _id, (job) => job.resumesAt === undefined);
  bench.pause(resumesAt);
  await until(domain, first._id, (job) => job.resumesAt !== undefined);
  for (const { _id } of [other, late, first]) {
    await cancelOrRemove(domain, viewer, _id);
    expect(await domain.stored(_id)).not.toHaveProperty("resumesAt");
  }
  await running;
});

it("a file that several jobs share exists exactly while a job names it, even with requests, removals and sweeps at the same time", async () => {
  await using bench = await openBench(ofTest);
  const { domain, runner, store } = bench;
  const other = await bench.openSecond();
  bench.finish();
  let last = await createConversion(domain, newViewer(), LINK);
  await runner.handle(ticketFor(last._id));
  for (let round = 0; round < 40; round += 1) {
    const asked = await createConversion(domain, newViewer(), LINK);
    const isExpiring = round % 2 === 0;
    const handling = (round % 4 < 2 ? runner : other).handle(ticketFor(asked._id));
    // Each round removes the file at a later step of reusing it.
    for (let n = 0; n < round; n += 2) await domain.jobs.exists({ _id: "unknown" });
    if (isExpiring) {
      await domain.jobs.updateOne({ _id: last._id }, { $set: { expiresAt: new Date(0) } });
      await expireFiles(domain);
    } else await cancelOrRemove(domain, newViewer({ deviceId: last.deviceId }), last._id);
    await handling;
    // A job that found the file being removed is back in the queue.
    if ((await domain.stored(asked._id))?.status === "queued") await runner.handle(ticketFor(asked._id));
    expect(await domain.stored(asked._id)).toMatchObject({ status: "completed" });
    const withFile = await domain.jobs.find({ isExpired: { $ne: true } }).lean<JobDocument[]>();
    expect(await keysIn(store)).toEqual([...new Set(withFile.map(({ fileKey }) => String(fileKey)))].sort());
    last = asked;
  }
  // Both cases happened: a file was reused, and a file was just being removed.
  expect(bench.begunCount()).toBeGreaterThan(1);
  expect(bench.begunCount()).toBeLessThan(40);
});
