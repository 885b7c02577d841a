/** Isolation of a job that kills its worker process each time it runs, among jobs that do not. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openKillableWorkers } from "../dev/testing/killable-workers.ts";
import type { JobDocument } from "../domain/jobs/job-model.ts";

it("runs a job alone after two worker deaths, so that the jobs that ran beside it complete", async () => {
  await using workers = await openKillableWorkers();
  const { server, domain, linkOf, convert } = workers;
  const jobs = new Map<string, string>();
  for (const name of ["killer", "first", "second"]) jobs.set(await convert(name), name);
  const killer = [...jobs.keys()][0] ?? "";
  const findStates = async () =>
    (await domain.jobs.find().lean<JobDocument[]>()).map(({ status, attempt }) => ({ status, attempt }));
  // All three jobs lose their worker twice.
  for (const attempt of [1, 2]) {
    await workers.startWorker();
    await expect.poll(findStates).toEqual(Array.from(jobs, () => ({ status: "processing", attempt })));
    await workers.kill();
  }
  // A job that is created now never shares a process with the killer.
  const late = await convert("late");
  jobs.set(late, "late");

  /** Leaves out jobs that still belong to a dead worker until their leases end. */
  const findRunning = async (): Promise<string[]> => {
    const running = await domain.jobs
      .find({ status: { $in: ["pending", "processing"] }, $or: [{ attempt: 3 }, { _id: late }] })
      .lean<JobDocument[]>();
    return running.map(({ _id }) => _id);
  };
  await workers.startWorker();
  const ended = new Set<string>();
  while (ended.size < 4) {
    let running: string[] = [];
    await expect.poll(async () => (running = await findRunning())).not.toEqual([]);
    expect(running.length === 1 || running.every((id) => id === late)).toBe(true);
    const [id = ""] = running;
    if (id === killer) {
      await workers.kill();
      await workers.startWorker();
    } else server.site.release(linkOf(jobs.get(id) ?? ""));
    await expect
      .poll(async () => (await domain.jobs.findById(id).lean<JobDocument>())?.status)
      .toMatch(/completed|failed/);
    ended.add(id);
  }
  const stored = await domain.jobs.find().lean<JobDocument[]>();
  const outcomes = Object.fromEntries(
    stored.map(({ _id, status, attempt, workerDeaths = 0 }) => [jobs.get(_id), { status, attempt, workerDeaths }]),
  );
  expect(outcomes).toEqual({
    killer: { status: "failed", attempt: 3, workerDeaths: 2 },
    first: { status: "completed", attempt: 3, workerDeaths: 2 },
    second: { status: "completed", attempt: 3, workerDeaths: 2 },
    late: { status: "completed", attempt: 1, workerDeaths: 0 },
  });
});

it("ends every job exactly once when three workers are killed", async () => {
  await using workers = await openKillableWorkers();
  const { server, domain, linkOf, convert } = workers;
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) await convert(name);
  for (let kills = 0; kills < 3; kills += 1) {
    const pid = await workers.startWorker();
    await expect
      .poll(() => domain.jobs.countDocuments({ status: "processing", workerId: { $regex: `:${pid}:` } }))
      .toBeGreaterThan(0);
    await workers.kill();
  }
  for (const name of names) server.site.release(linkOf(name));
  await workers.startWorker();
  await expect.poll(() => domain.jobs.countDocuments({ status: { $in: ["completed", "failed"] } })).toBe(names.length);
  const stored = await domain.jobs.find().lean<JobDocument[]>();
  const completed = stored.filter(({ status }) => status === "completed");
  expect(completed.length).toBeGreaterThan(0);
  expect(stored.filter(({ status, attempt }) => status === "failed" && attempt < 3)).toEqual([]);
  const files = (await readdir(join(server.config.dataDir, "files"))).filter((name) => name.endsWith(".mp3"));
  expect(files.sort()).toEqual(completed.map(({ fileKey }) => String(fileKey)).sort());
});
