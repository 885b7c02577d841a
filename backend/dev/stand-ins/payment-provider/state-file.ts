/** Stores the state on disk, so that subscriptions survive a restart of the development server. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type State, emptyState } from "./state.ts";

/** Raised when the stored shapes change; a file of another format is replaced by an empty state. */
const FORMAT = 2;

export interface StateFile {
  readonly state: State;
  /** Writes the state soon; changes in the same turn of the event loop are written once. */
  changed(): void;
  flush(): void;
}

/**
 * Reads the state, or makes an empty one.
 * @param dataDir undefined: nothing is written
 */
export function openState(dataDir: string | undefined): StateFile {
  if (dataDir === undefined) return { state: emptyState(), changed: () => undefined, flush: () => undefined };
  const file = path.join(dataDir, "payment-provider", "ledger.json");
  mkdirSync(path.dirname(file), { recursive: true });
  const state = read(file);
  let isPlanned = false;
  const flush = () => {
    isPlanned = false;
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ format: FORMAT, state }), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  };
  return {
    state,
    changed() {
      if (isPlanned) return;
      isPlanned = true;
      setImmediate(flush);
    },
    flush,
  };
}

function read(file: string): State {
  if (!existsSync(file)) return emptyState();
  // Only the format is checked: the file was written by this module, and is replaced at once.
  const ledger = JSON.parse(readFileSync(file, "utf8")) as { format: number; state: State };
  return ledger.format === FORMAT ? ledger.state : emptyState();
}
