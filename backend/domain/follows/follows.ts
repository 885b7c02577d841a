/** Follows: a user's playlists and channels whose new videos are converted as they come. */
import { UserError } from "../../../common/errors.ts";
import type { ChangeFollow, CreateFollow, Follow } from "../../../common/follows.ts";
import { TIERS } from "../../../common/tiers.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { untilKeyIsFree } from "../database/duplicate-key.ts";
import { insertInSlot } from "../database/numbered-slots.ts";
import type { Domain } from "../domain.ts";
import { canonicalList } from "../jobs/link-policy.ts";
import { FIRST_READ, type Lists } from "../jobs/lists.ts";
import { outputOf, requireQuality } from "../jobs/output.ts";
import { followId, type StoredFollow } from "./follow-model.ts";
import { isStillToCome, MAX_SEEN } from "./new-entries.ts";
import { presentFollow } from "./present-follow.ts";
import { entriesOf, requireAllowed } from "./read-followed.ts";

/**
 * Follows a list. It is read at once: what it has already is never new, apart from streams and premieres to come and from
 * what is asked for.
 * @throws UserError access_blocked; sign_in_required; pro_required; conflict when the list is followed already, or the
 *   user follows as many as the plan has; what {@link Lists.read} throws
 * @throws ConversionError when the link policy refuses the link, the list cannot be read or is blocked
 */
export async function createFollow(
  domain: Domain,
  lists: Lists,
  viewer: Viewer,
  input: CreateFollow,
  signal: AbortSignal,
): Promise<Follow> {
  domain.blocks.requireViewer(viewer);
  const { userId, tier } = viewer;
  if (userId === null) throw new UserError("sign_in_required");
  requireFollows(viewer);
  requireQuality(viewer, input);
  const link = canonicalList(input.url, domain.videoHosts);
  requireAllowed(domain, link);
  const _id = followId(userId, link);
  await requireNew(domain, _id);
  const found = await lists.read(link, FIRST_READ, signal);
  requireAllowed(domain, link, found);
  const stored = newFollow(domain, { ...viewer, userId }, link, input, found);
  const most = TIERS[tier].maxFollows;
  const refusal = (): Error => new UserError("conflict", `You follow ${most} lists already. Stop one first.`);
  await untilKeyIsFree(async () => {
    await requireNew(domain, _id);
    return insertInSlot(domain.follows, stored, { most, refusal });
  });
  return presentFollow(domain, viewer, stored);
}

/** @throws UserError pro_required */
function requireFollows({ tier }: Viewer): void {
  if (TIERS[tier].maxFollows === 0)
    throw new UserError(
      "pro_required",
      "With Pro you follow playlists and channels, and new videos come by themselves.",
    );
}

async function requireNew(domain: Domain, _id: string): Promise<void> {
  if (await domain.follows.exists({ _id })) throw new UserError("conflict", "You follow this list already.");
}

function newFollow(
  domain: Domain,
  { deviceId, userId, call }: Viewer & { readonly userId: string },
  link: string,
  { format, choices, perDay, quietHours, newest }: CreateFollow,
  found: Awaited<ReturnType<Lists["read"]>>,
): StoredFollow {
  const entries = entriesOf(domain, found);
  const wanted = entries.filter(({ problem }) => problem === undefined).slice(0, newest);
  const now = new Date();
  return {
    _id: followId(userId, link),
    userId,
    deviceId,
    link,
    title: found.title,
    ...outputOf({ format, choices }),
    perDay,
    quietHours,
    seen: entries
      .filter((entry) => !isStillToCome(entry))
      .map(({ code }) => code)
      .slice(0, MAX_SEEN),
    ...(found.statedCount === undefined ? {} : { count: found.statedCount }),
    waiting: wanted.map(({ link: video, title }) => ({ link: video, title })).toReversed(),
    came: [],
    // Its turn comes at once for what is asked for; the list is read again when it is due.
    nextLookAt: now,
    lastLookAt: now,
    failure: null,
    failures: 0,
    isPutOff: false,
    // Left out when there is none: the database would store it as null.
    ...(call === undefined ? {} : { call }),
    createdAt: now,
  };
}

/** @returns the user's follows, the newest first */
export async function listFollows(domain: Domain, viewer: Viewer & { readonly userId: string }): Promise<Follow[]> {
  const { userId } = viewer;
  const follows = await domain.follows.find({ userId }, { seen: 0 }).sort({ createdAt: -1 }).lean<StoredFollow[]>();
  return Promise.all(follows.map((follow) => presentFollow(domain, viewer, follow)));
}

/**
 * Pauses, resumes or sets a follow. Its next look is due at once when it goes on or its quiet hours change.
 * @throws UserError not_found
 */
export async function changeFollow(
  domain: Domain,
  viewer: Viewer & { readonly userId: string },
  id: string,
  { isPaused, perDay, quietHours }: ChangeFollow,
): Promise<Follow> {
  const goesOn = isPaused === false || (isPaused === undefined && quietHours !== undefined);
  const own = { _id: id, userId: viewer.userId };
  const $set = {
    ...(perDay === undefined ? {} : { perDay }),
    ...(quietHours === undefined ? {} : { quietHours }),
  };
  await domain.follows.updateOne(own, isPaused === true ? { $set, $unset: { nextLookAt: 1 } } : { $set });
  // Not one that is paused, unless that is asked for.
  if (goesOn)
    await domain.follows.updateOne(isPaused === false ? own : { ...own, nextLookAt: { $exists: true } }, {
      $set: { nextLookAt: new Date() },
    });
  const follow = await domain.follows.findOne(own, { seen: 0 }).lean<StoredFollow>();
  if (!follow) throw notFound();
  return presentFollow(domain, viewer, follow);
}

/** Stops a follow. What came stays. @throws UserError not_found */
export async function removeFollow(domain: Domain, userId: string, id: string): Promise<void> {
  const { deletedCount } = await domain.follows.deleteOne({ _id: id, userId });
  if (deletedCount === 0) throw notFound();
}

function notFound(): UserError {
  return new UserError("not_found", "You do not follow this list any more.");
}
