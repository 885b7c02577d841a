/** Reads a followed list, and finds what is new in it. */
import { ConversionError } from "../../../common/errors.ts";
import { MAX_LIST_ENTRIES } from "../../../common/lists.ts";
import { subjectCode, videoOfLink } from "../blocks/subjects.ts";
import type { Domain } from "../domain.ts";
import { canonicalEntry } from "../jobs/link-policy.ts";
import type { FoundList } from "../jobs/lists.ts";
import type { StoredFollow } from "./follow-model.ts";
import { afterLook, newAtEnd, newInFront, type Entry } from "./new-entries.ts";

/** Entries that a look reads: a page or two of a site, however long the list is. */
export const LOOK_ENTRIES = 50;

export interface FollowedLists {
  /**
   * Reads the first entries of a list, as `Lists.read` does, but only while visitors would not have to wait for it.
   * @returns null when its site cannot be asked now
   */
  read(link: string, most: number, signal: AbortSignal): Promise<FoundList | null>;
}

/** @returns each video of the list once, in its order */
export function entriesOf({ videoHosts }: Domain, { entries }: FoundList): Entry[] {
  const byCode = new Map<string, Entry>();
  for (const { link, title, problem } of entries) {
    const code = subjectCode("video", videoOfLink(canonicalOr(link, () => canonicalEntry(link, videoHosts))));
    if (!byCode.has(code)) byCode.set(code, { code, link, title, problem });
  }
  return [...byCode.values()];
}

/** A link that is not accepted fails when it is to be converted, and is then shown with the reason. */
function canonicalOr(link: string, canonical: () => string): string {
  try {
    return canonical();
  } catch (error) {
    if (error instanceof ConversionError) return link;
    throw error;
  }
}

/** @throws ConversionError "blocked" when the list, its host or its channel is blocked */
export function requireAllowed({ blocks }: Domain, link: string, { channelIds = [] }: Partial<FoundList> = {}): void {
  blocks.requireVideo(link, { channelIds, hosts: [] });
}

/**
 * The front of the list is read. A playlist that adds at its end is read as a whole when its site says that it has become
 * longer and the new ones are not in front: one request for 100 entries.
 * @returns what is known of the list now; null when its site cannot be asked
 * @throws ConversionError when the list cannot be read, or is blocked
 */
export async function readFollowed(
  domain: Domain,
  lists: FollowedLists,
  follow: StoredFollow,
  signal: AbortSignal,
): Promise<Pick<StoredFollow, "title" | "seen" | "waiting" | "count"> | null> {
  const { link, count } = follow;
  const seen = new Set(follow.seen);
  const found = await lists.read(link, LOOK_ENTRIES + 1, signal);
  if (!found) return null;
  requireAllowed(domain, link, found);
  const { title, statedCount } = found;
  const front = entriesOf(domain, found);
  const isWhole = found.entries.length <= LOOK_ENTRIES;
  const fresh = newInFront(front, seen, isWhole);
  const growth = isWhole || count === undefined || statedCount === undefined ? 0 : statedCount - count - fresh.length;
  const whole = growth > 0 ? await lists.read(link, MAX_LIST_ENTRIES, signal) : undefined;
  // It is looked for again at the next look.
  if (whole === null) return { title, ...afterLook(follow, front, fresh), ...(count === undefined ? {} : { count }) };
  const end = whole ? newAtEnd(entriesOf(domain, whole), seen, Math.min(growth, LOOK_ENTRIES)) : [];
  const known = new Set(fresh.map(({ code }) => code));
  const all = [...fresh, ...end.filter(({ code }) => !known.has(code))];
  return {
    title,
    ...afterLook(follow, [...front, ...end], all),
    ...(statedCount === undefined ? {} : { count: statedCount }),
  };
}
