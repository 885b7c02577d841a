/**
 * A job as it is stored: all that the wire shows, and fields that never leave the server. Documents are read as a union
 * on the status; see find-jobs.ts.
 */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import type { ConversionChoices, Part } from "../../../common/choices.ts";
import type { ConversionErrorCode } from "../../../common/errors.ts";
import type { LinkLasts } from "../../../common/file-link-calls.ts";
import { FINDING_NAMES, type Findings } from "../../../common/findings.ts";
import { JobStatus, Stage } from "../../../common/job.ts";
import type { ChapterMark } from "../../../common/preview-details.ts";
import type { Reason } from "../../../common/reasons.ts";
import type { Receipt } from "../../../common/receipt.ts";
import { Format, Quality, Tier } from "../../../common/tiers.ts";
import type { Call } from "../call.ts";

/** A link to the file of a completed job; see file-links.ts. */
export interface StoredFileLink {
  /** SHA-256 of its key, in hex. */
  hash: string;
  lasts: LinkLasts;
  createdAt: Date;
  endsAt: Date;
  opened: number;
  /** Of the openings. */
  tickets: string[];
}

/** The stored file that a cut is made of. */
export interface CutSource {
  fileKey: string;
  /** What the file is of its video. Absent: the whole. */
  part?: Part;
}

/** A job that joins the files of a batch. */
export interface StoredTape {
  batchId: string;
  /** How many links the batch has. */
  songs: number;
  /** How many of them have not ended. While there are some, the job waits without a ticket. */
  waitsFor?: number;
}

