/** Changes users, sessions and follows in the database of a running server, without a call to the server. */
import mongoose, { type Connection } from "mongoose";
import type { Tier } from "../../../common/tiers.ts";
import { changeTier } from "../../domain/accounts/tier-sources.ts";
import { setOperator } from "../../domain/operator/operators.ts";
import { openSessionModel } from "../../domain/accounts/sessions.ts";
import { openFollowModel } from "../../domain/follows/follow-model.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";

/**
 * Changes a user's tier, as the operator's command does.
 * @throws Error when no user has the email address
 */
export async function setTier(mongodbUri: string, email: string, tier: Tier): Promise<void> {
  await withConnection(mongodbUri, async (connection) => {
    const { accounts } = await changeTier({ users: await openUserModel(connection) }, email, tier);
    if (accounts === 0) throw new Error(`no user has the address ${email}`);
  });
}

/**
 * Makes a user an operator or ends that, as the command does.
 * @throws Error when no user has the email address
 */
export async function makeOperator(mongodbUri: string, email: string, isOperator = true): Promise<void> {
  await withConnection(mongodbUri, async (connection) => {
    const { userIds } = await setOperator({ users: await openUserModel(connection) }, email, isOperator);
    if (userIds.length === 0) throw new Error(`no user has the verified address ${email}`);
  });
}

/**
 * Lets all sessions of a user expire now.
 * @throws Error when no user has the email address
 */
export async function expireSessions(mongodbUri: string, email: string): Promise<void> {
  await withConnection(mongodbUri, async (connection) => {
    const user = await (await openUserModel(connection)).findOne({ email });
    if (!user) throw new Error(`no user has the address ${email}`);
    await (await openSessionModel(connection)).updateMany({ userId: user._id }, { $set: { expiresAt: new Date() } });
  });
}

/**
 * Changes the sessions of a user as if they had begun and been used earlier.
 * @param byMs how much earlier
 */
export async function ageSessions(mongodbUri: string, email: string, byMs: number): Promise<void> {
  await withConnection(mongodbUri, async (connection) => {
    const user = await (await openUserModel(connection)).findOne({ email });
    const sessions = await openSessionModel(connection);
    for (const { _id, data, createdAt, expiresAt } of await sessions.find({ userId: user?._id ?? "" }).lean()) {
      const change = {
        "data._expire": Number(data["_expire"]) - byMs,
        "data.authenticatedAtMs": Number(data["authenticatedAtMs"]) - byMs,
        createdAt: new Date(createdAt.getTime() - byMs),
        expiresAt: new Date(expiresAt.getTime() - byMs),
      };
      await sessions.updateOne({ _id }, { $set: change });
    }
  });
}

/** Makes the next look at each list that a user follows due, as if the last one were long ago. */
export async function makeLooksDue(mongodbUri: string, email: string): Promise<void> {
  await withConnection(mongodbUri, async (connection) => {
    const user = await (await openUserModel(connection)).findOne({ email });
    const own = { userId: user?._id ?? "", nextLookAt: { $exists: true } };
    const due = { $set: { lastLookAt: new Date(0), nextLookAt: new Date() } };
    const { matchedCount } = await (await openFollowModel(connection)).updateMany(own, due);
    if (matchedCount === 0) throw new Error(`${email} follows nothing`);
  });
}

async function withConnection(mongodbUri: string, work: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  try {
    await work(connection);
  } finally {
    await connection.close();
  }
}
