/**
 * A user has Pro if one of two independent sources gives it: a grant by an operator, or a subscription. Each source is
 * changed by conditional writes only, so that simultaneous changes of both never overwrite each other.
 */
import type { QueryFilter } from "mongoose";
import type { Tier } from "../../../common/tiers.ts";
import type { Domain } from "../domain.ts";
import type { StoredUser, UserModel } from "./user-model.ts";

export type TierSource = "grantedTier" | "subscriptionTier";

const OTHER: Readonly<Record<TierSource, TierSource>> = {
  grantedTier: "subscriptionTier",
  subscriptionTier: "grantedTier",
};
/** A write is repeated when the other source changes during it; more repetitions than this are an error. */
const MAX_ROUNDS = 10;

export interface TierChange {
  /** Number of accounts that have the tier granted now. */
  readonly accounts: number;
  /** Number of accounts that were left as they are, because their email address is not verified. */
  readonly unverified: number;
  /** Number of those that have Pro by a subscription, with or without a grant. */
  readonly paying: number;
}

/**
 * Grants Pro to an account, or to all accounts with an email address, or takes the grant back. By address only accounts
 * get Pro whose address the identity provider has verified: others may have entered the address of somebody else.
 * Subscriptions are not changed. Web processes notice the change and inform the browsers.
 * @param whose user id, or an email address in any case; spaces around it are ignored
 */
export async function changeTier(domain: Pick<Domain, "users">, whose: string, tier: Tier): Promise<TierChange> {
  const name = whose.trim();
  const isEmail = name.includes("@");
  const named = { ...(isEmail ? { email: name.toLowerCase() } : { _id: name }), deletedAt: null };
  const needsVerified = isEmail && tier === "pro";
  const chosen = needsVerified ? { ...named, isEmailVerified: true } : named;
  await setTierSource(domain.users, { ...chosen, grantedTier: { $ne: tier } }, "grantedTier", tier, {
    tierChangedAt: new Date(),
  });
  const accounts = await domain.users.countDocuments(chosen);
  return {
    accounts,
    unverified: needsVerified ? (await domain.users.countDocuments(named)) - accounts : 0,
    paying: await domain.users.countDocuments({ ...named, subscriptionTier: "pro" }),
  };
}

/**
 * Sets one source of the tier and derives the tier from both.
 * @param condition selects the users to change
 * @param more fields that are set in the same write
 */
export async function setTierSource(
  users: UserModel,
  condition: QueryFilter<StoredUser>,
  source: TierSource,
  value: Tier,
  more: Partial<StoredUser> = {},
): Promise<void> {
  if (value === "pro") {
    await users.updateMany(condition, { $set: { ...more, [source]: "pro", tier: "pro" } });
    return;
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // The condition of each write checks the other source at the time of the write.
    await users.updateMany(
      { ...condition, [OTHER[source]]: "pro" },
      { $set: { ...more, [source]: "free", tier: "pro" } },
    );
    await users.updateMany(
      { ...condition, [OTHER[source]]: { $ne: "pro" } },
      { $set: { ...more, [source]: "free", tier: "free" } },
    );
    if ((await users.countDocuments({ ...condition, [source]: { $ne: "free" } })) === 0) return;
  }
  throw new Error(`a user's tier still changed after ${MAX_ROUNDS} writes`);
}
