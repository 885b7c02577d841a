/**
 * Selections: what was chosen from a list, up to thousands of links. They become jobs of one batch, at first as many as
 * the plan has in a batch, and more whenever few of them are left, without another call. So the queue holds few jobs of
 * one owner, and a crash loses none of the links.
 */
import { randomUUID } from "node:crypto";
import type { RefusedLine } from "../../../common/api.ts";
import { UserError } from "../../../common/errors.ts";
import type { CreateSelection } from "../../../common/lists.ts";
import { TIERS } from "../../../common/tiers.ts";
import { untilFound } from "../../../common/waiting.ts";
import { findOwner } from "../accounts/owner.ts";
import { visibleTo, type Viewer } from "../accounts/viewer.ts";
import { untilKeyIsFree } from "../database/duplicate-key.ts";
import { insertInSlot } from "../database/numbered-slots.ts";
import type { Domain } from "../domain.ts";
import { RateLimitedError } from "../rate-limited-error.ts";
import { ACTIVE, readActiveJobs, requireCapacity } from "./active-limit.ts";
import { checkLines, requireBatches, requireSomeLink } from "./batches.ts";
import { findJobs } from "./find-jobs.ts";
import type { StoredJob } from "./job-model.ts";
import { canonicalEntry } from "./link-policy.ts";
import { requestMark } from "./repeated-request.ts";
import { addJobs } from "./add-jobs.ts";
import { cancelJob } from "./end-jobs.ts";
import { keyPartsOf, outputOf, requireQuality, requireTier } from "./output.ts";
import { endOfSelection, endSelection, lowerTotal } from "./selection-end.ts";
import type { StoredSelection } from "./selection-model.ts";
import { addTape, dropTape, findTape } from "./tapes.ts";

/** More links are queued when fewer jobs of the selection than these are active: half a batch. */
export const REFILL_AT = Math.floor(TIERS.pro.batchSize / 2);

const SPARE_SLOTS = 10;

/** @returns how many slots of an owner refilling leaves free, so that a user can convert something else meanwhile */
export const spareOf = (slots: number): number => Math.min(SPARE_SLOTS, slots - 1);

/** Fifty thousand links of one user are enough. */
export const MAX_OPEN_SELECTIONS = 10;

/** Much longer than adding a batch takes. After a crash the selection waits for so long. */
const FEED_MS = 30_000;

/** How often a request looks whether an equal one, or a sweep, has queued the first links. */
const LOOK_MS = 50;

/** A sweep goes on with the selections that have waited longest. */
const SELECTIONS_PER_SWEEP = 200;

/** When to ask again. A guess: an open selection may end at any moment. */
const RETRY_AFTER_SECONDS = 60;

/** Its links are read on their own, because there may be thousands. */
type Selection = Omit<StoredSelection, "links">;
const WITHOUT_LINKS = { links: 0 } as const;

export interface CreatedSelection {
  readonly batchId: string;
  /** Accepted links. */
  readonly total: number;
  /** Of the first batch. */
  readonly jobs: StoredJob[];
  /** Undefined also when it was removed since. */
  readonly tape: StoredJob | undefined;
  readonly refused: RefusedLine[];
}

/**
 * Keeps the links and queues the first of them. A repeated request is answered with the selection of the first one.
 * @param requestKey the browser's name for this request
 * @throws UserError access_blocked; pro_required; invalid_link when no link is accepted; rate_limited; queue_full;
 *   conflict when the key was used for a different request
 */
export async function createSelection(
  domain: Domain,
  viewer: Viewer,
  input: CreateSelection,
  requestKey?: string,
): Promise<CreatedSelection> {
  domain.blocks.requireViewer(viewer);
  const batchSize = requireBatches(viewer);
  requireQuality(viewer, input);
  const { links, lines, refused } = checkLines(domain, input.urls, (link, hosts) => [
    canonicalEntry(link.trim(), hosts),
  ]);
  requireSomeLink(links);
  if (input.asOneFile && links.length > batchSize)
    throw new UserError("bad_request", `A tape has room for ${batchSize} songs. Choose fewer, or convert them apart.`);
  const { tracks } = input;
  const accepted = { ...input, urls: links, tracks: tracks && lines.flatMap((line) => tracks[line] ?? []) };
  const mark = requestKey === undefined ? {} : markOf(viewer, requestKey, accepted);
  const selection = await untilKeyIsFree(
    // The same request may arrive twice at the same moment.
    async () => (await findRepeatedSelection(domain, viewer, mark)) ?? (await keep(domain, viewer, accepted, mark)),
  );
  // A repeated request goes on where the first one was interrupted.
  if (selection.queued === 0 && !(await queueFirst(domain, selection)))
    return createSelection(domain, viewer, input, requestKey);
  const ofBatch = { batchId: selection._id, ...visibleTo(viewer) };
  const jobs = await findJobs(domain, ofBatch, { sort: { createdAt: 1 }, limit: batchSize });
  const tape = input.asOneFile ? await findTape(domain, selection._id) : null;
  return { batchId: selection._id, total: selection.total, jobs, tape: tape ?? undefined, refused };
}

