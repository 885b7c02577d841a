/**
 * The usage log: one entry for each completed job, with the job's id. The usage of a month is always computed as the
 * sum of its entries. Writing an entry twice changes nothing, so a crash cannot make the sum wrong.
 */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";

export interface UsageEntry {
  /** The job's id. */
  _id: string;
  /** The device that made the job. */
  deviceId: string;
  /** The user whose usage it is; null for an anonymous device. */
  userId: string | null;
  /** When the job was completed, as YYYY-MM in UTC. */
  month: string;
  sizeBytes: number;
  completedAt: Date;
}

export type UsageModel = Model<UsageEntry>;

const schema = new Schema<UsageEntry>(
  {
    _id: { type: String, required: true },
    deviceId: { type: String, required: true },
    userId: { type: String, default: null },
    month: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
    completedAt: { type: Date, required: true },
  },
  storedIn("usage"),
);
schema.index({ userId: 1, month: 1 });
schema.index({ deviceId: 1, month: 1 });
schema.index({ completedAt: 1 });

export const openUsageModel = opensModel("Usage", schema);
