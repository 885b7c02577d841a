/** How long the database may be silent. */
export interface DatabaseTimeouts {
  /** It counts as lost after this time without an answer: see database-watch.ts. */
  readonly lostAfterMs: number;
  /** How long a call of the driver waits for a new primary. */
  readonly failOverMs: number;
  /** A connection of the driver without an answer for this long counts as dead. */
  readonly answerMs: number;
}

/**
 * With these, callers get an error within 5 s, or 6 s when busy; the driver waits longer. A replica set detects the loss
 * of its primary after 10 s (the default electionTimeoutMillis) and has another one about 2 s later. No query takes
 * nearly as long as an answer may, so that queries survive a short pause of the database.
 */
export const DEFAULT_DATABASE_TIMEOUTS: DatabaseTimeouts = {
  lostAfterMs: 3_000,
  failOverMs: 15_000,
  answerMs: 30_000,
};
