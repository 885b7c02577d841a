/** Stored private feeds: one of an account at most. The key itself is not stored. */
import { Schema, type Model } from "mongoose";
import { LANGUAGE_CODES, type Language } from "../../../common/languages.ts";
import { opensModel, storedIn } from "../database/open-model.ts";

export interface StoredFeed {
  /** The id of its user. */
  _id: string;
  /** SHA-256 of the key, in hex. */
  hash: string;
  /** Of the page where it was made: apps do not say which one their user reads. */
  language: Language;
  createdAt: Date;
  lastReadAt: Date | null;
}

export type FeedModel = Model<StoredFeed>;

const schema = new Schema<StoredFeed>(
  {
    _id: { type: String, required: true },
    hash: { type: String, required: true },
    language: { type: String, enum: LANGUAGE_CODES, required: true },
    createdAt: { type: Date, required: true },
    lastReadAt: { type: Date, default: null },
  },
  storedIn("feeds"),
);

schema.index({ hash: 1 }, { unique: true });
// For the operator's count of those that are read.
schema.index({ lastReadAt: 1 });

export const openFeedModel = opensModel("Feed", schema);
