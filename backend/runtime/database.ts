/** How every process and command of ours speaks to the database: what it waits for and what it calls written. */
import mongoose, { type Connection } from "mongoose";
import { ConfigError } from "../config/config.ts";

/** At the start nobody waits half a minute to be told that the address is wrong. */
const START_PATIENCE_MS = 5_000;
/**
 * Later a call waits for a new primary rather than fail: a replica set notices a lost one after 10 s
 * and has another about 2 s later (its default electionTimeoutMillis).
 */
const FAIL_OVER_PATIENCE_MS = 15_000;
/**
 * Far longer than any of our queries takes; a connection that hangs for longer is dead. What is under
 * way while the database stands still for less than this is done once it goes on. Visitors do not
 * wait for it: see database-watch.ts.
 */
const ANSWER_MS = 30_000;

/**
 * A write counts once most of a replica set have it, so that what a visitor was told (a job is taken,
 * a payment has arrived, a tier has changed) outlives the loss of any one machine. What is written
 * often and may be lost says so where it is written. Reads and writes that a fail-over interrupts are
 * made once more by the driver. On a single server all of this comes to its ordinary behaviour.
 * @throws ConfigError in one line when the database does not answer
 */
export async function connectToDatabase(uri: string): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    appName: "tapedeck",
    serverSelectionTimeoutMS: FAIL_OVER_PATIENCE_MS,
    socketTimeoutMS: ANSWER_MS,
    retryReads: true,
    retryWrites: true,
    writeConcern: { w: "majority" },
  });
  const opened = connection.asPromise();
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => tooLate.reject(new Error(`no answer within ${START_PATIENCE_MS / 1_000} s`)),
    START_PATIENCE_MS,
  );
  try {
    return await Promise.race([opened, tooLate.promise]);
  } catch (error) {
    // It may still be trying; how that ends is no news any more.
    opened.catch(() => undefined);
    await connection.destroy();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `MONGODB_URI must name a database that answers, but the one at ${hostsOf(uri)} does not (${reason}); start it, or correct the address`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Without name and password: this ends up in logs. */
function hostsOf(uri: string): string {
  return /^mongodb(?:\+srv)?:\/\/(?:[^/@]*@)?([^/?]*)/.exec(uri)?.[1] ?? "its address";
}
