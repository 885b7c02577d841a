/**
 * Stores the removals that can still be undone. A phone may end the browser without a sign; then the next page sends
 * them. Loaded with the live updates, because nothing can be removed before those have brought the jobs.
 */
import { z } from "zod";
import { isTombstone } from "../../../common/merge.ts";
import { parseJson } from "../../../common/parse-json.ts";
import { REMOVALS_KEY } from "../platform/storage-keys.ts";
import type { TextStorage } from "../platform/text-storage.ts";
import type { JobsStore } from "./jobs.ts";
import { UNDO_MS, type RemovalsStore } from "./removals.ts";

/** No file is kept for longer, so that its job need not be removed any more. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000;

const Stored = z.array(z.object({ id: z.string(), attempt: z.number(), dueMs: z.number() }));
type StoredRemoval = z.infer<typeof Stored>[number];

export interface StoredRemovalsParts {
  readonly jobs: JobsStore;
  readonly removals: RemovalsStore;
  /** Shared by all windows. */
  readonly storage: TextStorage;
  /** Removes a job at the server; hides it from the first moment on. */
  readonly send: (id: string) => Promise<void>;
}

/** Stores the removals of this page from now on, and sends those of pages that were ended. Called once. */
export function storeRemovals({ jobs, removals, storage, send }: StoredRemovalsParts): void {
  finishOthers({ jobs, storage, send });
  removals.subscribe((now, before) => {
    const added = now.pending.filter((removal) => !before.pending.includes(removal));
    const changed = new Set(
      [...before.pending.filter((removal) => !now.pending.includes(removal)), ...added].map(({ id }) => id),
    );
    const dueMs = Date.now() + UNDO_MS;
    write(storage, [
      ...read(storage).filter(({ id }) => !changed.has(id)),
      ...added.map(({ id, attempt }) => ({ id, attempt, dueMs })),
    ]);
  });
}

/** Finishes removals that an earlier page has stored, unless it lives in another window and has done so itself. */
function finishOthers({ jobs, storage, send }: Omit<StoredRemovalsParts, "removals">): void {
  const waiting = new Map(read(storage).map((removal) => [removal.id, removal]));

  function finish({ id, attempt, dueMs }: StoredRemoval): void {
    if (!read(storage).some((stored) => stored.id === id && stored.dueMs === dueMs)) {
      // Undone or sent by the other window.
      waiting.delete(id);
      return jobs.getState().unhide(id);
    }
    const job = jobs.getState().table.get(id);
    if (job === undefined || dueMs > Date.now()) return;
    waiting.delete(id);
    write(
      storage,
      read(storage).filter((stored) => stored.id !== id),
    );
    // A job that was retried meanwhile is kept: only its earlier attempt was removed.
    if (!isTombstone(job) && job.attempt <= attempt) void send(id);
    jobs.getState().unhide(id);
  }

  const finishAll = () => waiting.forEach(finish);
  for (const { id, dueMs } of waiting.values()) {
    jobs.getState().hide(id);
    setTimeout(finishAll, Math.max(0, dueMs - Date.now()));
  }
  if (waiting.size > 0) jobs.subscribe(finishAll);
}

function read(storage: TextStorage): StoredRemoval[] {
  const { data = [] } = Stored.safeParse(parseJson(storage.getItem(REMOVALS_KEY) ?? ""));
  return data.filter(({ dueMs }) => dueMs > Date.now() - MAX_AGE_MS);
}

function write(storage: TextStorage, removals: readonly StoredRemoval[]): void {
  if (removals.length === 0) storage.removeItem(REMOVALS_KEY);
  else storage.setItem(REMOVALS_KEY, JSON.stringify(removals));
}
