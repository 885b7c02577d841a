/**
 * What has changed about stored data since there is any, oldest first. Each runs once on a database.
 *
 * Processes of the version before are still at work while one runs, so it may only add: what they
 * read stays where they find it, and what they write must do without the change. Taking something
 * away is a migration of the version after, when nobody reads it any more. Each may be cut short by
 * a crash and is then run again from its start. Indexes are not listed here: `openModels` makes those.
 */
import type { Connection } from "mongoose";
import { Tier } from "../../../common/tiers.ts";

export interface Migration {
  /** One more than that of the one before. */
  readonly version: number;
  readonly name: string;
  run(database: NonNullable<Connection["db"]>): Promise<void>;
}

export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    name: "a tier from before there were subscriptions was granted",
    async run(database) {
      const users = database.collection("users");
      for (const tier of Tier.options)
        await users.updateMany(
          { tier, grantedTier: { $exists: false } },
          { $set: { grantedTier: tier, subscriptionTier: "free", subscriptionRead: 0 } },
        );
    },
  },
];

/** What this code expects a database to be at. */
export const CODE_VERSION = MIGRATIONS.at(-1)?.version ?? 0;
