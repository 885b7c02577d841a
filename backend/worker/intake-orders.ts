/** Takes tickets unless an operator has paused all workers or drained this one. */
import { watchDrain } from "../domain/operator/drain.ts";
import { watchIntake } from "../domain/operator/intake.ts";
import type { JobContext } from "./job-context.ts";
import type { Tickets } from "./tickets.ts";

export interface IntakeOrders {
  isDrained(): boolean;
  stop(): Promise<void>;
}

/**
 * Obeys before this resolves, and after each change.
 * @param workerId by which this worker is drained
 * @param pollMs the pause of all workers is also looked up after this time
 */
export async function followIntakeOrders(
  { domain, log }: Pick<JobContext, "domain" | "log">,
  tickets: Pick<Tickets, "setPaused">,
  workerId: string,
  pollMs: number,
): Promise<IntakeOrders> {
  const orders = { isPaused: false, isDrained: false };
  const obey = (change: Partial<typeof orders>): void => {
    Object.assign(orders, change);
    tickets.setPaused(orders.isPaused || orders.isDrained);
  };
  const pause = await watchIntake(
    domain,
    pollMs,
    (isPaused) => obey({ isPaused }),
    (error) => log.error({ error }, "could not read whether jobs are taken"),
  );
  const unsubscribe = watchDrain(domain.bus, workerId, (isDrained) => {
    obey({ isDrained });
    log.info({ isDrained }, "an operator has drained or resumed this worker");
  });
  return {
    isDrained: () => orders.isDrained,
    stop() {
      unsubscribe();
      return pause.stop();
    },
  };
}
