import { z } from "zod";
import { HOUR_MS } from "../../../common/durations.ts";
import { bounded } from "../../../common/bounded.ts";

/**
 * How long the database may be silent. With the defaults, callers get an error within 5 s, or 6 s when busy; the driver
 * waits longer. A replica set detects the loss of its primary after 10 s (the default electionTimeoutMillis) and has
 * another one about 2 s later. No query takes nearly as long as an answer may, so that queries survive a short pause of
 * the database.
 */
export const DatabaseTimeouts = z.strictObject({
  /** How long the start waits for it; the driver's default of 30 s is too long to find out a wrong address. */
  startMs: bounded(5_000, 100, HOUR_MS),
  /** It counts as lost after this time without an answer: see database-watch.ts. */
  lostAfterMs: bounded(3_000, 100, HOUR_MS),
  /** How long /readyz waits for it, which answers within 2 s. */
  readyMs: bounded(1_500, 100, HOUR_MS),
  /** How long a call of the driver waits for a new primary. */
  failOverMs: bounded(15_000, 100, HOUR_MS),
  /** A connection of the driver without an answer for this long counts as dead. */
  answerMs: bounded(30_000, 100, HOUR_MS),
});
export type DatabaseTimeouts = Readonly<z.infer<typeof DatabaseTimeouts>>;

export const DEFAULT_DATABASE_TIMEOUTS: DatabaseTimeouts = DatabaseTimeouts.parse({});
