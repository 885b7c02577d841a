/** Stored tokens of accounts. The secret itself is not stored. */
import type { Model } from "mongoose";
import { opensModel, schemaOf } from "../database/open-model.ts";
import type { TokenScope } from "../../../common/token-calls.ts";

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

const schema = schemaOf<StoredToken>("tokens", { lastUsedAt: null });

schema.index({ hash: 1 }, { unique: true });
schema.index({ userId: 1, createdAt: 1 });
schema.index({ place: 1 }, { unique: true, sparse: true });

export const openTokenModel = opensModel("Token", schema);
