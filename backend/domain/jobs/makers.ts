/**
 * Which worker is making which file, so that no two make the same: whoever comes second waits for the
 * first. A lease like that of a job: a worker that died holds it for no longer than that.
 */
import { Schema, type Connection, type Model } from "mongoose";
import { isDuplicateKeyError } from "../database/duplicate-key.ts";

export interface Maker {
  /** The key of the conversion. */
  _id: string;
  workerId: string;
  /** For whom it was begun; how far that job is says how far the file is. */
  jobId: string;
  expiresAt: Date;
}

const schema = new Schema<Maker>(
  {
    _id: { type: String, required: true },
    workerId: { type: String, required: true },
    jobId: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false, collection: "makers", autoCreate: false, autoIndex: false },
);
schema.index({ expiresAt: 1 });

/** As one worker sees them. */
export interface Makers {
  /** Null: from now on it is the caller's to make. Otherwise who is at it. */
  take(conversionKey: string, jobId: string): Promise<Maker | null>;
  /** Who is making it now, if anybody. */
  find(conversionKey: string): Promise<Maker | null>;
  /** Extends the caller's lease. */
  renew(conversionKey: string): Promise<void>;
  /** Ends the caller's lease. */
  release(conversionKey: string): Promise<void>;
  /** Forgets those that died. */
  forgetLost(): Promise<void>;
  /** For a process that is alone, at its start: whoever was at it is gone. */
  forgetAll(): Promise<void>;
}

/** Opens the model and creates its missing indexes. */
export async function openMakerModel(connection: Connection): Promise<Model<Maker>> {
  const model = connection.model<Maker>("Maker", schema);
  await model.createIndexes();
  return model;
}

export async function openMakers(
  connection: Connection,
  { workerId, leaseMs }: { readonly workerId: string; readonly leaseMs: number },
): Promise<Makers> {
  const model = await openMakerModel(connection);
  const leaseEnd = () => new Date(Date.now() + leaseMs);
  const find = (conversionKey: string) =>
    model.findOne({ _id: conversionKey, expiresAt: { $gt: new Date() } }).lean<Maker>();

  async function take(conversionKey: string, jobId: string): Promise<Maker | null> {
    for (;;) {
      try {
        await model.updateOne(
          { _id: conversionKey, expiresAt: { $lte: new Date() } },
          { $set: { workerId, jobId, expiresAt: leaseEnd() } },
          { upsert: true },
        );
        return null;
      } catch (error) {
        // There is one whose lease has not ended, or somebody was quicker.
        if (!isDuplicateKeyError(error)) throw error;
      }
      const maker = await find(conversionKey);
      if (maker && maker.jobId !== jobId) return maker;
      if (maker) {
        // For the caller's own job, which whoever began has lost to the caller.
        const taken = await model.updateOne(
          { _id: conversionKey, workerId: maker.workerId, jobId },
          { $set: { workerId, expiresAt: leaseEnd() } },
        );
        if (taken.matchedCount === 1) return null;
      }
      // It has just ended: then it is free, unless a third one is quicker again.
    }
  }

  return {
    take,
    find,
    async renew(conversionKey) {
      await model.updateOne({ _id: conversionKey, workerId }, { $set: { expiresAt: leaseEnd() } });
    },
    async release(conversionKey) {
      await model.deleteOne({ _id: conversionKey, workerId });
    },
    async forgetAll() {
      await model.deleteMany({});
    },
    async forgetLost() {
      await model.deleteMany({ expiresAt: { $lte: new Date(Date.now() - leaseMs) } });
    },
  };
}
