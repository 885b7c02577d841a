/** A person who has signed in, as stored. The tier here is the only one that counts. */
import { Schema, type Connection, type Model } from "mongoose";
import { Tier } from "../../../common/tiers.ts";

export interface StoredUser {
  _id: string;
  /** Who vouches for them, and under which name: together they name one person for good. */
  issuer: string;
  subject: string;
  /** In lower case. */
  email: string;
  firstName?: string;
  /** Pro when either of its two sources says so. */
  tier: Tier;
  /** What an operator gave. */
  grantedTier: Tier;
  /** What a subscription pays for. */
  subscriptionTier: Tier;
  /** Which read of the subscription that came from; an earlier read may not overwrite it. */
  subscriptionRead: number;
  /**
   * Also moved when only the subscription behind the tier changed. Looked for by every web process, so that browsers
   * hear of a change wherever it was made.
   */
  tierChangedAt: Date;
  createdAt: Date;
  /** Set: the account is gone to everybody, and the record waits to be removed. */
  deletedAt: Date | null;
  /** Set once it was made sure that nothing of a deleted account is left at work or in store. */
  isCleared?: boolean;
}

export type UserModel = Model<StoredUser>;

const schema = new Schema<StoredUser>(
  {
    _id: { type: String, required: true },
    issuer: { type: String, required: true },
    subject: { type: String, required: true },
    email: { type: String, default: "" },
    firstName: String,
    tier: { type: String, enum: Tier.options, required: true },
    grantedTier: { type: String, enum: Tier.options, default: "free" },
    subscriptionTier: { type: String, enum: Tier.options, default: "free" },
    subscriptionRead: { type: Number, default: 0 },
    tierChangedAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    deletedAt: { type: Date, default: null },
    isCleared: Boolean,
  },
  { versionKey: false, collection: "users", autoCreate: false, autoIndex: false },
);

schema.index({ issuer: 1, subject: 1 }, { unique: true });
schema.index({ email: 1 });
schema.index({ tierChangedAt: 1 });
schema.index({ deletedAt: 1 });

export async function openUserModel(connection: Connection): Promise<UserModel> {
  const model = connection.model<StoredUser>("User", schema);
  await model.createIndexes();
  return model;
}
