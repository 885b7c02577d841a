/**
 * Whether workers take new jobs. Kept in the database, so that every worker obeys and a restart changes nothing. Running
 * jobs go on, and visitors may go on asking: their jobs wait.
 */
import type { IntakeState } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";
import { every } from "../every.ts";
import type { OperatorSwitch } from "./operator-models.ts";

type IntakeDomain = Pick<Domain, "operatorRecords" | "bus">;

export async function readIntake({ operatorRecords }: Pick<Domain, "operatorRecords">): Promise<IntakeState> {
  const found = await operatorRecords.switches.findById("intake").lean<OperatorSwitch>();
  return {
    isPaused: found?.isPaused ?? false,
    since: found?.since.toISOString() ?? null,
    by: found?.by ?? null,
  };
}

/** @param by user id of the operator */
export async function setIntake(domain: IntakeDomain, isPaused: boolean, by: string): Promise<void> {
  // A second pause keeps the time of the first.
  if ((await readIntake(domain)).isPaused !== isPaused)
    await domain.operatorRecords.switches.updateOne(
      { _id: "intake" },
      { $set: { isPaused, since: new Date(), by } },
      { upsert: true },
    );
  domain.bus.publish("intake:changed", {});
}

/**
 * Tells a worker whether to take jobs: now, before this resolves, and after each change. Also polls, because a message
 * between processes may be lost.
 */
export async function watchIntake(
  domain: IntakeDomain,
  pollMs: number,
  apply: (isPaused: boolean) => void,
  onError: (error: unknown) => void,
): Promise<{ stop(): Promise<void> }> {
  let looks = 0;
  const look = async (): Promise<void> => {
    looks += 1;
    const own = looks;
    const { isPaused } = await readIntake(domain);
    // The answer of an earlier look may come later.
    if (own === looks) apply(isPaused);
  };
  await look();
  const unsubscribe = domain.bus.subscribe("intake:changed", () => {
    // Until it is known what has changed: a job that is asked for after a pause is not taken.
    apply(true);
    void look().catch(onError);
  });
  const poll = every(pollMs, look, onError);
  return {
    async stop() {
      unsubscribe();
      await poll.stop();
    },
  };
}
