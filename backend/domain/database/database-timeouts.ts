/** How long the driver of the database waits. Visitors do not wait that long: see database-watch.ts. */
export interface DatabaseTimeouts {
  /** How long a call waits for a new primary. */
  readonly failOverMs: number;
  /** A connection without an answer for this long counts as dead. */
  readonly answerMs: number;
}

/**
 * A replica set detects the loss of its primary after 10 s (the default electionTimeoutMillis) and has another one about
 * 2 s later. No query takes nearly as long as an answer may, so that queries survive a short pause of the database.
 */
export const DEFAULT_DATABASE_TIMEOUTS: DatabaseTimeouts = { failOverMs: 15_000, answerMs: 30_000 };
