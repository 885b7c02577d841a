import mongoose from "mongoose";
import type { Tier } from "../../../common/tiers.ts";
import { changeTier } from "../../domain/accounts/accounts.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";

/** What an operator's command does beside a running server, without the start of a process. */
export async function setTier(mongodbUri: string, email: string, tier: Tier): Promise<void> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  try {
    if ((await changeTier({ users: await openUserModel(connection) }, email, tier)).accounts === 0)
      throw new Error(`nobody has the address ${email}`);
  } finally {
    await connection.close();
  }
}
