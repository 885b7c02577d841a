import mongoose from "mongoose";
import { openSessionModel } from "../../domain/accounts/sessions.ts";
import { openUserModel } from "../../domain/accounts/user-model.ts";

/** As if the sessions of somebody had not been used for too long; the server is not told. */
export async function expireSessions(mongodbUri: string, email: string): Promise<void> {
  const connection = await mongoose.createConnection(mongodbUri).asPromise();
  try {
    const user = await (await openUserModel(connection)).findOne({ email });
    if (!user) throw new Error(`nobody has the address ${email}`);
    await (await openSessionModel(connection)).updateMany({ userId: user._id }, { $set: { expiresAt: new Date() } });
  } finally {
    await connection.close();
  }
}
