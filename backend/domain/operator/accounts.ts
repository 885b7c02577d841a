/** Answers a request about personal data: finds accounts by address, and gives what is stored about one. */
import { UserError } from "../../../common/errors.ts";
import type { FoundAccount } from "../../../common/operator-calls.ts";
import { exportAccount } from "../accounts/export-account.ts";
import type { StoredUser } from "../accounts/user-model.ts";
import type { Domain } from "../domain.ts";
import { logged } from "./operator-log.ts";

/** @param by user id of the operator @param email in any case */
export async function findAccounts(domain: Domain, by: string, email: string): Promise<FoundAccount[]> {
  const users = await domain.users.find({ email: email.toLowerCase(), deletedAt: null }).lean<StoredUser[]>();
  const on = users.map(({ _id }) => _id).join(" ");
  return logged(domain.operatorRecords, { by, act: "find_account", on }, () =>
    Promise.all(users.map((user) => describe(domain, user))),
  );
}

async function describe({ jobs, sessions }: Domain, user: StoredUser): Promise<FoundAccount> {
  const { _id, email, isEmailVerified, createdAt, tier, grantedTier } = user;
  return {
    id: _id,
    email,
    isEmailVerified: isEmailVerified === true,
    createdAt: createdAt.toISOString(),
    tier,
    isGranted: grantedTier === "pro",
    jobs: await jobs.countDocuments({ userId: _id }),
    sessions: await sessions.countDocuments({ userId: _id, endedAt: null }),
  };
}

/**
 * @param by user id of the operator
 * @returns the file that the user could download
 * @throws UserError not_found
 */
export async function exportForOperator(domain: Domain, by: string, userId: string): Promise<AsyncGenerator<string>> {
  // The log has no email addresses.
  if (userId.includes("@")) throw noAccount();
  return logged(domain.operatorRecords, { by, act: "export_account", on: userId }, async () => {
    if ((await domain.users.exists({ _id: userId, deletedAt: null })) === null) throw noAccount();
    return exportAccount(domain, userId);
  });
}

function noAccount(): UserError {
  return new UserError("not_found", "There is no account with this id.");
}
