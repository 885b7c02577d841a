/**
 * Brings stored data in line with the block list: ends the jobs that an entry is about, and deletes stored copies of a
 * blocked video. One process takes each entry. It does so twice: the second time after all processes have heard of the
 * entry, because one that had not may have started or completed another job meanwhile.
 */
import type { QueryFilter } from "mongoose";
import type { Domain } from "../domain.ts";
import { ACTIVE } from "../jobs/active-limit.ts";
import { moveJob, publishJob, WORK_FIELDS_BUT_ERROR } from "../jobs/change.ts";
import { releaseAfter } from "../jobs/files.ts";
import { changeJob, findJob } from "../jobs/find-jobs.ts";
import type { JobDocument } from "../jobs/job-model.ts";
import { isAboutVideos } from "../../../common/block-kinds.ts";
import { codesOf, refusalBy } from "./block-list.ts";
import type { StoredBlock } from "./block-model.ts";
import { extendBlock, writeLog } from "./change-blocks.ts";

/** Another process takes over when the one that applies an entry has died. */
const LEASE_MS = 60_000;
/** All processes have heard of an entry by then: each looks for changes every half second. */
const SETTLE_MS = 3_000;
const JOBS_IN_MEMORY = 100;

export interface Applied {
  readonly endedJobs: number;
  /** Deleted files and pictures. */
  readonly files: number;
  readonly pictures: number;
}

/** @returns the entries that are due and have not ended */
export async function findDueBlocks(
  { blockRecords }: Pick<Domain, "blockRecords">,
  now: Date = new Date(),
): Promise<StoredBlock[]> {
  const due = await blockRecords.entries
    .find({ state: { $ne: "settled" }, dueAt: { $lte: now } })
    .lean<StoredBlock[]>();
  return due.filter(({ until }) => until === null || until > now);
}

/**
 * Applies entries that were found due. Processes may call it at the same time.
 * @returns how many were applied here
 */
export async function applyBlocks(domain: Domain, due: readonly StoredBlock[]): Promise<number> {
  let count = 0;
  for (const entry of due) if (await takeAndApply(domain, entry)) count += 1;
  return count;
}

/** @returns false when another process has taken the entry, or it was changed */
async function takeAndApply(domain: Domain, { _id, state, dueAt }: StoredBlock): Promise<boolean> {
  const { entries } = domain.blockRecords;
  const leaseEnd = new Date(Date.now() + LEASE_MS);
  const taken = await entries
    .findOneAndUpdate({ _id, state, dueAt }, { $set: { dueAt: leaseEnd } }, { returnDocument: "after" })
    .lean<StoredBlock>();
  if (!taken) return false;
  const entry = await withOtherAddresses(domain, taken);
  const applied = await applyBlock(domain, entry);
  const { kind, value } = entry;
  const isFirst = state === "new";
  if (isFirst || Object.values(applied).some((count) => count > 0))
    await writeLog(domain.blockRecords, { at: new Date(), by: "server", action: "applied", kind, value, ...applied });
  // The lease is part of the condition, because the operator may have changed the entry meanwhile.
  await entries.updateOne(
    { _id, state, dueAt: leaseEnd },
    { $set: isFirst ? { state: "applied", dueAt: new Date(Date.now() + SETTLE_MS) } : { state: "settled" } },
  );
  return true;
}

/** @returns the entry, which holds for the video by any address that jobs know it by */
async function withOtherAddresses(domain: Domain, entry: StoredBlock): Promise<StoredBlock> {
  if (entry.kind !== "video") return entry;
  const known = codesOf(entry);
  const found = await domain.jobs
    .find({ subjects: { $in: known }, video: { $exists: true } }, { _id: 0, video: 1 })
    .lean<{ video: string }[]>();
  const others = [...new Set(found.map(({ video }) => video))].filter((code) => !known.includes(code));
  if (others.length === 0) return entry;
  await extendBlock(domain, entry._id, others);
  return { ...entry, also: [...(entry.also ?? []), ...others] };
}

