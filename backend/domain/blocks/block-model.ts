/** The block list as it is stored: its entries, the log of all changes, and a number that grows with every change. */
import { Schema, type Connection, type Model } from "mongoose";
import { storedIn } from "../database/open-model.ts";
import { BlockKind } from "../../../common/block-kinds.ts";

/**
 * What was done about an entry: "new" until a process has ended jobs and deleted copies, "applied" until that was done
 * again, after all processes have heard of the entry.
 */
export type BlockState = "new" | "applied" | "settled";

export interface StoredBlock {
  /** Kind and value, with a colon between them. */
  _id: string;
  kind: BlockKind;
  value: string;
  /** Of a video: its codes by other addresses, as jobs for it have found out. Absent: none. */
  also?: string[];
  reason: string;
  by: string;
  createdAt: Date;
  /** The entry ends by itself at this time. */
  until: Date | null;
  state: BlockState;
  /** When the next step is due; a process that takes it moves this on, so that no other one takes it too. */
  dueAt: Date;
}

export type BlockAction = "added" | "changed" | "removed" | "ended" | "applied";

/** A line of the log. Lines are only added, until the sweeper deletes them after their retention. */
export interface BlockLogLine {
  at: Date;
  by: string;
  action: BlockAction;
  kind: BlockKind;
  value: string;
  reason?: string;
  until?: Date;
  /** Of the action "applied": jobs that were ended, and files and pictures that were deleted. */
  endedJobs?: number;
  files?: number;
  pictures?: number;
}

export interface BlockVersion {
  _id: string;
  version: number;
}

export interface BlockModels {
  readonly entries: Model<StoredBlock>;
  readonly log: Model<BlockLogLine>;
  readonly versions: Model<BlockVersion>;
}

const entrySchema = new Schema<StoredBlock>(
  {
    _id: { type: String, required: true },
    kind: { type: String, enum: BlockKind.options, required: true },
    value: { type: String, required: true },
    also: { type: [String], default: undefined },
    reason: { type: String, required: true },
    by: { type: String, required: true },
    createdAt: { type: Date, required: true },
    until: { type: Date, default: null },
    state: { type: String, enum: ["new", "applied", "settled"], required: true },
    dueAt: { type: Date, required: true },
  },
  storedIn("blocks"),
);
entrySchema.index({ state: 1, dueAt: 1 });
entrySchema.index({ until: 1 });

const logSchema = new Schema<BlockLogLine>(
  {
    at: { type: Date, required: true },
    by: { type: String, required: true },
    action: { type: String, enum: ["added", "changed", "removed", "ended", "applied"], required: true },
    kind: { type: String, enum: BlockKind.options, required: true },
    value: { type: String, required: true },
    reason: String,
    until: Date,
    endedJobs: Number,
    files: Number,
    pictures: Number,
  },
  storedIn("block_log"),
);
logSchema.index({ at: 1 });

const versionSchema = new Schema<BlockVersion>(
  { _id: { type: String, required: true }, version: { type: Number, required: true } },
  storedIn("block_versions"),
);

/** Opens the models and creates their missing indexes. */
export async function openBlockModels(connection: Connection): Promise<BlockModels> {
  const entries = connection.model<StoredBlock>("Block", entrySchema);
  const log = connection.model<BlockLogLine>("BlockLogLine", logSchema);
  await entries.createIndexes();
  await log.createIndexes();
  const versions = connection.model<BlockVersion>("BlockVersion", versionSchema);
  await versions.createCollection();
  return { entries, log, versions };
}
