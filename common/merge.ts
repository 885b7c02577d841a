/**
 * Merges versions of jobs. Pushes, snapshots, polls and responses may arrive late, twice or in any
 * order; the merge is commutative, associative and idempotent, so the newest version always wins.
 */
import type { Job, JobStatus } from "./job.ts";

/** Marks a removed job; it is newer than every version of the job. */
export interface Tombstone {
  readonly id: string;
  readonly removed: true;
}
export type JobVersion = Job | Tombstone;

/** Order of the statuses within one attempt. On the server a job reaches only one of the last three. */
const RANK: Readonly<Record<JobStatus, number>> = {
  queued: 0,
  pending: 1,
  processing: 2,
  failed: 3,
  canceled: 4,
  completed: 5,
};

export function isTombstone(version: JobVersion): version is Tombstone {
  return "removed" in version;
}

/** The job as text with sorted keys, so that equal versions give equal text. */
function fingerprint(job: Job): string {
  return JSON.stringify(Object.entries(job).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Above zero when `a` is further than `b`: by attempt, then by status. */
export function compareStatus(a: Job, b: Job): number {
  return a.attempt - b.attempt || RANK[a.status] - RANK[b.status];
}

/**
 * Compares by attempt, status, progress and time of the change. Comparing the text at the end has no
 * meaning of its own but makes the order total.
 * @returns above zero when `a` is newer
 */
export function compareJobs(a: Job, b: Job): number {
  return (
    compareStatus(a, b) ||
    a.progress - b.progress ||
    Date.parse(a.updatedAt) - Date.parse(b.updatedAt) ||
    compareText(fingerprint(a), fingerprint(b))
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** @returns the newer of two versions of one job */
export function mergeVersions(a: JobVersion, b: JobVersion): JobVersion {
  if (isTombstone(a)) return a;
  if (isTombstone(b)) return b;
  return compareJobs(a, b) >= 0 ? a : b;
}

/** All known jobs by id; tombstones stay in it, so that a late event cannot bring a removed job back. */
export type JobTable = ReadonlyMap<string, JobVersion>;

/**
 * Adds one version to a table.
 * @returns the same table when the version changes nothing, so that components do not render again
 */
export function mergeIntoTable(table: JobTable, version: JobVersion): JobTable {
  const known = table.get(version.id);
  if (known) {
    const newest = mergeVersions(known, version);
    if (newest === known || (!isTombstone(newest) && !isTombstone(known) && fingerprint(newest) === fingerprint(known)))
      return table;
  }
  return new Map(table).set(version.id, version);
}

/** All jobs of a viewer at one time of the server's clock. */
export interface Snapshot {
  readonly asOf: string;
  readonly jobs: readonly Job[];
}

/**
 * A job missing from a snapshot was removed, unless it is younger than this: another machine, whose
 * clock may differ, may have created it while the snapshot was read.
 */
export const SNAPSHOT_MARGIN_MS = 10_000;

/** Merges a snapshot into a table and replaces older jobs that are missing from it by tombstones. */
export function mergeSnapshot(table: JobTable, snapshot: Snapshot): JobTable {
  const present = new Set(snapshot.jobs.map((job) => job.id));
  const oldestMissingMs = Date.parse(snapshot.asOf) - SNAPSHOT_MARGIN_MS;
  let merged = table;
  for (const job of snapshot.jobs) merged = mergeIntoTable(merged, job);
  for (const version of table.values()) {
    if (isTombstone(version) || present.has(version.id)) continue;
    if (Date.parse(version.createdAt) < oldestMissingMs)
      merged = mergeIntoTable(merged, { id: version.id, removed: true });
  }
  return merged;
}

/** @returns all jobs that are not removed, newest first */
export function visibleJobs(table: JobTable): Job[] {
  return [...table.values()]
    .filter((version): version is Job => !isTombstone(version))
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || compareText(b.id, a.id));
}
