/**
 * A tier has two sources that know nothing of each other: what an operator granted, and what a
 * subscription pays for. Pro from either is Pro. Each is changed by conditional writes only, so
 * that two that change at once never undo one another.
 */
import type { QueryFilter } from "mongoose";
import type { Tier } from "../../../common/tiers.ts";
import type { StoredUser, UserModel } from "./user-model.ts";

export type TierSource = "grantedTier" | "subscriptionTier";

const OTHER: Readonly<Record<TierSource, TierSource>> = {
  grantedTier: "subscriptionTier",
  subscriptionTier: "grantedTier",
};
/** The other source would have to change between two writes this often for us to give up. */
const MAX_ROUNDS = 10;

/**
 * @param whose users that are to change
 * @param more set beside it in the same write
 */
export async function setTierSource(
  users: UserModel,
  whose: QueryFilter<StoredUser>,
  source: TierSource,
  value: Tier,
  more: Partial<StoredUser> = {},
): Promise<void> {
  if (value === "pro") {
    await users.updateMany(whose, { $set: { ...more, [source]: "pro", tier: "pro" } });
    return;
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // Either the other source still says Pro or it does not, at the very moment of the write.
    await users.updateMany({ ...whose, [OTHER[source]]: "pro" }, { $set: { ...more, [source]: "free", tier: "pro" } });
    await users.updateMany(
      { ...whose, [OTHER[source]]: { $ne: "pro" } },
      { $set: { ...more, [source]: "free", tier: "free" } },
    );
    if ((await users.countDocuments({ ...whose, [source]: { $ne: "free" } })) === 0) return;
  }
  throw new Error("a user's tier kept changing");
}
