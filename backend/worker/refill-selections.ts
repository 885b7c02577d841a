/** When a job of a selection has ended in this process: queues more of its links, and tells its tape. The sweeper sees to the others. */
import { isActive } from "../../common/job.ts";
import { queueMoreIfPossible } from "../domain/jobs/selections.ts";
import { followSongs } from "../domain/jobs/tapes.ts";
import type { JobContext } from "./job-context.ts";

/** @returns a function that ends this and waits for what has begun */
export function refillSelections({ domain, log }: Pick<JobContext, "domain" | "log">): () => Promise<void> {
  const running = new Set<Promise<unknown>>();
  const unsubscribe = domain.bus.subscribe("job", ({ job }) => {
    const { batchId, batchPosition, status } = job;
    if (batchId === undefined || batchPosition === undefined || isActive(status)) return;
    const refill: Promise<unknown> = queueMoreIfPossible(domain, batchId)
      .then(() => followSongs(domain, batchId))
      .catch((error: unknown) => log.error({ error, batchId }, "could not go on with a selection"))
      .then(() => running.delete(refill));
    running.add(refill);
  });
  return async () => {
    unsubscribe();
    await Promise.all(running);
  };
}
