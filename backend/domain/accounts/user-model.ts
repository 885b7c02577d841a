/** A stored user: a person who has signed in. Every check of the tier uses this record. */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import { Tier } from "../../../common/tiers.ts";

export interface StoredUser {
  _id: string;
  /** Issuer and subject of the identity provider's token; together they identify one person permanently. */
  issuer: string;
  subject: string;
  /** In lower case. */
  email: string;
  /** Whether the identity provider has verified the address; absent until the next sign-in of an older account. */
  isEmailVerified?: boolean;
  firstName?: string;
  /** "pro" if one of the next two fields is. */
  tier: Tier;
  /** Tier granted by an operator. */
  grantedTier: Tier;
  /** Tier paid by a subscription. */
  subscriptionTier: Tier;
  /** Number of the billing read-back that set `subscriptionTier`; an earlier read-back must not overwrite it. */
  subscriptionRead: number;
  /**
   * Time of the last change of tier or subscription. Web processes poll for it, so that browsers are informed of a
   * change that another process made.
   */
  tierChangedAt: Date;
  /** May use the operator's page; see operator/operators.ts. */
  isOperator?: boolean;
  createdAt: Date;
  /** Set when the account was deleted; the record is removed later. */
  deletedAt: Date | null;
  /** Set when the jobs and files of a deleted account have been cleared a second time; see `finishDeletions`. */
  isCleared?: boolean;
}

export type UserModel = Model<StoredUser>;

const schema = new Schema<StoredUser>(
  {
    _id: { type: String, required: true },
    issuer: { type: String, required: true },
    subject: { type: String, required: true },
    email: { type: String, default: "" },
    isEmailVerified: Boolean,
    firstName: String,
    tier: { type: String, enum: Tier.options, required: true },
    grantedTier: { type: String, enum: Tier.options, default: "free" },
    subscriptionTier: { type: String, enum: Tier.options, default: "free" },
    subscriptionRead: { type: Number, default: 0 },
    tierChangedAt: { type: Date, required: true },
    isOperator: Boolean,
    createdAt: { type: Date, required: true },
    deletedAt: { type: Date, default: null },
    isCleared: Boolean,
  },
  storedIn("users"),
);

schema.index({ issuer: 1, subject: 1 }, { unique: true });
schema.index({ email: 1 });
schema.index({ tierChangedAt: 1 });
schema.index({ deletedAt: 1 });
schema.index({ subscriptionTier: 1 });

export const openUserModel = opensModel("User", schema);
