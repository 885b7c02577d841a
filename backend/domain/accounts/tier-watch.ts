/**
 * Notices tier changes wherever they were made, by this process, another one or an operator's
 * command, and tells the bus. An indexed look every so often is all it takes.
 */
import type { Domain } from "../domain.ts";
import { every } from "../every.ts";
import type { StoredUser } from "./user-model.ts";

/** Clocks of the machines that write may differ by this much. */
const CLOCK_TOLERANCE_MS = 5_000;

export function watchTiers(
  domain: Domain,
  pollMs: number,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let told = new Map<string, number>();
  let isFirst = true;

  async function look(): Promise<void> {
    const since = new Date(Date.now() - CLOCK_TOLERANCE_MS - pollMs);
    const newest = [...told.values()].reduce((latest, time) => Math.max(latest, time), 0);
    // After a pause of ours, from the last change that was seen on.
    const from = newest === 0 ? since : new Date(Math.min(since.getTime(), newest));
    const changed = await domain.users.find({ tierChangedAt: { $gte: from }, deletedAt: null }).lean<StoredUser[]>();
    const seen = new Map<string, number>();
    for (const { _id, tier, tierChangedAt } of changed) {
      seen.set(_id, tierChangedAt.getTime());
      if (!isFirst && told.get(_id) !== tierChangedAt.getTime()) domain.bus.publish("identity", { userId: _id, tier });
    }
    told = seen;
    isFirst = false;
  }
  const first = look().catch(onError);
  const watch = every(
    pollMs,
    async () => {
      await first;
      await look();
    },
    onError,
  );
  return {
    async stop() {
      await watch.stop();
      await first;
    },
  };
}
