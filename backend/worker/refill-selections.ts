/** Queues more links of a selection when one of its jobs has ended in this process. The sweeper sees to the others. */
import { isActive } from "../../common/job.ts";
import { queueMoreIfPossible } from "../domain/jobs/selections.ts";
import type { JobContext } from "./job-context.ts";

/** @returns a function that ends this and waits for what has begun */
export function refillSelections({ domain, log }: Pick<JobContext, "domain" | "log">): () => Promise<void> {
  const running = new Set<Promise<unknown>>();
  const unsubscribe = domain.bus.subscribe("job", ({ job }) => {
    const { batchId, batchPosition, status } = job;
    if (batchId === undefined || batchPosition === undefined || isActive(status)) return;
    const refill: Promise<unknown> = queueMoreIfPossible(domain, batchId)
      .catch((error: unknown) => log.error({ error, batchId }, "could not queue more of a selection"))
      .then(() => running.delete(refill));
    running.add(refill);
  });
  return async () => {
    unsubscribe();
    await Promise.all(running);
  };
}
