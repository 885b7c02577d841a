/** What the operator's page shows of follows. */
import type { FollowFigures } from "../../../common/operator.ts";
import type { Domain } from "../domain.ts";

export async function readFollowFigures({ follows }: Pick<Domain, "follows">): Promise<FollowFigures> {
  const [all, active, putOff, failing] = await Promise.all([
    // Each has a user; the condition lets an index count them.
    follows.countDocuments({ userId: { $gt: "" } }),
    follows.countDocuments({ nextLookAt: { $gt: new Date(0) } }),
    follows.countDocuments({ nextLookAt: { $gt: new Date(0) }, isPutOff: true }),
    follows.countDocuments({ nextLookAt: { $gt: new Date(0) }, failures: { $gt: 0 } }),
  ]);
  return { all, paused: Math.max(0, all - active), putOff, failing };
}
