/** A job as it is stored: everything the wire shows and what never leaves the server. */
import { Schema, type Connection, type Model } from "mongoose";
import type { ConversionErrorCode } from "../../../common/errors.ts";
import { JobStatus, Stage } from "../../../common/job.ts";
import { Format, Quality, Tier } from "../../../common/tiers.ts";

export interface StoredJob {
  _id: string;
  /** The device that made the job. */
  deviceId: string;
  /** The user it belongs to, when signed in. */
  userId: string | null;
  /** The tier at creation; it holds for the whole life of the job. */
  tier: Tier;
  /** The link in its canonical form. */
  sourceUrl: string;
  /** Equal for requests that one and the same file answers. */
  conversionKey: string;
  format: Format;
  quality: Quality;
  status: JobStatus;
  /** Counts starts; every write of a worker names it, so one that lost the job changes nothing. */
  attempt: number;
  /** The last attempt that is made without somebody asking for more. */
  finalAttempt: number;
  /**
   * How often a worker process died, or fell silent past the lease, while it held this job. Kept when the job is
   * retried.
   */
  workerDeaths?: number;
  priority: number;
  /** While it is active: which of its owner's places it has; see fair-use.ts. */
  place?: string;
  /** 0 to 100. */
  progress: number;
  stage?: Stage;
  etaSeconds?: number;
  bytesPerSecond?: number;
  title: string;
  durationSeconds?: number;
  note?: string;
  error?: { code: ConversionErrorCode; message: string };
  batchId?: string;
  /**
   * Names the request that made the job, so that the same request sent again makes no other; see repeated-request.ts.
   */
  requestKey?: string;
  requestDigest?: string;
  /** While a worker holds the job: who, and until when unless it says so again. */
  workerId?: string;
  leaseExpiresAt?: Date;
  /** Where the finished file lies. Equal requests share one; it goes when the last of them gives it up. */
  fileKey?: string;
  fileSize?: number;
  thumbnailKey?: string;
  /** When the file stops being available; set on completion. */
  expiresAt?: Date;
  completedAt?: Date;
  /** The file was made for an earlier request; how soon this one was ready says nothing. */
  isRepeat?: boolean;
  /** The file's time is up: nobody takes it over from this job any more. */
  isGivenUp?: boolean;
  /** The same, and as far as this job goes it is deleted. */
  isExpired?: boolean;
  /** Whether the log of usage has it. */
  isUsageCounted?: boolean;
  /** When its user deleted the account; the record waits to be removed. */
  deletedAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

export type JobModel = Model<StoredJob>;

const schema = new Schema<StoredJob>(
  {
    _id: { type: String, required: true },
    deviceId: { type: String, required: true },
    userId: { type: String, default: null },
    tier: { type: String, enum: Tier.options, required: true },
    sourceUrl: { type: String, required: true },
    conversionKey: { type: String, required: true },
    format: { type: String, enum: Format.options, required: true },
    quality: { type: String, enum: Quality.options, required: true },
    status: { type: String, enum: JobStatus.options, required: true },
    attempt: { type: Number, required: true },
    finalAttempt: { type: Number, required: true },
    workerDeaths: Number,
    priority: { type: Number, required: true },
    place: String,
    progress: { type: Number, required: true },
    stage: { type: String, enum: Stage.options },
    etaSeconds: Number,
    bytesPerSecond: Number,
    title: { type: String, required: true },
    durationSeconds: Number,
    note: String,
    error: { type: { code: String, message: String }, _id: false },
    batchId: String,
    requestKey: String,
    requestDigest: String,
    workerId: String,
    leaseExpiresAt: Date,
    fileKey: String,
    fileSize: Number,
    thumbnailKey: String,
    expiresAt: Date,
    completedAt: Date,
    isRepeat: Boolean,
    isGivenUp: Boolean,
    isExpired: Boolean,
    isUsageCounted: Boolean,
    deletedAt: Date,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, collection: "jobs", autoCreate: false, autoIndex: false, minimize: false },
);

// Which look-up each of them serves stands in query-shapes.ts.
schema.index({ deviceId: 1, createdAt: -1 });
schema.index({ userId: 1, createdAt: -1 });
schema.index({ status: 1, leaseExpiresAt: 1 });
schema.index({ status: 1, updatedAt: 1 });
schema.index({ status: 1, isExpired: 1, expiresAt: 1 });
schema.index({ status: 1, isUsageCounted: 1 });
schema.index({ batchId: 1 });
schema.index({ conversionKey: 1, status: 1, expiresAt: -1 });
schema.index({ fileKey: 1 });
schema.index({ thumbnailKey: 1 });
schema.index({ completedAt: 1 });
schema.index({ requestKey: 1 }, { unique: true, sparse: true });
schema.index({ place: 1 }, { unique: true, sparse: true });
schema.index({ deletedAt: 1 });

export async function openJobModel(connection: Connection): Promise<JobModel> {
  const model = connection.model<StoredJob>("Job", schema);
  await model.createIndexes();
  return model;
}
