/** Who may use the operator's page. Named by a command on the server only, never by another operator. */
import type { Domain } from "../domain.ts";

export interface OperatorChange {
  /** User ids of the accounts that were changed, or were so already. */
  readonly userIds: readonly string[];
  /** Number of accounts that were left as they are, because their email address is not verified. */
  readonly unverified: number;
}

/**
 * Lets the accounts with an email address use the operator's page, or ends that. An address that the identity provider
 * has not verified may have been entered by somebody else, so its account is not named; see `changeTier`.
 * @param whose user id, or an email address in any case; spaces around it are ignored
 */
export async function setOperator(
  { users }: Pick<Domain, "users">,
  whose: string,
  isOperator: boolean,
): Promise<OperatorChange> {
  const name = whose.trim();
  const isEmail = name.includes("@");
  const named = { ...(isEmail ? { email: name.toLowerCase() } : { _id: name }), deletedAt: null };
  const chosen = isEmail && isOperator ? { ...named, isEmailVerified: true } : named;
  const found = await users.find(chosen, { _id: 1 }).lean<{ _id: string }[]>();
  const userIds = found.map(({ _id }) => _id);
  await users.updateMany({ _id: { $in: userIds } }, isOperator ? { $set: { isOperator } } : { $unset: { isOperator } });
  return { userIds, unverified: (await users.countDocuments(named)) - userIds.length };
}

/** Ends the access of all operators. Reads all users. */
export async function revokeAllOperators({ users }: Pick<Domain, "users">): Promise<void> {
  await users.updateMany({ isOperator: true }, { $unset: { isOperator: 1 } });
}

/** @returns those of the ids whose accounts may use the operator's page now */
export async function operatorsAmong({ users }: Pick<Domain, "users">, ids: readonly string[]): Promise<Set<string>> {
  const found = await users
    .find({ _id: { $in: [...ids] }, isOperator: true, deletedAt: null }, { _id: 1 })
    .lean<{ _id: string }[]>();
  return new Set(found.map(({ _id }) => _id));
}
