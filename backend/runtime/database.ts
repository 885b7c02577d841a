import mongoose, { type Connection } from "mongoose";
import { within } from "../../common/waiting.ts";
import { ConfigError } from "../config/config.ts";
import { DEFAULT_DATABASE_TIMEOUTS } from "../domain/database/database-timeouts.ts";

/** Commands work beside a site that may be busy, and are not started again by anybody. */
const TIMEOUTS_OF_COMMANDS = { ...DEFAULT_DATABASE_TIMEOUTS, startMs: 20_000 };

/**
 * Connects with the settings of every process and command. A write is confirmed when the majority of a replica set has
 * it, so that no confirmed change is lost with one machine; frequent writes that may be lost set a weaker write concern
 * themselves. The driver repeats reads and writes that a fail-over interrupts.
 * @throws ConfigError in one line when the database does not answer
 */
export async function connectToDatabase(
  uri: string,
  { startMs, failOverMs, answerMs } = TIMEOUTS_OF_COMMANDS,
): Promise<Connection> {
  const connection = mongoose.createConnection(uri, {
    appName: "tapedeck",
    serverSelectionTimeoutMS: failOverMs,
    socketTimeoutMS: answerMs,
    retryReads: true,
    retryWrites: true,
    writeConcern: { w: "majority" },
  });
  const opened = connection.asPromise();
  try {
    return await within(startMs, opened, () => {
      throw new Error(`no answer within ${startMs / 1_000} s`);
    });
  } catch (error) {
    // The driver may still be trying; its error is ignored.
    opened.catch(() => undefined);
    await connection.destroy();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(
      `MONGODB_URI must name a database that answers, but the one at ${hostsOf(uri)} does not (${reason}); ` +
        "start it, or correct the address",
      { cause: error },
    );
  }
}

/** Leaves out user name and password, because the text is logged. */
function hostsOf(uri: string): string {
  return /^mongodb(?:\+srv)?:\/\/(?:[^/@]*@)?([^/?]*)/.exec(uri)?.[1] ?? "its address";
}
