import { MINUTE_MS } from "../../../common/durations.ts";
import type { Domain } from "../domain.ts";
import { every } from "../every.ts";
import type { StoredUser } from "./user-model.ts";

/**
 * How long after its time a change may be found in the database: the difference between the clocks of two machines, and a
 * write to a database that is silent for a while, whose time was taken before.
 */
const LATEST_MS = MINUTE_MS;

/**
 * Polls the database for changed tiers and publishes each as `identity`, whether this process, another one or an
 * operator's command made the change. The query uses an index.
 * @param pollMs time between two polls
 */
export function watchTiers(
  domain: Domain,
  pollMs: number,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  /** Time of the last published change of each user, in Unix milliseconds. */
  let published = new Map<string, number>();
  let isFirst = true;

  async function poll(): Promise<void> {
    const since = new Date(Date.now() - LATEST_MS - pollMs);
    const newest = [...published.values()].reduce((latest, time) => Math.max(latest, time), 0);
    // If polling was interrupted, continues from the last change that was seen.
    const from = newest === 0 ? since : new Date(Math.min(since.getTime(), newest));
    const changed = await domain.users.find({ tierChangedAt: { $gte: from }, deletedAt: null }).lean<StoredUser[]>();
    const seen = new Map<string, number>();
    for (const { _id, tier, tierChangedAt } of changed) {
      seen.set(_id, tierChangedAt.getTime());
      const isNew = published.get(_id) !== tierChangedAt.getTime();
      if (!isFirst && isNew) domain.bus.publish("identity", { userId: _id, tier });
    }
    published = seen;
    isFirst = false;
  }
  const first = poll().catch(onError);
  const watch = every(
    pollMs,
    async () => {
      await first;
      await poll();
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