async function applyBlock(domain: Domain, entry: StoredBlock): Promise<Applied> {
  const jobs = await jobsOf(domain, entry);
  if (!jobs) return { endedJobs: 0, files: 0, pictures: 0 };
  // First, so that no job completes after its copies were looked for.
  const endedJobs = await endJobs(domain, jobs, entry);
  if (!isAboutVideos(entry.kind)) return { endedJobs, files: 0, pictures: 0 };
  return { endedJobs, ...(await purgeCopies(domain, jobs)) };
}

/** @returns which jobs an entry is about; null: none, because jobs store only codes of networks */
async function jobsOf({ users }: Domain, entry: StoredBlock): Promise<QueryFilter<JobDocument> | null> {
  const { kind, value } = entry;
  if (isAboutVideos(kind)) return { subjects: { $in: codesOf(entry) } };
  if (kind === "network") return null;
  if (kind === "device") return { deviceId: value };
  if (!value.includes("@")) return { userId: value };
  const found = await users.find({ email: value, deletedAt: null }, { _id: 1 }).lean<{ _id: string }[]>();
  return { userId: { $in: found.map(({ _id }) => _id) } };
}

async function endJobs(domain: Domain, jobs: QueryFilter<JobDocument>, { kind }: StoredBlock): Promise<number> {
  const { code, message } = refusalBy(kind);
  const active = await domain.jobs.find({ ...jobs, status: { $in: ACTIVE } }, { _id: 1 }).lean<{ _id: string }[]>();
  let ended = 0;
  for (const { _id } of active) {
    const failed = await moveJob(domain, { _id }, "failed", {
      $set: { error: { code, message } },
      $unset: WORK_FIELDS_BUT_ERROR,
    });
    if (!failed) continue;
    ended += 1;
    domain.bus.publish("job:stop", { id: _id, attempt: failed.attempt });
    await domain.tickets.remove(_id);
  }
  return ended;
}

/** Deletes files and pictures. The records of the jobs stay, and say what became of the file. */
async function purgeCopies(
  domain: Domain,
  jobs: QueryFilter<JobDocument>,
): Promise<Pick<Applied, "files" | "pictures">> {
  // Equal requests share one file; it is deleted with the last job, and counted once.
  const keys = { files: new Set<string>(), pictures: new Set<string>() };
  const found = domain.jobs.find(jobs).select({ _id: 1 }).lean<{ _id: string }[]>();
  for await (const { _id } of found.cursor({ batchSize: JOBS_IN_MEMORY }) as AsyncIterable<{ _id: string }>) {
    const { fileKey, thumbnailKey } = await purgeJob(domain, _id);
    if (fileKey !== undefined) keys.files.add(fileKey);
    if (thumbnailKey !== undefined) keys.pictures.add(thumbnailKey);
  }
  return { files: keys.files.size, pictures: keys.pictures.size };
}

/** @returns what the job had until now */
async function purgeJob(domain: Domain, _id: string): Promise<Pick<JobDocument, "fileKey" | "thumbnailKey">> {
  const hasCopies: QueryFilter<JobDocument>[] = [
    { status: "completed", isExpired: { $ne: true } },
    { thumbnailKey: { $exists: true } },
  ];
  const job = await findJob(domain, { _id, $or: hasCopies });
  if (!job) return {};
  const { attempt, status, thumbnailKey } = job;
  const fileKey = job.status === "completed" && job.isExpired !== true ? job.fileKey : undefined;
  const gone = status === "completed" ? { isBlocked: true, isGivenUp: true, isExpired: true } : {};
  const after = await releaseAfter(domain, [fileKey, thumbnailKey], () =>
    changeJob(
      domain,
      { _id, attempt, status },
      { $set: { ...gone, updatedAt: new Date() }, $unset: { thumbnailKey: 1 } },
    ),
  );
  if (!after) return {};
  publishJob(domain, after);
  return { fileKey, thumbnailKey };
}
