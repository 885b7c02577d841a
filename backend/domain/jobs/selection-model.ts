/** Links that were chosen from a list. They become jobs of one batch, some at a time: see selections.ts. */
import { Schema, type Model } from "mongoose";
import { opensModel, storedIn } from "../database/open-model.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import { Format } from "../../../common/tiers.ts";
import type { Call } from "../call.ts";

export interface StoredSelection {
  /** The batch id of its jobs. */
  _id: string;
  /** The device that sent it. */
  deviceId: string;
  userId: string;
  /** Of the list. */
  title: string;
  /** Canonical, in the order in which they are queued. Empty once the selection has ended. */
  links: string[];
  /** Number of chosen links. */
  total: number;
  /** How many of the links have become jobs. */
  queued: number;
  format: Format;
  choices?: ConversionChoices;
  /** The number of each link in the album that the choices name. */
  tracks?: number[];
  /** One more job joins the files; see tapes.ts. */
  asOneFile?: true;
  /** Until then one process adds jobs, and the others leave the selection alone. */
  feedsUntil: Date;
  /** When all links had become jobs, or when the rest was given up. */
  endedAt: Date | null;
  /** Marks the request, so that a repeated one makes no second selection; see repeated-request.ts. */
  requestKey?: string;
  requestDigest?: string;
  /** Held until it ends; see numbered-slots.ts. */
  place?: string;
  /** The call that asked for it. */
  call?: Call;
  createdAt: Date;
}

export type SelectionModel = Model<StoredSelection>;

const schema = new Schema<StoredSelection>(
  {
    _id: { type: String, required: true },
    deviceId: { type: String, required: true },
    userId: { type: String, required: true },
    title: { type: String, required: true },
    links: { type: [String], required: true },
    total: { type: Number, required: true },
    queued: { type: Number, required: true },
    format: { type: String, enum: Format.options, required: true },
    choices: Object,
    tracks: { type: [Number], default: undefined },
    asOneFile: Boolean,
    feedsUntil: { type: Date, required: true },
    endedAt: { type: Date, default: null },
    requestKey: String,
    requestDigest: String,
    place: String,
    call: { type: { id: String, traceparent: String }, _id: false },
    createdAt: { type: Date, required: true },
  },
  { ...storedIn("selections"), minimize: false },
);

schema.index({ userId: 1 });
schema.index({ endedAt: 1, feedsUntil: 1 });
schema.index({ requestKey: 1 }, { unique: true, sparse: true });
schema.index({ place: 1 }, { unique: true, sparse: true });

export const openSelectionModel = opensModel("Selection", schema);
