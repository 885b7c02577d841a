/** A database server of tests that is not the embedded one. */
export interface RealDatabase extends AsyncDisposable {
  /** Without a database name. */
  readonly uri: string;
  /** For messages. */
  readonly description: string;
  /** Full titles of tests that its own faults break. */
  readonly brokenTests: readonly string[];
}

export interface RealDatabaseOptions {
  /** Where it keeps its files. */
  readonly folder: string;
  readonly report: (line: string) => void;
}
