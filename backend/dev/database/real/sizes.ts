/** What stored jobs take, and how fast a visitor's list is read among them, on a database that knows its sizes. */
import { randomBytes, randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../common/durations.ts";
import { subjectsOf } from "../../../domain/blocks/subjects.ts";
import { openJobModel, type CompletedJob, type JobModel } from "../../../domain/jobs/job-model.ts";
import { percentile } from "../../measure/percentile.ts";
import { databaseUri } from "../embedded-database.ts";

const JOBS_PER_VISITOR = 20;
const INSERT_AT_ONCE = 5_000;
const READS = 200;
/** Records are kept for 30 days after the file. */
const HISTORY_MS = 25 * DAY_MS;

/** As the keys of a request are. */
const newKey = (): string => randomBytes(32).toString("base64url");

/** A job of a visitor without an account, as it is stored once its file has expired. */
function oldJob(index: number, total: number): CompletedJob {
  const id = randomUUID();
  const createdAt = new Date(Date.now() - DAY_MS - Math.floor((index / total) * HISTORY_MS));
  const later = (ms: number) => new Date(createdAt.getTime() + ms);
  const sourceUrl = `https://www.youtube.com/watch?v=${index.toString(36).padStart(11, "0")}`;
  const visitor = Math.floor(index / JOBS_PER_VISITOR);
  return {
    _id: id,
    deviceId: `${visitor.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
    userId: null,
    tier: "free",
    sourceUrl,
    conversionKey: randomBytes(32).toString("hex"),
    format: "mp3",
    quality: "128kbps",
    status: "completed",
    attempt: 1,
    finalAttempt: 3,
    priority: 0,
    progress: 100,
    title: `A title of usual length for a video (Official Music Video) ${index}`,
    durationSeconds: 240,
    requestKey: newKey(),
    requestKeyHash: newKey(),
    requestDigest: newKey(),
    call: { id: randomUUID(), traceparent: `00-${id.replaceAll("-", "")}-0000000000000000-01`, at: createdAt },
    queuedAt: createdAt,
    firstClaimedAt: later(100),
    exit: "direct",
    fileKey: `${id}.1.mp3`,
    fileSize: 3_840_000,
    thumbnailKey: `${id}.1.jpg`,
    subjects: subjectsOf(sourceUrl),
    expiresAt: later(HOUR_MS),
    completedAt: later(6_000),
    isGivenUp: true,
    isExpired: true,
    isUsageCounted: true,
    createdAt,
    updatedAt: later(HOUR_MS + MINUTE_MS),
  };
}

/** Stores more and more jobs and prints a line about each number of them. @param counts ascending */
export async function measureSizes(
  uri: string,
  counts: readonly number[],
  report: (line: string) => void,
): Promise<void> {
  const connection = await mongoose.createConnection(databaseUri(uri, "sizes")).asPromise();
  try {
    const jobs = await openJobModel(connection);
    // Plain documents, because the model's checks would take longer than the database.
    const documents = connection.collection<CompletedJob>("jobs");
    let stored = 0;
    for (const count of counts) {
      const startedAtMs = performance.now();
      for (; stored < count; stored += INSERT_AT_ONCE) {
        const length = Math.min(INSERT_AT_ONCE, count - stored);
        await documents.insertMany(
          Array.from({ length }, (_, at) => oldJob(stored + at, count)),
          { ordered: false },
        );
      }
      stored = count;
      const seconds = (performance.now() - startedAtMs) / 1_000;
      report(`${count} jobs, stored in ${seconds.toFixed(0)} s: ${await describe(jobs)}`);
    }
  } finally {
    await connection.close();
  }
}

async function describe(jobs: JobModel): Promise<string> {
  const [stats] = await jobs.aggregate<{
    storageStats: { count: number; size: number; storageSize: number; totalIndexSize: number };
  }>([{ $collStats: { storageStats: {} } }]);
  if (!stats) throw new Error("this database does not tell its sizes");
  const { count, size, storageSize, totalIndexSize } = stats.storageStats;
  const each = (bytes: number) => `${(bytes / count).toFixed(0)} bytes`;
  const listMs: number[] = [];
  const owner = await jobs.findOne({}, { deviceId: 1 }).lean();
  for (let read = 0; read < READS; read += 1) {
    const startedAtMs = performance.now();
    await jobs.find({ deviceId: owner?.deviceId, deletedAt: null }).sort({ createdAt: -1 }).limit(100).lean();
    listMs.push(performance.now() - startedAtMs);
  }
  return (
    `a document ${each(size)}, ${each(storageSize)} on the disk, its indexes ${each(totalIndexSize)}; ` +
    `a list of ${JOBS_PER_VISITOR}: p50 ${percentile(listMs, 50).toFixed(1)} ms, p99 ${percentile(listMs, 99).toFixed(1)} ms`
  );
}