type Mark = Pick<StoredSelection, "requestKey" | "requestDigest">;

function markOf(viewer: Viewer, key: string, input: CreateSelection): Mark {
  const { title, urls, tracks, asOneFile } = input;
  // Without tracks and a tape the content is that of older versions.
  const more = [...(tracks ? [tracks] : []), ...(asOneFile ? ["tape"] : [])];
  const content = ["selection", title, urls, ...keyPartsOf(outputOf(input)), ...more];
  const { requestKey, requestDigest } = requestMark(viewer, { key, content }, 0);
  return { requestKey, requestDigest };
}

/** @throws UserError conflict when the key was used for a different request */
async function findRepeatedSelection(domain: Domain, { userId }: Viewer, mark: Mark): Promise<Selection | null> {
  if (mark.requestKey === undefined) return null;
  const found = await domain.selections.findOne({ requestKey: mark.requestKey }, WITHOUT_LINKS).lean<Selection>();
  if (found && (found.userId !== userId || found.requestDigest !== mark.requestDigest))
    throw new UserError("conflict", "This request was sent before with other content. Reload the page and try again.");
  return found;
}

/** @returns null when another selection took the slot or the request key at the same moment */
async function keep(
  domain: Domain,
  viewer: Viewer,
  { title, urls: links, tracks, asOneFile, ...output }: CreateSelection,
  mark: Mark,
): Promise<Selection | null> {
  const { deviceId, userId, call } = viewer;
  if (userId === null) throw new UserError("sign_in_required");
  const now = new Date();
  const selection: StoredSelection = {
    _id: randomUUID(),
    deviceId,
    userId,
    title,
    links,
    total: links.length,
    queued: 0,
    ...outputOf(output),
    feedsUntil: now,
    endedAt: null,
    ...mark,
    // Left out when there is none: the database would store it as null.
    ...(call === undefined ? {} : { call }),
    ...(tracks === undefined ? {} : { tracks }),
    ...(asOneFile === true ? { asOneFile } : {}),
    createdAt: now,
  };
  return insertInSlot(domain.selections, selection, {
    most: MAX_OPEN_SELECTIONS,
    counted: { endedAt: null },
    refusal: () =>
      new RateLimitedError(
        `${MAX_OPEN_SELECTIONS} of your selections are not queued as a whole yet. Wait until one is.`,
        RETRY_AFTER_SECONDS,
      ),
  });
}

/**
 * Queues the first links, or waits while an equal request or a sweep does.
 * @returns false when the equal request was refused, and has not kept the selection
 * @throws RateLimitedError when no job can be queued now; then the selection is not kept
 */
async function queueFirst(domain: Domain, { _id }: Selection): Promise<boolean> {
  const look = async (): Promise<"queued" | "gone" | null> => {
    const selection = await takeTurn(domain, _id, new Date());
    if (selection) {
      await feedInTurn(domain, selection, { isFirst: true });
      return "queued";
    }
    const found = await domain.selections.findOne({ _id }, { queued: 1, endedAt: 1 }).lean();
    if (!found) return "gone";
    return found.queued === 0 && found.endedAt === null ? null : "queued";
  };
  try {
    // Until the turn of a process that has died has ended.
    return (await untilFound(look, { everyMs: LOOK_MS, isVaried: true, timeoutMs: 2 * FEED_MS })) !== "gone";
  } catch (error) {
    if (error instanceof RateLimitedError) {
      const { deletedCount } = await domain.selections.deleteOne({ _id, queued: 0 });
      if (deletedCount > 0) await dropTape(domain, _id);
    }
    throw error;
  }
}

/**
 * Queues the next links of a selection, if few of its jobs are active. Some slots of the owner are left free.
 * @returns number of added jobs; 0 also while another process adds some
 * @throws RateLimitedError when no job can be queued now
 */
export async function queueMore(
  domain: Domain,
  id: string,
  { now = new Date() }: { readonly now?: Date } = {},
): Promise<number> {
  const selection = await takeTurn(domain, id, now);
  return selection ? feedInTurn(domain, selection, { isFirst: false }) : 0;
}

/** @returns null while another process adds links of the selection, and when it has ended */
async function takeTurn(domain: Domain, id: string, now: Date): Promise<Selection | null> {
  return domain.selections
    .findOneAndUpdate(
      { _id: id, endedAt: null, feedsUntil: { $lte: now } },
      { $set: { feedsUntil: new Date(now.getTime() + FEED_MS) } },
      { projection: WITHOUT_LINKS, returnDocument: "after" },
    )
    .lean<Selection>();
}

