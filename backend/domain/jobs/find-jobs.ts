/** Where documents become jobs. Beyond this file a job has what its status promises. */
import type { QueryFilter, UpdateQuery } from "mongoose";
import { SENTENCES } from "../../../common/errors.ts";
import { isActive } from "../../../common/job.ts";
import type { Domain } from "../domain.ts";
import type { EndedJob, HeldJob, JobDocument, StoredJob } from "./job-model.ts";

/** Stands in for what a document lacks that each job has. */
const NOTHING = {
  deviceId: "",
  tier: "free",
  sourceUrl: "",
  conversionKey: "",
  format: "mp3",
  quality: "128kbps",
  attempt: 1,
  finalAttempt: 1,
  priority: 0,
  progress: 0,
  title: "",
  createdAt: new Date(0),
  updatedAt: new Date(0),
} satisfies Partial<JobDocument>;
const ALWAYS = Object.keys(NOTHING) as (keyof typeof NOTHING)[];

/** What a job of a status has beside that; see the types of job-model.ts. */
const NEEDS = new Map<string, readonly (keyof JobDocument)[]>(
  Object.entries({
    queued: [],
    pending: [],
    processing: ["stage"],
    completed: ["fileSize", "expiresAt"],
    failed: ["error"],
    canceled: [],
  } satisfies Record<StoredJob["status"], readonly (keyof JobDocument)[]>),
);

/** @returns a field that the document lacks, or "status" if that is none of ours; undefined: it is a job */
function lackOf(document: JobDocument): keyof JobDocument | undefined {
  const needs = NEEDS.get(document.status);
  if (!needs) return "status";
  // The database may hold null for a missing field.
  const isMissing = (field: keyof JobDocument) => document[field] === undefined || document[field] === null;
  return ALWAYS.find(isMissing) ?? needs.find(isMissing);
}

/**
 * @param onLack told of a field that the document lacks
 * @returns the document as a job. One that lacks something reads as a job that failed with an error of ours.
 */
export function parseJob(document: JobDocument, onLack: (field: keyof JobDocument) => void): StoredJob {
  const field = lackOf(document);
  if (field === undefined) return document as StoredJob;
  onLack(field);
  const known = Object.fromEntries(
    Object.entries(document).filter(([, value]) => value !== null && value !== undefined),
  );
  const error = { code: "internal", message: SENTENCES.internal } as const;
  return {
    ...NOTHING,
    ...(known as Partial<JobDocument>),
    _id: document._id,
    userId: document.userId,
    status: "failed",
    error,
  };
}

/** As {@link parseJob}; what is lacking goes to the log. */
function read({ journal }: Domain, document: JobDocument): StoredJob {
  return parseJob(document, (field) => journal.unreadable(document, field));
}

type Filter = QueryFilter<JobDocument>;
type Order = { readonly [Field in keyof JobDocument]?: 1 | -1 };

interface Selection {
  readonly sort?: Order;
  /** 0: none. */
  readonly limit?: number;
}

export async function findJob(
  domain: Domain,
  filter: Filter,
  options: Pick<Selection, "sort"> = {},
): Promise<StoredJob | null> {
  const found = await domain.jobs.findOne(filter, null, options).lean<JobDocument>();
  return found && read(domain, found);
}

export async function findJobs(domain: Domain, filter: Filter, { sort, limit }: Selection = {}): Promise<StoredJob[]> {
  const found = await domain.jobs.find(filter, null, { sort, limit }).lean<JobDocument[]>();
  return found.map((document) => read(domain, document));
}

/** As {@link findJobs}, with so many jobs in memory at a time. */
export async function* eachJob(
  domain: Domain,
  filter: Filter,
  { sort, limit, batchSize }: Selection & { readonly batchSize: number },
): AsyncGenerator<StoredJob> {
  const found = domain.jobs.find(filter, null, { sort, limit }).lean<JobDocument[]>();
  for await (const document of found.cursor({ batchSize }) as AsyncIterable<JobDocument>) yield read(domain, document);
}

interface Change {
  readonly returns?: "after" | "before";
  readonly writeConcern?: { readonly w: number };
}

/** Changes one job. @returns the job as it is then, or was before; null when none matches */
export async function changeJob(
  domain: Domain,
  filter: Filter,
  update: UpdateQuery<JobDocument>,
  { returns: returnDocument = "after", ...options }: Change = {},
): Promise<StoredJob | null> {
  const changed = await domain.jobs
    .findOneAndUpdate(filter, update, { returnDocument, ...options })
    .lean<JobDocument>();
  return changed && read(domain, changed);
}

/** @returns whether a worker holds the job */
export function isHeld(job: StoredJob): job is HeldJob {
  return job.status === "pending" || job.status === "processing";
}

export function isEnded(job: StoredJob): job is EndedJob {
  return !isActive(job.status);
}

/** @returns a filter for completed jobs whose file is there */
export const withFile = (now: Date) => ({
  status: "completed" as const,
  fileKey: { $exists: true },
  isExpired: { $ne: true },
  isGivenUp: { $ne: true },
  expiresAt: { $gt: now },
});
