/** Cuts a finished file anew: a job whose source is the stored file of another one instead of its site. */
import type { Part } from "../../../common/choices.ts";
import { UserError } from "../../../common/errors.ts";
import { formatTime, toMilliseconds } from "../../../common/times.ts";
import type { Domain } from "../domain.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { subjectsOf } from "../blocks/subjects.ts";
import { addJobs } from "./add-jobs.ts";
import { isCuttable } from "../../../common/cuts.ts";
import type { CutSource, JobWithFile, StoredJob } from "./job-model.ts";
import { keyPartsOf, outputOf, requireTier } from "./output.ts";
import { getFinishedJob } from "./read-jobs.ts";
import { setFields } from "./set-fields.ts";

/** Sites and containers round lengths. */
const ROUNDING_SECONDS = 0.5;

/**
 * @returns a finished job whose file is sound or picture that can be cut
 * @throws UserError what {@link getFinishedJob} throws; bad_request. ConversionError blocked
 */
export async function getCuttableJob(domain: Domain, viewer: Viewer, id: string): Promise<JobWithFile> {
  const job = await getFinishedJob(domain, viewer, id);
  domain.blocks.requireSubjects(job.subjects ?? subjectsOf(job.sourceUrl));
  if (!isCuttable(job))
    throw new UserError("bad_request", "This file cannot be cut again. Convert the part that you want from the link.");
  return job;
}

/**
 * @param part of the whole video, as the choices of a conversion name it
 * @returns the part with the end of the file
 * @throws UserError bad_request when it is not in the file
 */
function partInFile(part: Part, { choices, durationSeconds = Infinity }: JobWithFile): Part {
  const from = choices?.part?.startSeconds ?? 0;
  const to = from + durationSeconds;
  if (part.startSeconds >= from && part.endSeconds <= to + ROUNDING_SECONDS)
    return { ...part, endSeconds: Math.min(part.endSeconds, toMilliseconds(to)) };
  const [first, last] = [from, to].map((seconds) => formatTime(Math.floor(seconds)));
  throw new UserError("bad_request", `This part is not in the file. Choose one between ${first} and ${last}.`);
}

/**
 * Queues a cut of the file of a finished job. It needs no site. A repeated request is answered with the job that it made
 * the first time.
 * @param wanted of the whole video
 * @throws what {@link getCuttableJob} and `addJobs` throw; UserError bad_request, pro_required
 */
export async function cutJob(
  domain: Domain,
  viewer: Viewer,
  id: string,
  wanted: Part,
  requestKey?: string,
): Promise<StoredJob> {
  const of = await getCuttableJob(domain, viewer, id);
  requireTier(viewer, of);
  const part = partInFile(wanted, of);
  const output = outputOf({ format: of.format, choices: { ...of.choices, part } });
  const source: CutSource = { fileKey: of.fileKey, ...setFields({ part: of.choices?.part }) };
  const request =
    requestKey === undefined ? undefined : { key: requestKey, content: ["cut", id, ...keyPartsOf(output)] };
  const [job] = await addJobs(domain, viewer, [of.sourceUrl], output, { request, cut: { of, source, part } });
  if (!job) throw new Error("addJobs returned no job for one cut");
  return job;
}
