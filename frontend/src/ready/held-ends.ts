/**
 * Ends that arrive before the page knows that it has started the job. A file that is stored already is ready at once,
 * and its end may overtake the answer to the request.
 */
import type { JobsStore } from "../stores/jobs.ts";
import type { Ended, QueueChange } from "./queue-changes.ts";

/** Other pages start jobs too, whose ends are never asked for here. */
const MAX_HELD = 20;

export interface HeldEndsParts {
  readonly jobs: JobsStore;
  /** Whether this page has started the job, as far as it knows by now. */
  readonly isOwn: (jobId: string) => boolean;
  /** Gets each end of an own job or batch once. */
  readonly handle: (change: Pick<QueueChange, "ended">) => void;
}

/** @returns a handler of the queue's changes */
export function holdUntilOwn({ jobs, isOwn, handle }: HeldEndsParts): (change: QueueChange) => void {
  let held: readonly Ended[] = [];

  function handleOwn(ends: readonly Ended[]): void {
    const byOwner = Map.groupBy(ends, (end) => end.jobs.some(({ id }) => isOwn(id)));
    held = (byOwner.get(false) ?? []).slice(-MAX_HELD);
    const ended = byOwner.get(true);
    if (ended) handle({ ended });
  }

  // The job of an answer is added to the store after the page has noted that it is its own.
  jobs.subscribe(() => {
    if (held.length > 0) handleOwn(held);
  });
  return ({ ended }) => handleOwn([...held, ...ended]);
}
