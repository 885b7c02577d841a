/**
 * Tapes: one more job of a selection, which joins the files of the others in their order. It waits without a ticket until
 * all of them have ended, and then joins those that are there. The count of those that have not ended is written when one
 * ends in a process with a worker, and by each sweep, so that a crash or a lost event only delays the tape.
 *
 * The songs stay jobs of their own: canceling the tape leaves them alone, and a song that is retried later is not added to
 * a tape that is made.
 */
import { UserError } from "../../../common/errors.ts";
import { isOnTape } from "../../../common/lists.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { audienceOf } from "../accounts/viewer.ts";
import { subjectsOf } from "../blocks/subjects.ts";
import { isDuplicateKeyError, untilKeyIsFree } from "../database/duplicate-key.ts";
import type { Domain } from "../domain.ts";
import {
  ACTIVE,
  freeJobSlots,
  readActiveJobs,
  releaseStaleSlots,
  requireCapacity,
  serializeByOwner,
} from "./active-limit.ts";
import { newJob, priorityOf } from "./add-jobs.ts";
import { fencedBy, moveJob, publishJob, WORK_FIELDS } from "./change.ts";
import { changeJob, findJob, findJobs } from "./find-jobs.ts";
import type { JobWithFile, StoredJob, StoredTape } from "./job-model.ts";
import type { Output } from "./output.ts";
import { hasFile } from "./present.ts";
import type { StoredSelection } from "./selection-model.ts";
import { ticketOf } from "./ticket-of.ts";

/** Longest title of a song that is missing, in UTF-16 code units: all of them stand in one line. */
const MAX_MISSING_TITLE = 80;

/** Waits for its songs. */
const WAITING = { status: "queued", "tape.waitsFor": { $exists: true } } as const;

export async function findTape(domain: Domain, batchId: string): Promise<StoredJob | null> {
  return findJob(domain, { "tape.batchId": batchId });
}

type Wanted = Pick<StoredSelection, "_id" | "title" | "total" | "format" | "choices">;

/** A tape has the album of its songs, and no other choice of theirs. */
function outputOfTape({ format, choices }: Wanted): Output {
  return choices?.album ? { format, choices: { album: choices.album } } : { format };
}

/**
 * Adds the tape of a selection, unless there is one. It holds one of its owner's slots, as any job.
 * @throws UserError rate_limited, unavailable_now
 */
export async function addTape(domain: Domain, viewer: Viewer, selection: Wanted): Promise<void> {
  if (!isOnTape(selection.format)) throw new UserError("bad_request");
  await serializeByOwner(domain, viewer, () => untilKeyIsFree(() => tryToAddTape(domain, viewer, selection)));
}

/** @returns null when another process took the slot, or added the tape, at the same moment: try again */
async function tryToAddTape(domain: Domain, viewer: Viewer, selection: Wanted): Promise<true | null> {
  const { _id: batchId, title, total } = selection;
  if (await findTape(domain, batchId)) return true;
  const active = await readActiveJobs(domain, viewer);
  requireCapacity(domain, viewer, 1, active.count);
  const [place] = freeJobSlots(viewer, active, 1);
  const job = newJob(domain, viewer, {
    ...outputOfTape(selection),
    // No site is asked for it, so it names none.
    sourceUrl: `tape:///${batchId}`,
    priority: priorityOf(viewer, active.count),
    now: new Date(),
  });
  const tape = { ...job, title, subjects: [], tape: { batchId, songs: total, waitsFor: total } };
  if (place !== undefined) tape.place = place;
  try {
    await domain.jobs.insertMany([tape]);
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    if (place !== undefined) await releaseStaleSlots(domain, viewer, [place]);
    return null;
  }
  publishJob(domain, tape);
  domain.journal.moved(tape);
  return true;
}

/** Takes back the tape of a selection of which no job could be added. */
export async function dropTape(domain: Domain, batchId: string): Promise<void> {
  const tape = await findTape(domain, batchId);
  if (!tape) return;
  await domain.jobs.deleteOne({ _id: tape._id, ...WAITING });
  domain.bus.publish("job:removed", { audience: audienceOf(tape), id: tape._id });
}

/** @returns how many jobs of the batch have not ended; those that are still to be added count too */
async function countOpen(domain: Domain, batchId: string): Promise<number> {
  // First, because a link that becomes a job between the two reads must not be missed.
  const selection = await domain.selections
    .findOne({ _id: batchId, endedAt: null }, { total: 1, queued: 1 })
    .lean<Pick<StoredSelection, "total" | "queued">>();
  const active = await domain.jobs.countDocuments({ batchId, status: { $in: ACTIVE } });
  return active + (selection ? selection.total - selection.queued : 0);
}