interface Turn {
  /** The visitor waits for it, and no slot is left free. */
  readonly isFirst: boolean;
}

async function feedInTurn(domain: Domain, selection: Selection, turn: Turn): Promise<number> {
  try {
    return await feed(domain, selection, turn);
  } finally {
    // Not a date of the past: a sweep takes the selection whose turn was longest ago first.
    const { _id, feedsUntil } = selection;
    await domain.selections.updateOne({ _id, feedsUntil }, { $set: { feedsUntil: new Date() } });
  }
}

async function feed(domain: Domain, selection: Selection, turn: Turn): Promise<number> {
  const { _id: batchId, title, total, queued, tracks } = selection;
  const viewer = await findSelector(domain, selection);
  if (!viewer) {
    await endSelection(domain, batchId);
    return 0;
  }
  const count = await countWanted(domain, viewer, selection, turn);
  if (count <= 0) return 0;
  // Before the songs, so that there is none whose end it misses.
  if (needsTape(selection)) await addTape(domain, viewer, selection);
  const jobs = await addJobs(domain, viewer, await readLinks(domain, selection, count), outputOf(selection), {
    batchId,
    selected: { title, total, first: queued, tracks },
    // After a crash between this write and the next one, the jobs that exist are found again.
    request: { key: `selection:${batchId}`, content: ["selection", batchId], namedBefore: queued },
  });
  const after = queued + jobs.length;
  const isWhole = after >= total;
  const end = endOfSelection();
  const kept = await domain.selections.updateOne(
    { _id: batchId, endedAt: null },
    isWhole ? { ...end, $set: { ...end.$set, queued: after } } : { $set: { queued: after } },
  );
  // It was canceled, or its account was deleted, while the jobs were added.
  if (kept.matchedCount === 0) await takeBack(domain, viewer, batchId, queued, jobs);
  return jobs.length;
}

async function takeBack(
  domain: Domain,
  viewer: Viewer,
  batchId: string,
  queuedBefore: number,
  jobs: readonly StoredJob[],
): Promise<void> {
  for (const job of jobs.toReversed()) await cancelJob(domain, viewer, job._id);
  await lowerTotal(domain, batchId, queuedBefore + jobs.length);
}

/** @returns the owner as a viewer; null when the owner may not go on with the selection */
async function findSelector(domain: Domain, selection: Selection): Promise<Viewer | null> {
  const viewer = await findOwner(domain, selection);
  try {
    if (viewer) {
      requireBatches(viewer);
      requireTier(viewer, selection);
    }
    return viewer;
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

/** A visitor may have removed it once there are jobs. */
const needsTape = ({ asOneFile, queued }: Selection): boolean => asOneFile === true && queued === 0;

/** @returns how many links become jobs now; not above 0 when there is no need or no free slot */
async function countWanted(domain: Domain, viewer: Viewer, selection: Selection, turn: Turn): Promise<number> {
  const { _id: batchId, total, queued } = selection;
  const ofBatch = await domain.jobs.countDocuments({ batchId, status: { $in: ACTIVE } });
  if (ofBatch >= REFILL_AT) return 0;
  const { count } = await readActiveJobs(domain, viewer);
  const tapes = needsTape(selection) ? 1 : 0;
  if (turn.isFirst) requireCapacity(domain, viewer, tapes + 1, count);
  const slots = domain.limits.activeJobs[viewer.tier];
  const free = slots - (turn.isFirst ? 0 : spareOf(slots)) - count - tapes;
  return Math.min(requireBatches(viewer), total - queued, free);
}

async function readLinks(domain: Domain, { _id, queued }: Selection, count: number): Promise<string[]> {
  const found = await domain.selections
    .findOne({ _id }, { links: { $slice: [queued, count] } })
    .lean<Pick<StoredSelection, "links">>();
  return found?.links ?? [];
}

/**
 * Goes on with selections that nothing else has gone on with: the process that did may have died, or no slot was free.
 * @returns number of added jobs
 */
export async function queueMoreOfAll(domain: Domain, now: Date = new Date()): Promise<number> {
  const open = await domain.selections
    .find({ endedAt: null, feedsUntil: { $lte: now } }, { _id: 1 })
    .sort({ feedsUntil: 1 })
    .limit(SELECTIONS_PER_SWEEP)
    .lean<Pick<StoredSelection, "_id">[]>();
  let added = 0;
  for (const { _id } of open) added += await queueMoreIfPossible(domain, _id, now);
  return added;
}

/** As {@link queueMore}; 0 when no job can be queued now. */
export async function queueMoreIfPossible(domain: Domain, id: string, now: Date = new Date()): Promise<number> {
  try {
    return await queueMore(domain, id, { now });
  } catch (error) {
    // The next sweep tries again.
    if (error instanceof RateLimitedError) return 0;
    throw error;
  }
}
