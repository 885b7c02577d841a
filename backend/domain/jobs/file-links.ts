/**
 * Links that open the file of a job on another device, without an account. A job has one at most, in its own record, so
 * that it goes where the job goes. Only the hash of its key is stored.
 *
 * Each showing of the page behind the link has a ticket. The first request for the file with a ticket is an opening, and
 * counts. Further ones with the same ticket are ranges or repeats of one download, and do not. A link for once has one
 * opening: whoever was first has ten minutes for it, and no other ticket is let in.
 */
import { randomBytes } from "node:crypto";
import { MINUTE_MS } from "../../../common/durations.ts";
import { UserError } from "../../../common/errors.ts";
import type { CreateFileLink, FileLink, LinkLasts } from "../../../common/file-link-calls.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";
import type { Domain } from "../domain.ts";
import { hashSecret } from "../hash-secret.ts";
import { changeJob, findJob } from "./find-jobs.ts";
import type { JobWithFile, StoredFileLink, StoredJob } from "./job-model.ts";
import { hasFile } from "./present.ts";
import { getFinishedJob, getJob } from "./read-jobs.ts";

/** 128 random bits, which nobody can guess; more of them make a denser code, which is harder to scan. */
const KEY_BYTES = 16;
const LINK_MS = 10 * MINUTE_MS;
/** More openings than a visitor's devices and friends need in ten minutes; each one is stored. */
const MAX_OPENINGS: Readonly<Record<LinkLasts, number>> = { once: 1, ten_minutes: 100 };

/** The form of keys and tickets. */
export const LINK_KEY = /^[\w-]{22}$/;

/** @returns a new key or ticket */
export function newLinkKey(): string {
  return randomBytes(KEY_BYTES).toString("base64url");
}

/**
 * Makes a link to the file of the viewer's job. An earlier one stops working.
 * @returns the link with its key, which cannot be read again
 * @throws UserError as getFinishedJob
 */
export async function createFileLink(
  domain: Domain,
  viewer: Viewer,
  id: string,
  { lasts }: CreateFileLink,
): Promise<FileLink & { key: string }> {
  const job = await getFinishedJob(domain, viewer, id);
  const key = newLinkKey();
  const createdAt = new Date();
  const endsAt = lasts === "once" ? job.expiresAt : endOf(job, createdAt);
  const fileLink: StoredFileLink = { hash: hashSecret(key), lasts, createdAt, endsAt, opened: 0, tickets: [] };
  const filter = { _id: id, ...visibleTo(viewer), fileKey: job.fileKey };
  if (!(await changeJob(domain, filter, { $set: { fileLink } }))) throw UserError.because("not_found", "file_gone");
  return { ...presentLink(fileLink), key };
}

/** @returns null when the job has none. @throws UserError not_found */
export async function readFileLink(domain: Domain, viewer: Viewer, id: string): Promise<FileLink | null> {
  const job = await getJob(domain, viewer, id);
  return job.status === "completed" && job.fileLink ? presentLink(job.fileLink) : null;
}

/** Revokes the link of a job, if it has one. @throws UserError not_found */
export async function revokeFileLink(domain: Domain, viewer: Viewer, id: string): Promise<void> {
  const job = await changeJob(domain, { _id: id, ...visibleTo(viewer) }, { $unset: { fileLink: 1 } });
  if (!job) throw new UserError("not_found");
}

/** A job with a file and a link to it. */
export type LinkedJob = JobWithFile & { fileLink: StoredFileLink };

/**
 * @param ticket of a request for the file; without one, the link must have an opening left
 * @returns the job whose file the link opens; null when there is none, or none any more
 */
export async function findLinkedJob(domain: Domain, key: string, ticket?: string): Promise<LinkedJob | null> {
  if (!LINK_KEY.test(key)) return null;
  const job = await findJob(domain, { "fileLink.hash": hashSecret(key) });
  if (!job || !isLinked(job, Date.now()) || domain.blocks.refusalOf(job)) return null;
  const { opened, lasts, tickets } = job.fileLink;
  const isOpen = opened < MAX_OPENINGS[lasts] || (ticket !== undefined && tickets.includes(ticket));
  return isOpen ? job : null;
}

/** Does the same for a request that sends the file, and counts its ticket if it is new. */
export async function openLinkedFile(domain: Domain, key: string, ticket: string): Promise<LinkedJob | null> {
  const job = await findLinkedJob(domain, key, ticket);
  if (!job || job.fileLink.tickets.includes(ticket)) return job;
  const { hash, lasts } = job.fileLink;
  const opened = await changeJob(
    domain,
    {
      _id: job._id,
      "fileLink.hash": hash,
      "fileLink.opened": { $lt: MAX_OPENINGS[lasts] },
      "fileLink.tickets": { $ne: ticket },
    },
    {
      $inc: { "fileLink.opened": 1 },
      $push: { "fileLink.tickets": ticket },
      ...(lasts === "once" ? { $set: { "fileLink.endsAt": endOf(job, new Date()) } } : {}),
    },
  );
  // Another request was faster: with the same ticket, or with another one that has taken the last opening.
  return opened ? job : findLinkedJob(domain, key, ticket);
}

/** Revokes the links of a user, or all, for which it reads all jobs. */
export async function revokeFileLinks({ jobs }: Pick<Domain, "jobs">, ofUser: { userId?: string } = {}): Promise<void> {
  await jobs.updateMany({ ...ofUser, "fileLink.hash": { $exists: true } }, { $unset: { fileLink: 1 } });
}

/** No link lasts longer than its file. */
function endOf({ expiresAt }: JobWithFile, from: Date): Date {
  return new Date(Math.min(from.getTime() + LINK_MS, expiresAt.getTime()));
}

function isLinked(job: StoredJob, nowMs: number): job is LinkedJob {
  return (
    job.status === "completed" &&
    job.fileKey !== undefined &&
    job.isBlocked !== true &&
    hasFile(job, nowMs) &&
    job.fileLink !== undefined &&
    job.fileLink.endsAt.getTime() > nowMs
  );
}

function presentLink({ lasts, createdAt, endsAt, opened }: StoredFileLink): FileLink {
  return { lasts, createdAt: createdAt.toISOString(), endsAt: endsAt.toISOString(), opened };
}
