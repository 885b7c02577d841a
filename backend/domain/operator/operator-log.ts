/** The log of what operators did: who, when, what, on what, with what result. */
import { randomUUID } from "node:crypto";
import { DAY_MS } from "../../../common/durations.ts";
import type { OperatorLogLine } from "../../../common/operator.ts";
import { OPERATOR_LOG_DAYS } from "../../../common/retention-policy.ts";
import { ConversionError, UserError } from "../../../common/errors.ts";
import type { Domain } from "../domain.ts";
import type { OperatorModels, StoredOperatorLine } from "./operator-models.ts";

/** The page shows no more at once. */
const SHOWN_LINES = 100;

export type LoggedAct = Pick<StoredOperatorLine, "by" | "act" | "on">;

/**
 * Carries out an act of an operator and logs it. The line is written before, so that there is no act without a line, and
 * again with the result.
 * @throws what `carryOut` throws
 */
export async function logged<T>(
  { log }: Pick<OperatorModels, "log">,
  act: LoggedAct,
  carryOut: () => Promise<T>,
): Promise<T> {
  const _id = randomUUID();
  await log.create({ _id, ...act, at: new Date(), result: "begun" });
  const note = (result: string) => log.updateOne({ _id }, { $set: { result } });
  try {
    const done = await carryOut();
    await note("done");
    return done;
  } catch (error) {
    await note(error instanceof UserError || error instanceof ConversionError ? error.code : "internal");
    throw error;
  }
}

/** @returns the newest lines, newest first, with the email addresses of operators whose accounts exist */
export async function readOperatorLog({
  operatorRecords,
  users,
}: Pick<Domain, "operatorRecords" | "users">): Promise<OperatorLogLine[]> {
  const lines = await operatorRecords.log
    .find()
    .sort({ at: -1, _id: -1 })
    .limit(SHOWN_LINES)
    .lean<StoredOperatorLine[]>();
  const nameOf = await namesOfOperators(
    users,
    lines.map(({ by }) => by),
  );
  return lines.map(({ _id, at, by, act, on, result }) => ({
    id: _id,
    at: at.toISOString(),
    by: nameOf(by),
    act,
    on,
    result,
  }));
}

/** @returns gives the email address of an operator, or the same text where there is no such account any more */
export async function namesOfOperators(
  users: Domain["users"],
  userIds: readonly string[],
): Promise<(userId: string) => string> {
  const found = await users
    .find({ _id: { $in: [...new Set(userIds)] } }, { email: 1 })
    .lean<{ _id: string; email: string }[]>();
  const emails = new Map(found.map(({ _id, email }) => [_id, email]));
  // The address of a deleted account is empty.
  return (userId) => emails.get(userId) || userId;
}

/** Deletes lines after their retention. @returns how many */
export async function deleteOldOperatorLog(
  { operatorRecords }: Pick<Domain, "operatorRecords">,
  now: Date = new Date(),
): Promise<number> {
  const before = new Date(now.getTime() - OPERATOR_LOG_DAYS * DAY_MS);
  return (await operatorRecords.log.deleteMany({ at: { $lte: before } })).deletedCount;
}
