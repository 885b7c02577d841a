/** Many requests, removals and sweeps at the same time, on a real database and real files. */
import { expect, it } from "vitest";
import { newViewer } from "../dev/testing/test-domain.ts";
import type { StoredJob } from "../domain/jobs/job-model.ts";
import { createConversion } from "../domain/jobs/add-jobs.ts";
import { cancelOrRemove } from "../domain/jobs/end-jobs.ts";
import { expireFiles } from "../domain/jobs/maintenance.ts";
import { keysIn, LINK, openBench, ticketFor } from "../dev/testing/runner-bench.ts";

it("a file that several jobs share exists exactly while a job names it, even with requests, removals and sweeps at the same time", async () => {
  await using bench = await openBench();
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
    const withFile = await domain.jobs.find({ isExpired: { $ne: true } }).lean<StoredJob[]>();
    expect(await keysIn(store)).toEqual([...new Set(withFile.map(({ fileKey }) => String(fileKey)))].sort());
    last = asked;
  }
  // Both cases happened: a file was reused, and a file was just being removed.
  expect(bench.begunCount()).toBeGreaterThan(1);
  expect(bench.begunCount()).toBeLessThan(40);
});
