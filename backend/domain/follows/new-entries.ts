/** Which entries of a list have come since the last look, and which of them can be converted: pure functions. */
import type { EntryProblem } from "../../../common/lists.ts";
import type { StoredFollow } from "./follow-model.ts";

/** More than a look reads, so that a video that moves within the list is not taken for a new one. */
export const MAX_SEEN = 500;
/** Further videos stay new in their list until some of these have become jobs. */
export const MAX_WAITING = 100;
/** Of those that their site does not give yet, so many are shown. */
const MAX_HELD = 20;

export interface Entry {
  /** Names the video, whatever link leads to it. */
  readonly code: string;
  readonly link: string;
  readonly title: string;
  readonly problem?: EntryProblem | undefined;
}

/** A video with such a problem may be given later: a premiere ends, one for members is published for all. */
const PASSES: ReadonlySet<EntryProblem | undefined> = new Set(["upcoming", "live", "private", "members_only"]);
/** Whether a list that is followed from now on is to be watched for the entry. */
export const isStillToCome = ({ problem }: Entry): boolean => problem === "upcoming" || problem === "live";
/** An entry with such a problem never becomes a video. */
const ENDS: ReadonlySet<EntryProblem | undefined> = new Set(["deleted", "list"]);

/**
 * Channels and most playlists add at the front. Below the last entry that was there before, all are older: one of them may
 * have moved up because another was removed. A list that was read as a whole may add at its end as well.
 * @param entries from the front of the list
 * @returns the new ones, the oldest first
 */
export function newInFront(entries: readonly Entry[], seen: ReadonlySet<string>, isWhole: boolean): Entry[] {
  const last = entries.findLastIndex(({ code }) => seen.has(code));
  if (last === -1) return entries.toReversed();
  const inFront = entries.slice(0, last).filter(({ code }) => !seen.has(code));
  return [...inFront.toReversed(), ...(isWhole ? entries.slice(last + 1) : [])];
}

/**
 * @param entries the whole list
 * @param growth how many entries the list has more than before; above 0
 * @returns the new ones at its end, the oldest first
 */
export function newAtEnd(entries: readonly Entry[], seen: ReadonlySet<string>, growth: number): Entry[] {
  return entries.slice(-growth).filter(({ code }) => !seen.has(code));
}

/**
 * @param read what a look has read
 * @param fresh the new ones of it, the oldest first
 * @returns what is known after the look
 */
export function afterLook(
  { seen, waiting }: Pick<StoredFollow, "seen" | "waiting">,
  read: readonly Entry[],
  fresh: readonly Entry[],
): Pick<StoredFollow, "seen" | "waiting"> {
  const open = waiting.filter(({ problem }) => problem === undefined);
  const held = fresh.filter(({ problem }) => PASSES.has(problem));
  const ready = fresh.filter(({ problem }) => !PASSES.has(problem) && !ENDS.has(problem));
  const taken = ready.slice(0, MAX_WAITING - open.length);
  const left = new Set([...held, ...ready.slice(taken.length)].map(({ code }) => code));
  const known = read.map(({ code }) => code).filter((code) => !left.has(code));
  return {
    seen: [...new Set([...known, ...seen])].slice(0, MAX_SEEN),
    waiting: [
      ...open,
      ...taken.map(({ link, title }) => ({ link, title })),
      ...held.slice(0, MAX_HELD).map(({ link, title, problem }) => ({ link, title, ...(problem && { problem }) })),
    ],
  };
}
