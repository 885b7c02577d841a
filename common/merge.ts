/**
 * How versions of jobs meet. Pushes, snapshots, polls and answers may arrive late, twice or in any
 * order; merging them is commutative, associative and idempotent, so the outcome is always the newest.
 */
import type { Job, JobStatus } from "./job.ts";

/** What is left of a job that was removed; no version of the job is newer. */
export interface Tombstone {
  readonly id: string;
  readonly removed: true;
}
export type JobVersion = Job | Tombstone;

/** How far a status is within one attempt. The last three exclude each other on the server. */
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

/** Keys in a fixed order, so that equal versions read equal whoever made them. */
function fingerprint(job: Job): string {
  return JSON.stringify(Object.entries(job).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Above zero when `a` is further than `b`: by attempt, then by status. */
export function compareStatus(a: Job, b: Job): number {
  return a.attempt - b.attempt || RANK[a.status] - RANK[b.status];
}

/**
 * Above zero when `a` is the newer: by attempt, status, progress, then time of the change.
 * The last resort, the text itself, has no meaning but makes the order total.
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

/** The newer of two versions of one job. */
export function mergeVersions(a: JobVersion, b: JobVersion): JobVersion {
  if (isTombstone(a)) return a;
  if (isTombstone(b)) return b;
  return compareJobs(a, b) >= 0 ? a : b;
}

/** Everything known, by job id; tombstones stay so that a late event cannot bring a job back. */
export type JobTable = ReadonlyMap<string, JobVersion>;

/** Returns the table itself when the version brings nothing new, so that nothing re-renders. */
export function mergeIntoTable(table: JobTable, version: JobVersion): JobTable {
  const known = table.get(version.id);
  if (known) {
    const newest = mergeVersions(known, version);
    if (newest === known || (!isTombstone(newest) && !isTombstone(known) && fingerprint(newest) === fingerprint(known)))
      return table;
  }
  return new Map(table).set(version.id, version);
}

/** All jobs of a viewer as they stood at one moment of the server's clock. */
export interface Snapshot {
  readonly asOf: string;
  readonly jobs: readonly Job[];
}

/**
 * A job missing from a snapshot was removed, unless it is younger than this: it may have been
 * written while the snapshot was read, by a machine whose clock is a little off.
 */
export const SNAPSHOT_MARGIN_MS = 10_000;

/** Merges a snapshot and buries what it no longer has. */
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

/** The jobs to show, newest first. */
export function visibleJobs(table: JobTable): Job[] {
  return [...table.values()]
    .filter((version): version is Job => !isTombstone(version))
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || compareText(b.id, a.id));
}
