/** What the operator's page shows of podcast feeds. */
import { DAY_MS } from "../../../common/durations.ts";
import type { FeedFigures } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";

export async function readFeedFigures({ feeds }: Pick<Domain, "feeds">, now: Date = new Date()): Promise<FeedFigures> {
  const [all, readLately] = await Promise.all([
    // Each has a user; the condition lets an index count them.
    feeds.countDocuments({ _id: { $gt: "" } }),
    feeds.countDocuments({ lastReadAt: { $gt: new Date(now.getTime() - DAY_MS) } }),
  ]);
  return { all, readLately };
}
