/**
 * Draining one worker: it takes no more jobs, and running ones go on. The order is kept by the worker's process alone, so
 * it ends with that process: the worker that replaces it takes jobs.
 */
import { UserError } from "../../../common/errors.ts";
import type { Bus } from "../bus.ts";
import type { Domain } from "../domain.ts";

/** A process answers within milliseconds, and a busy one within seconds. */
const ANSWER_MS = 10_000;

/**
 * Tells a worker to take no jobs, or to take them again.
 * @param processId as its report names it
 * @returns when the worker has said that it obeys
 * @throws UserError not_found when it does not say so in time
 */
export async function orderDrain({ bus }: Pick<Domain, "bus">, processId: string, isDrained: boolean): Promise<void> {
  const obeyed = Promise.withResolvers<void>();
  const unsubscribe = bus.subscribe("operator:report", ({ id, workerState }) => {
    if (id !== processId || workerState === null || workerState === undefined) return;
    if ((workerState !== "working") === isDrained) obeyed.resolve();
  });
  const noAnswer = new UserError("not_found", "No worker with this id answers. It may have ended.");
  const timer = setTimeout(() => obeyed.reject(noAnswer), ANSWER_MS);
  try {
    bus.publish("worker:drain", { id: processId, isDrained });
    bus.publish("operator:asked", {});
    await obeyed.promise;
  } finally {
    clearTimeout(timer);
    unsubscribe();
  }
}

/** @returns a function that ends the subscription */
export function watchDrain(
  bus: Pick<Bus, "subscribe">,
  ownId: string,
  apply: (isDrained: boolean) => void,
): () => void {
  return bus.subscribe("worker:drain", ({ id, isDrained }) => {
    if (id === ownId) apply(isDrained);
  });
}
