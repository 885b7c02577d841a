/** Stored tokens of accounts. The secret itself is not stored. */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import { TokenScope } from "../../../common/token-calls.ts";

export interface StoredToken {
  _id: string;
  userId: string;
  name: string;
  scopes: TokenScope[];
  /** SHA-256 of the secret, in hex. The secret is random and long, so that nobody can guess it from its hash. */
  hash: string;
  /** The last characters of the secret. */
  ending: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** See numbered-slots.ts. */
  place?: string;
}

export type TokenModel = Model<StoredToken>;

const schema = new Schema<StoredToken>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    name: { type: String, required: true },
    scopes: { type: [String], enum: TokenScope.options, required: true },
    hash: { type: String, required: true },
    ending: { type: String, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    place: String,
  },
  storedIn("tokens"),
);

schema.index({ hash: 1 }, { unique: true });
schema.index({ userId: 1, createdAt: 1 });
schema.index({ place: 1 }, { unique: true, sparse: true });

export const openTokenModel = opensModel("Token", schema);
