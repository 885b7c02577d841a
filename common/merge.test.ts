import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireJob } from "../backend/dev/testing/arbitrary-jobs.ts";
import type { Job } from "./job.ts";
import {
  isTombstone,
  mergeIntoTable,
  mergeSnapshot,
  mergeVersions,
  SNAPSHOT_MARGIN_MS,
  visibleJobs,
  type JobTable,
  type JobVersion,
  type Snapshot,
} from "./merge.ts";

const EMPTY: JobTable = new Map();
const version: fc.Arbitrary<JobVersion> = fc.oneof(
  { weight: 9, arbitrary: wireJob },
  { weight: 1, arbitrary: fc.constantFrom("a", "b", "c").map((id) => ({ id, removed: true }) as const) },
);
const sameJob = <T extends JobVersion>(versions: T[]): T[] => versions.map((one) => ({ ...one, id: "a" }));
const three = fc
  .tuple(version, version, version)
  .map((versions) => sameJob(versions) as [JobVersion, JobVersion, JobVersion]);

function tableOf(versions: readonly JobVersion[]): JobTable {
  return versions.reduce(mergeIntoTable, EMPTY);
}
/** The table without its insertion order. */
function contents(table: JobTable): Record<string, JobVersion> {
  return Object.fromEntries(table);
}

describe("merging two versions of a job", () => {
  it("is commutative", () => {
    fc.assert(
      fc.property(three, ([a, b]) => {
        expect(mergeVersions(a, b)).toEqual(mergeVersions(b, a));
      }),
    );
  });

  it("is associative", () => {
    fc.assert(
      fc.property(three, ([a, b, c]) => {
        expect(mergeVersions(mergeVersions(a, b), c)).toEqual(mergeVersions(a, mergeVersions(b, c)));
      }),
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(three, ([a, b]) => {
        expect(mergeVersions(a, a)).toBe(a);
        const merged = mergeVersions(a, b);
        expect(mergeVersions(merged, b)).toEqual(merged);
      }),
    );
  });

  it("returns one of the two versions, never a mixture", () => {
    fc.assert(
      fc.property(three, ([a, b]) => {
        expect([a, b]).toContain(mergeVersions(a, b));
      }),
    );
  });

  it("prefers a tombstone to every version", () => {
    fc.assert(
      fc.property(wireJob, (job) => {
        expect(isTombstone(mergeVersions(job, { id: job.id, removed: true }))).toBe(true);
      }),
    );
  });

  const base = {
    id: "a",
    title: "t",
    format: "mp3",
    quality: "128kbps",
    createdAt: "2026-01-01T00:00:00.000Z",
  } as const;
  const processing = (attempt: number, progress: number, second = 0): Job => ({
    ...base,
    status: "processing",
    stage: "download",
    attempt,
    progress,
    updatedAt: `2026-01-01T00:00:0${second}.000Z`,
  });
  const waiting = (attempt: number, second = 0, status: "queued" | "pending" = "queued"): Job => ({
    ...base,
    status,
    attempt,
    progress: 0,
    updatedAt: `2026-01-01T00:00:0${second}.000Z`,
  });
  const completed = (more: { downloadUrl?: string; durationSeconds?: number } = {}): Job => ({
    ...base,
    status: "completed",
    attempt: 1,
    progress: 100,
    fileSize: 1,
    expiresAt: "2026-01-01T01:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    ...more,
  });
  it.each<[string, Job, Job]>([
    ["a later attempt that has not started yet", waiting(2), processing(1, 90)],
    ["the further status with an earlier time", processing(1, 0, 0), waiting(1, 9)],
    ["a job that is read to one that waits", waiting(1, 0, "pending"), waiting(1, 9)],
    ["a job whose file is made to one that is read", processing(1, 0, 0), waiting(1, 9, "pending")],
    ["the higher progress with an earlier time", processing(1, 51, 0), processing(1, 50, 9)],
    ["the later time at equal progress", processing(1, 50, 2), processing(1, 50, 1)],
    ["a completed job to a late progress update", completed(), processing(1, 99, 9)],
    ["the version without a download link", completed(), completed({ downloadUrl: "/f" })],
    [
      "the version without a download link, with other fields present",
      completed({ durationSeconds: 5 }),
      completed({ downloadUrl: "/f", durationSeconds: 5 }),
    ],
  ])("prefers %s", (_, newer, older) => {
    expect(mergeVersions(older, newer)).toBe(newer);
    expect(mergeVersions(newer, older)).toBe(newer);
  });
});