/** What a job has at any time. */
export interface JobFields extends Findings {
  _id: string;
  /** The device that made the job. */
  deviceId: string;
  /** The user that the job belongs to; null when it was made without signing in. */
  userId: string | null;
  /** The tier at creation; only a retry after an upgrade changes it. */
  tier: Tier;
  /** The link in its canonical form. */
  sourceUrl: string;
  /** Equal for requests that the same file answers. */
  conversionKey: string;
  /** The same for the video by its site's id, which other links may lead to; known once it was read, where that is sure. */
  videoKey?: string;
  /** Code of that video, as the block list compares it. */
  video?: string;
  format: Format;
  quality: Quality;
  /** Absent when nothing was chosen beside the format. */
  choices?: ConversionChoices;
  /** Set where the file is cut from a stored one, without its site. */
  cutOf?: CutSource;
  /** Counts starts. Every write of a worker names it, so that a worker that lost the job changes nothing. */
  attempt: number;
  /** The last attempt that is made without a retry by the user. */
  finalAttempt: number;
  /** How often a worker process died, or did not renew its lease, while it held this job. A retry keeps it. */
  workerDeaths?: number;
  priority: number;
  /** The slot that the active job holds in its owner's limit; see active-limit.ts. Stored documents call it `place`. */
  place?: string;
  /**
   * While a job of the free plan is active: a code for the network it was asked from, and the slot it holds in the limit
   * of that network; see network-limit.ts.
   */
  network?: string;
  networkSlot?: string;
  /**
   * When the job was first queued again to wait for the video site or for a newer yt-dlp. A retry by the visitor removes
   * it and the next two fields.
   */
  waitsSince?: Date;
  /** Sum of the waits because the video site refused us, in milliseconds. */
  refusedMs?: number;
  /** How often the job has waited for a newer yt-dlp. */
  toolWaits?: number;
  /** 0 to 100. */
  progress: number;
  title: string;
  durationSeconds?: number;
  /** Of jobs of older versions: the shortfall in English. */
  note?: string;
  batchId?: string;
  /** For jobs chosen from a list: its title, and how many jobs the batch has once all of them are queued. */
  batchTitle?: string;
  batchTotal?: number;
  /** Its position among them, from 0. */
  batchPosition?: number;
  /** Of a tape; see tapes.ts. */
  tape?: StoredTape;
  /** Marks the request that made the job, so that a repeated request makes no second job; see repeated-request.ts. */
  requestKey?: string;
  /** `requestKey` without the device. */
  requestKeyHash?: string;
  requestDigest?: string;
  /** The call that asked for the job, and when: the last retry if there was one. Absent in jobs of older versions. */
  call?: Call & { readonly at: Date };
  /** When the present attempt was queued. Absent in jobs of older versions. */
  queuedAt?: Date;
  /** When a worker first took the job. */
  firstClaimedAt?: Date;
  /** The exit through which the last attempt read the video. */
  exit?: string;
  /** Where the file is stored. Equal requests share one file; it is deleted with the last job that gives it up. */
  fileKey?: string;
  thumbnailKey?: string;
  /** Of a file of sound, for podcast apps. */
  chapters?: readonly ChapterMark[];
  /** Codes of what the job is about, for the block list; see blocks/subjects.ts. Absent in jobs of older versions. */
  subjects?: string[];
  /** When the job ended, as long as the messages to its user's webhooks are not stored; see webhooks/announce-end.ts. */
  announcedAfter?: Date;
  /** When the job's user deleted the account; the record is removed later. */
  deletedAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

interface WaitFields {
  /** While the job waits because the video site asked for it: when it goes on, or is tried again if it is queued. */
  resumesAt?: Date;
}

interface QueueFields extends WaitFields {
  /** Set beside `resumesAt` when the job waits for a newer yt-dlp, because the video site has changed. */
  isCatchingUp?: true;
}

interface LeaseFields extends WaitFields {
  /** The worker that holds the job, and when its lease ends unless it is renewed. */
  workerId?: string;
  leaseExpiresAt?: Date;
  /** Name of the job's file, which may be downloaded already once the job is processing. */
  earlyName?: string;
}

interface ProgressFields {
  stage: Stage;
  etaSeconds?: number;
  bytesPerSecond?: number;
}

interface ResultFields {
  fileSize: number;
  /** When the file's retention ends. */
  expiresAt: Date;
  completedAt?: Date;
  receipt?: Receipt;
  /** The file was made for another job, so the time this job took is not measured. */
  isRepeat?: boolean;
  /** The file's retention has ended: no other job may take the file over from this one. */
  isGivenUp?: boolean;
  /** The retention has ended and the file was deleted, unless another job references it. */
  isExpired?: boolean;
  /** The file was deleted because its video was blocked. */
  isBlocked?: boolean;
  /** Whether the job is in the log of usage. */
  isUsageCounted?: boolean;
  fileLink?: StoredFileLink;
}

interface ErrorFields {
  /** `words` are what the tool said, for operators. */
  error: { code: ConversionErrorCode; message: string; reason?: Reason; words?: string };
}

export type QueuedJob = JobFields & QueueFields & { status: "queued" };
export type PendingJob = JobFields & LeaseFields & { status: "pending" };
export type ProcessingJob = JobFields & LeaseFields & ProgressFields & { status: "processing" };
export type CompletedJob = JobFields & ResultFields & { status: "completed" };
export type FailedJob = JobFields & ErrorFields & { status: "failed" };
export type CanceledJob = JobFields & { status: "canceled" };

/** A completed job that names its file; it does so until its account is deleted. */
export type JobWithFile = CompletedJob & { fileKey: string };
/** A job that a worker holds. */
export type HeldJob = PendingJob | ProcessingJob;
export type EndedJob = CompletedJob | FailedJob | CanceledJob;
export type StoredJob = QueuedJob | HeldJob | EndedJob;

/** What the database holds: the fields of all statuses, none of which it promises. For filters, updates and projections. */
export type JobDocument = JobFields & { status: JobStatus } & QueueFields &
  LeaseFields &
  Partial<ProgressFields & ResultFields & ErrorFields>;

export type JobModel = Model<JobDocument>;

const schema = new Schema<JobDocument>(
  {
    _id: { type: String, required: true },
    deviceId: { type: String, required: true },
    userId: { type: String, default: null },
    tier: { type: String, enum: Tier.options, required: true },
    sourceUrl: { type: String, required: true },
    conversionKey: { type: String, required: true },
    videoKey: String,
    video: String,
    format: { type: String, enum: Format.options, required: true },
    quality: { type: String, enum: Quality.options, required: true },
    choices: Object,
    cutOf: Object,
    status: { type: String, enum: JobStatus.options, required: true },
    attempt: { type: Number, required: true },
    finalAttempt: { type: Number, required: true },
    workerDeaths: Number,
    priority: { type: Number, required: true },
    place: String,
    network: String,
    networkSlot: String,
    resumesAt: Date,
    isCatchingUp: Boolean,
    waitsSince: Date,
    refusedMs: Number,
    toolWaits: Number,
    progress: { type: Number, required: true },
    stage: { type: String, enum: Stage.options },
    etaSeconds: Number,
    bytesPerSecond: Number,
    earlyName: String,
    title: { type: String, required: true },
    durationSeconds: Number,
    note: String,
    // Stored as they were found: nobody but our own code writes them.
    ...Object.fromEntries(FINDING_NAMES.map((name) => [name, Schema.Types.Mixed])),
    error: { type: { code: String, message: String, reason: Object, words: String }, _id: false },
    batchId: String,
    batchTitle: String,
    batchTotal: Number,
    batchPosition: Number,
    tape: { type: { batchId: String, songs: Number, waitsFor: Number }, _id: false },
    requestKey: String,
    requestKeyHash: String,
    requestDigest: String,
    call: { type: { id: String, traceparent: String, at: Date }, _id: false },
    workerId: String,
    leaseExpiresAt: Date,
    queuedAt: Date,
    firstClaimedAt: Date,
    exit: String,
    fileKey: String,
    fileSize: Number,
    thumbnailKey: String,
    chapters: { type: [{ title: String, startSeconds: Number, _id: false }], default: undefined },
    expiresAt: Date,
    completedAt: Date,
    receipt: Object,
    isRepeat: Boolean,
    isGivenUp: Boolean,
    isExpired: Boolean,
    isBlocked: Boolean,
    subjects: { type: [String], default: undefined },
    isUsageCounted: Boolean,
    fileLink: {
      type: { hash: String, lasts: String, createdAt: Date, endsAt: Date, opened: Number, tickets: [String] },
      _id: false,
    },
    announcedAfter: Date,
    deletedAt: Date,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { ...storedIn("jobs"), minimize: false },
);

// A test compares them with the queries: query-indexes.test.ts.
schema.index({ deviceId: 1, createdAt: -1 });
schema.index({ userId: 1, createdAt: -1 });
schema.index({ status: 1, leaseExpiresAt: 1 });
schema.index({ status: 1, updatedAt: 1 });
schema.index({ status: 1, isExpired: 1, expiresAt: 1 });
schema.index({ status: 1, isUsageCounted: 1 });
schema.index({ batchId: 1 });
schema.index({ "tape.batchId": 1 }, { unique: true, sparse: true });
schema.index({ conversionKey: 1, status: 1, expiresAt: -1 });
schema.index({ fileKey: 1 });
schema.index({ thumbnailKey: 1 });
schema.index({ completedAt: 1 });
schema.index({ createdAt: 1 });
schema.index({ requestKey: 1 }, { unique: true, sparse: true });
schema.index({ place: 1 }, { unique: true, sparse: true });
schema.index({ network: 1 }, { sparse: true });
schema.index({ networkSlot: 1 }, { unique: true, sparse: true });
schema.index({ subjects: 1 }, { sparse: true });
schema.index({ announcedAfter: 1 }, { sparse: true });
schema.index({ "fileLink.hash": 1 }, { sparse: true });
schema.index({ deletedAt: 1 });

export const openJobModel = opensModel("Job", schema);
