/** One kill -9 of a worker process. The files with "full" in their names have what several deaths lead to. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openKillableWorkers } from "../dev/testing/killable-workers.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";

it("completes the job of a worker that was killed in the next worker, with its second attempt", async () => {
  await using workers = await openKillableWorkers();
  const { server, domain, linkOf } = workers;
  const id = await workers.convert("killed");
  const read = () => domain.jobs.findById(id).lean<JobDocument>();
  await workers.startWorker();
  await expect.poll(read).toMatchObject({ status: "processing", attempt: 1 });
  await workers.kill();
  await workers.startWorker();
  await expect.poll(read).toMatchObject({ status: "processing", attempt: 2, workerDeaths: 1 });
  server.site.release(linkOf("killed"));
  await expect.poll(read).toMatchObject({ status: "completed", attempt: 2 });
  expect(await readdir(join(server.config.dataDir, "files"))).toEqual([`${id}.2.mp3`]);
});
