/**
 * Files that are to be deleted from the store. A removal is recorded before a visitor's job is deleted, or when a file
 * could not be deleted, and forgotten when the file is gone. So the sweeper deletes the file when the process dies in
 * between, or when the store does not answer.
 */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";

export interface FileRemoval {
  /** The key of the file. */
  _id: string;
  since: Date;
}

export type FileRemovalModel = Model<FileRemoval>;

const schema = new Schema<FileRemoval>(
  {
    _id: { type: String, required: true },
    since: { type: Date, required: true },
  },
  storedIn("file_removals"),
);
schema.index({ since: 1 });

export const openFileRemovalModel = opensModel("FileRemoval", schema);

/** A removal that is recorded already keeps its date. */
export async function recordRemovals(
  { fileRemovals }: { readonly fileRemovals: FileRemovalModel },
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const since = new Date();
  await fileRemovals.bulkWrite(
    keys.map((_id) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: { since } }, upsert: true } })),
  );
}
