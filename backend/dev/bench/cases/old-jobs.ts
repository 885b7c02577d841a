/** Jobs of other visitors that fill the database for the measurements with many stored jobs. */
import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { openJobModel, type StoredJob } from "../../../domain/jobs/job-model.ts";

const JOBS_PER_OWNER = 20;
const INSERT_AT_ONCE = 5_000;
const HISTORY_DAYS = 25;
const DAY_MS = 86_400_000;

/** A job that ended within the days of the history; most have a file that has expired. */
function oldJob(index: number, nowMs: number): StoredJob {
  const createdAt = new Date(nowMs - DAY_MS - (index % (HISTORY_DAYS * 24)) * 3_600_000 - index);
  const isCompleted = index % 5 !== 0;
  const link = `https://videos.test/watch?v=${index}`;
  return {
    _id: randomUUID(),
    deviceId: `old-${Math.floor(index / JOBS_PER_OWNER)}`,
    userId: null,
    tier: "free",
    sourceUrl: link,
    conversionKey: `old-${index}`,
    format: "mp3",
    quality: "128kbps",
    status: isCompleted ? "completed" : index % 2 === 0 ? "failed" : "canceled",
    attempt: 1,
    finalAttempt: 3,
    priority: 0,
    progress: isCompleted ? 100 : 40,
    title: `Old clip ${index}`,
    ...(isCompleted && {
      fileKey: `old-${index}.mp3`,
      fileSize: 3_000_000,
      completedAt: createdAt,
      expiresAt: new Date(createdAt.getTime() + 3_600_000),
      isExpired: true,
    }),
    ...(!isCompleted && index % 2 === 0 && { error: { code: "unavailable", message: "This video is not available." } }),
    isUsageCounted: true,
    createdAt,
    updatedAt: createdAt,
  };
}

/**
 * Stores the jobs whose numbers are from `first` to before `end`, with all indexes that the product has. Plain documents
 * are inserted in bulk, because the model's checks would take longer than the database.
 */
export async function storeOldJobs(mongodbUri: string, first: number, end: number): Promise<void> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  try {
    await openJobModel(connection);
    const jobs = connection.collection<StoredJob>("jobs");
    const nowMs = Date.now();
    for (let at = first; at < end; at += INSERT_AT_ONCE) {
      const some = Array.from({ length: Math.min(INSERT_AT_ONCE, end - at) }, (_, index) => oldJob(at + index, nowMs));
      await jobs.insertMany(some, { ordered: false });
    }
  } finally {
    await connection.close();
  }
}
