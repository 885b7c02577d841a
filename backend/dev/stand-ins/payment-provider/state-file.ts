/** Stores the state on disk, so that subscriptions survive a restart of the development server. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type State, emptyState } from "./state.ts";

/** Raised when the stored shapes change; a file of another format is replaced by an empty state. */
const FORMAT = 1;
const Ledger = z.object({
  format: z.literal(FORMAT),
  state: z.object({
    clockOffsetSeconds: z.number(),
    objects: z.record(z.string(), z.record(z.string(), z.object({ id: z.string() }).loose())),
    secrets: z.record(z.string(), z.record(z.string(), z.unknown())),
  }),
});

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
export function openState(dataDir: string | undefined, log: (line: string) => void): StateFile {
  if (dataDir === undefined) return { state: emptyState(), changed: () => undefined, flush: () => undefined };
  const file = path.join(dataDir, "payment-provider", "ledger.json");
  mkdirSync(path.dirname(file), { recursive: true });
  const state = read(file, log);
  let isPlanned = false;
  const flush = () => {
    isPlanned = false;
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ format: FORMAT, state }), { mode: 0o600 });
    renameSync(draft, file);
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

function read(file: string, log: (line: string) => void): State {
  try {
    const ledger = Ledger.parse(JSON.parse(readFileSync(file, "utf8")));
    const empty = emptyState();
    // Only ids are checked: the file was written by this module.
    return {
      clockOffsetSeconds: ledger.state.clockOffsetSeconds,
      objects: { ...empty.objects, ...(ledger.state.objects as unknown as State["objects"]) },
      secrets: { ...empty.secrets, ...(ledger.state.secrets as unknown as State["secrets"]) },
    };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return emptyState();
    if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
    log(`Payment stand-in: ${file} is not of this version; an empty state replaces it.`);
    return emptyState();
  }
}
