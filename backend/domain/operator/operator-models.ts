/** What the operator's page stores: the log of what operators did, and the switches that they set for all processes. */
import { Schema, type Connection, type Model } from "mongoose";
import { storedIn } from "../database/open-model.ts";

export interface StoredOperatorLine {
  _id: string;
  at: Date;
  /** User id of the operator; of a command its name and the user of the machine. */
  by: string;
  act: string;
  /** Never an email address: lines outlive accounts. */
  on: string;
  /** "begun", then "done" or the code of an error. */
  result: string;
}

/** Only one so far: whether workers take jobs. */
export interface OperatorSwitch {
  _id: "intake";
  isPaused: boolean;
  since: Date;
  /** User id of the operator. */
  by: string;
}

export interface OperatorModels {
  readonly log: Model<StoredOperatorLine>;
  readonly switches: Model<OperatorSwitch>;
}

const logSchema = new Schema<StoredOperatorLine>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    by: { type: String, required: true },
    act: { type: String, required: true },
    on: { type: String, default: "" },
    result: { type: String, required: true },
  },
  storedIn("operator_log"),
);
logSchema.index({ at: 1 });

const switchSchema = new Schema<OperatorSwitch>(
  {
    _id: { type: String, required: true },
    isPaused: { type: Boolean, required: true },
    since: { type: Date, required: true },
    by: { type: String, required: true },
  },
  storedIn("operator_switches"),
);

/** Opens the models and creates their missing indexes. */
export async function openOperatorModels(connection: Connection): Promise<OperatorModels> {
  const log = connection.model<StoredOperatorLine>("OperatorLogLine", logSchema);
  await log.createIndexes();
  const switches = connection.model<OperatorSwitch>("OperatorSwitch", switchSchema);
  await switches.createCollection();
  return { log, switches };
}