/**
 * Tells the tape of a batch, if one waits, how many songs have not ended, and queues it when all of them have.
 * @returns whether it is queued now
 */
export async function followSongs(domain: Domain, batchId: string): Promise<boolean> {
  const waiting = await findJob(domain, { "tape.batchId": batchId, ...WAITING });
  if (!waiting?.tape) return false;
  const waitsFor = await countOpen(domain, batchId);
  if (waitsFor > 0 && waitsFor === waiting.tape.waitsFor) return false;
  const change =
    waitsFor > 0 ? { $set: { "tape.waitsFor": waitsFor } } : { $set: {}, $unset: { "tape.waitsFor": 1 } as const };
  const followed = await changeJob(
    domain,
    { _id: waiting._id, attempt: waiting.attempt, ...WAITING },
    { ...change, $set: { ...change.$set, updatedAt: new Date() } },
  );
  if (!followed) return false;
  publishJob(domain, followed);
  // If the process dies before this line, the sweeper finds a queued job without a ticket.
  if (waitsFor === 0) await domain.tickets.enqueue(ticketOf(followed));
  return waitsFor === 0;
}

/**
 * Does so for all tapes that wait: a song may have ended in a process that died, or in one without a worker.
 * @returns how many are queued now
 */
export async function followAllSongs(domain: Domain): Promise<number> {
  const waiting = await domain.jobs.find(WAITING, { tape: 1 }).lean<{ tape: StoredTape }[]>();
  let queued = 0;
  for (const { tape } of waiting) if (await followSongs(domain, tape.batchId)) queued += 1;
  return queued;
}

export interface SongsOfTape {
  /** 0 when the tape can be made. */
  readonly waitsFor: number;
  /** In their order. */
  readonly songs: readonly JobWithFile[];
  /** Titles of the others as one line, which ends with the number of those that were removed; empty when there are none. */
  readonly missing: string;
  /** What the block list knows the tape by: it goes with any of its songs. */
  readonly subjects: string[];
}

/** @param isStored whether the store has the file of a song */
export async function songsOf(
  domain: Domain,
  { batchId, songs: total }: StoredTape,
  isStored: (song: JobWithFile) => Promise<boolean>,
): Promise<SongsOfTape> {
  const waitsFor = await countOpen(domain, batchId);
  const jobs = await findJobs(domain, { batchId }, { sort: { batchPosition: 1 } });
  const songs: JobWithFile[] = [];
  for (const job of jobs) {
    if (job.status !== "completed" || job.fileKey === undefined || !hasFile(job, Date.now())) continue;
    const song = { ...job, fileKey: job.fileKey };
    if (await isStored(song)) songs.push(song);
  }
  const there = new Set(songs.map(({ _id }) => _id));
  return {
    waitsFor,
    songs,
    missing: namesOf(
      jobs.filter(({ _id }) => !there.has(_id)),
      total - jobs.length,
    ),
    subjects: [...new Set(songs.flatMap((song) => song.subjects ?? subjectsOf(song.sourceUrl)))],
  };
}

/** @param unknown how many there are besides, of which nothing is known */
function namesOf(missing: readonly StoredJob[], unknown: number): string {
  const titles = missing.map(({ title }) => {
    const short = title.slice(0, MAX_MISSING_TITLE).toWellFormed();
    return short.length < title.length ? `${short}…` : title;
  });
  return [...titles, ...(unknown > 0 ? [`+${unknown}`] : [])].join(" · ");
}

/**
 * Lets a tape wait again: a song was retried before the tape was.
 * @returns null when the job is no longer the caller's
 */
export async function waitForSongs(domain: Domain, job: StoredJob): Promise<StoredJob | null> {
  const { tape, attempt, finalAttempt } = job;
  if (!tape) throw new TypeError("only a tape waits for songs");
  const waiting = await moveJob(domain, fencedBy(job), "queued", {
    $set: {
      attempt: attempt + 1,
      finalAttempt: finalAttempt + 1,
      progress: 0,
      "tape.waitsFor": tape.songs,
    },
    $unset: WORK_FIELDS,
  });
  if (!waiting) return null;
  await domain.tickets.remove(job._id);
  // The last song may have ended just before.
  await followSongs(domain, tape.batchId);
  return waiting;
}
