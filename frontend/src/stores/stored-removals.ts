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
import { UNDO_MS, type Removal, type RemovalsState, type RemovalsStore } from "./removals.ts";

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
  let beat: ReturnType<typeof setInterval> | undefined;
  // Other windows wait as long as this one lives, which may offer to undo for longer.
  const putOff = ({ pending }: Pick<RemovalsState, "pending">, ended: readonly Removal[] = []): void => {
    const ids = new Set([...pending, ...ended].map(({ id }) => id));
    const dueMs = Date.now() + UNDO_MS;
    write(storage, [
      ...read(storage).filter(({ id }) => !ids.has(id)),
      ...pending.map(({ id, attempt }) => ({ id, attempt, dueMs })),
    ]);
  };
  removals.subscribe((now, before) => {
    putOff(
      now,
      before.pending.filter((removal) => !now.pending.includes(removal)),
    );
    clearInterval(beat);
    beat = now.pending.length > 0 ? setInterval(() => putOff(removals.getState()), UNDO_MS / 2) : undefined;
  });
}

/** Finishes removals that an earlier page has stored, unless it lives in another window and has done so itself. */
function finishOthers({ jobs, storage, send }: Omit<StoredRemovalsParts, "removals">): void {
  // The clock may have been ahead when one was stored.
  const latestMs = Date.now() + UNDO_MS;
  const left = read(storage).map((removal) => ({ ...removal, dueMs: Math.min(removal.dueMs, latestMs) }));
  write(storage, left);
  const waiting = new Map(left.map((removal) => [removal.id, removal]));

  function finish({ id, attempt }: StoredRemoval): void {
    const stored = read(storage).find((removal) => removal.id === id && removal.attempt === attempt);
    if (!stored) {
      // Undone or sent by the other window.
      waiting.delete(id);
      return jobs.getState().unhide(id);
    }
    const job = jobs.getState().table.get(id);
    if (job === undefined || stored.dueMs > Date.now()) return;
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
  /** Again until all are finished: the other window may live and put them off. */
  const finishInTime = (): void => {
    finishAll();
    const dueMs = read(storage).flatMap((removal) => (waiting.has(removal.id) ? removal.dueMs : []));
    const nextMs = Math.min(...dueMs.filter((at) => at > Date.now()));
    if (Number.isFinite(nextMs)) setTimeout(finishInTime, nextMs - Date.now());
  };
  for (const { id } of waiting.values()) jobs.getState().hide(id);
  finishInTime();
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
