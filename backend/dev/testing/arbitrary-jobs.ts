/** Jobs of every shape, for property tests: stored ones, and what the wire shows of them. */
import * as fc from "fast-check";
import { ConversionErrorCode } from "../../../common/errors.ts";
import { JobStatus, Stage, type Job } from "../../../common/job.ts";
import { Format, Quality, Tier } from "../../../common/tiers.ts";
import type { StoredJob } from "../../domain/jobs/job-model.ts";
import { presentJob } from "../../domain/jobs/present.ts";

const EPOCH_MS = Date.UTC(2026, 0, 1);
const date = fc.integer({ min: 0, max: 60_000 }).map((ms) => new Date(EPOCH_MS + ms));
const perhaps = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** What only the server may know is marked, so that a test finds it wherever it ends up. */
export const SECRET = "internal-secret";
const secret = fc.nat(9).map((n) => `${SECRET}-${n}`);

/** Complete for its status, with every field that a job of another status would have as well. */
export const storedJob: fc.Arbitrary<StoredJob> = fc
  .record({
    deviceId: secret,
    userId: fc.option(secret),
    tier: fc.constantFrom(...Tier.options),
    sourceUrl: secret,
    conversionKey: secret,
    format: fc.constantFrom(...Format.options),
    quality: fc.constantFrom(...Quality.options),
    status: fc.constantFrom(...JobStatus.options),
    attempt: fc.integer({ min: 1, max: 4 }),
    finalAttempt: fc.integer({ min: 1, max: 9 }),
    place: perhaps(secret),
    priority: fc.integer({ min: -1_000, max: 1_000 }),
    progress: fc.integer({ min: 0, max: 100 }),
    stage: fc.constantFrom(...Stage.options),
    etaSeconds: perhaps(fc.nat(1_000)),
    bytesPerSecond: perhaps(fc.nat(1_000_000)),
    title: fc.string({ unit: "grapheme" }),
    durationSeconds: perhaps(fc.integer({ min: 1, max: 7_200 })),
    note: perhaps(fc.string()),
    error: fc.record({ code: fc.constantFrom(...ConversionErrorCode.options), message: fc.string() }),
    batchId: perhaps(fc.uuid()),
    workerId: perhaps(secret),
    leaseExpiresAt: perhaps(date),
    fileKey: perhaps(secret),
    fileSize: fc.integer({ min: 1, max: 500_000_000 }),
    thumbnailKey: perhaps(secret),
    expiresAt: date,
    isExpired: perhaps(fc.boolean()),
    createdAt: date,
    updatedAt: date,
  })
  .chain((fields) => fc.constantFrom("a", "b", "c").map((id) => withoutUndefined({ _id: id, ...fields })));

/** Few ids, attempts and times, so that versions of one job meet often. */
export const wireJob: fc.Arbitrary<Job> = fc.tuple(storedJob, date).map(([job, now]) => presentJob(job, now.getTime()));

function withoutUndefined(fields: object): StoredJob {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as StoredJob;
}