describe("a table of jobs", () => {
  it("has the same contents for every delivery order, with duplicates", () => {
    const history = fc.array(version, { maxLength: 20 });
    fc.assert(
      fc.property(
        history.chain((versions) =>
          fc.tuple(
            fc.constant(versions),
            fc.shuffledSubarray([...versions, ...versions], { minLength: versions.length * 2 }),
          ),
        ),
        ([versions, shuffled]) => {
          expect(contents(tableOf(shuffled))).toEqual(contents(tableOf(versions)));
        },
      ),
    );
  });

  it("stays the same object when a version changes nothing", () => {
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 10 }), (versions) => {
        const table = tableOf(versions);
        for (const one of versions) expect(mergeIntoTable(table, structuredClone(one))).toBe(table);
      }),
    );
  });

  it("never lowers the progress within an attempt", () => {
    fc.assert(
      fc.property(fc.array(wireJob, { maxLength: 30 }), (deliveries) => {
        let table = EMPTY;
        for (const job of sameJob(deliveries)) {
          const before = table.get("a");
          table = mergeIntoTable(table, job);
          const after = table.get("a");
          if (!before || !after || isTombstone(before) || isTombstone(after)) continue;
          const isSameBar = after.attempt === before.attempt && after.status === before.status;
          expect(after.attempt).toBeGreaterThanOrEqual(before.attempt);
          expect(after.progress).toBeGreaterThanOrEqual(isSameBar ? before.progress : 0);
        }
      }),
    );
  });

  it("never brings a removed job back", () => {
    fc.assert(
      fc.property(fc.array(wireJob, { maxLength: 20 }), fc.nat(20), (deliveries, at) => {
        const jobs = sameJob(deliveries);
        const table = tableOf([...jobs.slice(0, at), { id: "a", removed: true }, ...jobs.slice(at)]);
        expect(visibleJobs(table)).toEqual([]);
      }),
    );
  });

  it("does not change the table passed in", () => {
    fc.assert(
      fc.property(fc.array(version, { maxLength: 10 }), version, (versions, next) => {
        const table = tableOf(versions);
        const before = contents(table);
        mergeIntoTable(table, next);
        expect(contents(table)).toEqual(before);
      }),
    );
  });

  it("lists each job once, newest first", () => {
    fc.assert(
      fc.property(fc.array(version, { maxLength: 20 }), (versions) => {
        const shown = visibleJobs(tableOf(versions));
        expect(new Set(shown.map((job) => job.id)).size).toBe(shown.length);
        const times = shown.map((job) => Date.parse(job.createdAt));
        expect(times).toEqual(times.toSorted((a, b) => b - a));
      }),
    );
  });
});

describe("a snapshot", () => {
  const asOfMs = Date.UTC(2026, 0, 1, 12);
  const at = (ageMs: number, id = "a"): Job => ({
    id,
    title: "t",
    format: "mp3",
    quality: "128kbps",
    status: "queued",
    progress: 0,
    attempt: 1,
    createdAt: new Date(asOfMs - ageMs).toISOString(),
    updatedAt: new Date(asOfMs - ageMs).toISOString(),
  });
  const snapshot = (...jobs: Job[]): Snapshot => ({ asOf: new Date(asOfMs).toISOString(), jobs });

  it.each([
    ["just older than the margin is removed", SNAPSHOT_MARGIN_MS + 1, 0],
    ["exactly as old as the margin stays", SNAPSHOT_MARGIN_MS, 1],
    ["younger than the margin stays", SNAPSHOT_MARGIN_MS - 1, 1],
    ["created after the snapshot stays", -5, 1],
  ])("does not contain a job: one %s", (_, ageMs, left) => {
    expect(visibleJobs(mergeSnapshot(tableOf([at(ageMs)]), snapshot()))).toHaveLength(left);
  });

  it("removes missing jobs permanently", () => {
    const old = at(SNAPSHOT_MARGIN_MS * 2);
    const table = mergeSnapshot(tableOf([old]), snapshot());
    expect(visibleJobs(mergeIntoTable(table, { ...old, attempt: 9 }))).toEqual([]);
  });

  it("keeps a known version that is newer than the snapshot's", () => {
    const known: Job = { ...at(60_000), status: "processing", stage: "download", progress: 40 };
    expect(visibleJobs(mergeSnapshot(tableOf([known]), snapshot(at(60_000))))).toEqual([known]);
  });

  it("does not bring back a job that was removed before it arrived", () => {
    const table = tableOf([{ id: "a", removed: true }]);
    expect(visibleJobs(mergeSnapshot(table, snapshot(at(60_000))))).toEqual([]);
  });

  it("leaves the same table object when it changes nothing", () => {
    const jobs = [at(60_000, "a"), at(30_000, "b")];
    const table = tableOf(jobs);
    expect(mergeSnapshot(table, snapshot(...structuredClone(jobs)))).toBe(table);
  });

  it("gives the same result before and after pushes", () => {
    const jobs = fc.array(wireJob, { maxLength: 6 });
    const snapshotOf = jobs.map((some): Snapshot => ({
      asOf: new Date(asOfMs).toISOString(),
      jobs: [...new Map(some.map((job) => [job.id, job])).values()],
    }));
    fc.assert(
      fc.property(jobs, snapshotOf, (pushed, taken) => {
        // Only jobs in the snapshot: for a missing job the result depends on the margin.
        const ids = new Set(taken.jobs.map((job) => job.id));
        const pushes = pushed.filter((job) => ids.has(job.id));
        const before = mergeSnapshot(tableOf(pushes), taken);
        const after = pushes.reduce(mergeIntoTable, mergeSnapshot(EMPTY, taken));
        expect(contents(before)).toEqual(contents(after));
        expect(contents(mergeSnapshot(before, taken))).toEqual(contents(before));
      }),
    );
  });
});
