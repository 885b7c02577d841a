/** Links that were chosen from a list. They become jobs of one batch, some at a time: see selections.ts. */
import type { Model } from "mongoose";
import { opensModel, schemaOf } from "../database/open-model.ts";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { Format } from "../../../common/tiers.ts";
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

const schema = schemaOf<StoredSelection>("selections", { endedAt: null });

schema.index({ userId: 1 });
schema.index({ endedAt: 1, feedsUntil: 1 });
schema.index({ requestKey: 1 }, { unique: true, sparse: true });
schema.index({ place: 1 }, { unique: true, sparse: true });

export const openSelectionModel = opensModel("Selection", schema);
