/** Stored follows: a playlist or channel of a user, what is known of it, and what came. */
import { createHash } from "node:crypto";
import { Schema, type Model } from "mongoose";
import type { ConversionChoices } from "../../../common/choices.ts";
import type { ErrorCode } from "../../../common/errors.ts";
import type { QuietHours } from "../../../common/follows.ts";
import type { EntryProblem } from "../../../common/lists.ts";
import type { Reason } from "../../../common/reasons.ts";
import { Format } from "../../../common/tiers.ts";
import type { Call } from "../call.ts";
import { opensModel, storedIn } from "../database/open-model.ts";

export interface StoredFailure {
  code: ErrorCode;
  message: string;
  reason?: Reason;
}

export interface StoredWaiting {
  link: string;
  title: string;
  /** Its site does not give it yet. Such entries are found anew at each look. */
  problem?: EntryProblem;
}

export interface StoredCame {
  link: string;
  title: string;
  at: Date;
  jobId?: string;
  failure?: StoredFailure;
}

export interface StoredFollow {
  /** Made of user and link, so that nobody follows a list twice; see {@link followId}. */
  _id: string;
  userId: string;
  /** The device that asked for it. */
  deviceId: string;
  /** Of the list, canonical. */
  link: string;
  title: string;
  format: Format;
  choices?: ConversionChoices;
  perDay: number;
  quietHours: QuietHours | null;
  /** Codes of videos that are never new again, the last seen first. */
  seen: string[];
  /** How many entries the site said that the list has. */
  count?: number;
  /** Videos that are new and no jobs yet, the oldest first. */
  waiting: StoredWaiting[];
  /** The newest first. */
  came: StoredCame[];
  /** Absent while it is paused. A process that looks moves it on, and is alone until then. */
  nextLookAt?: Date;
  lastLookAt: Date;
  /** Of the last look, and how many failed in a row. */
  failure: StoredFailure | null;
  failures: number;
  /** The last look was put off, because the site could not be asked. */
  isPutOff: boolean;
  /** See numbered-slots.ts. */
  place?: string;
  /** The call that asked for it. */
  call?: Call;
  createdAt: Date;
}

export type FollowModel = Model<StoredFollow>;

export function followId(userId: string, link: string): string {
  return createHash("sha256")
    .update(JSON.stringify([userId, link]))
    .digest("base64url");
}

const schema = new Schema<StoredFollow>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    deviceId: { type: String, required: true },
    link: { type: String, required: true },
    title: { type: String, required: true },
    format: { type: String, enum: Format.options, required: true },
    choices: Object,
    perDay: { type: Number, required: true },
    // Stored as they were judged: nobody but our own code writes them.
    quietHours: { type: Object, default: null },
    seen: { type: [String], required: true },
    count: Number,
    waiting: { type: [Object], required: true },
    came: { type: [Object], required: true },
    nextLookAt: Date,
    lastLookAt: { type: Date, required: true },
    failure: { type: Object, default: null },
    failures: { type: Number, required: true },
    isPutOff: { type: Boolean, required: true },
    place: String,
    call: { type: { id: String, traceparent: String }, _id: false },
    createdAt: { type: Date, required: true },
  },
  { ...storedIn("follows"), minimize: false },
);

schema.index({ userId: 1, createdAt: -1 });
schema.index({ nextLookAt: 1 }, { sparse: true });
schema.index({ place: 1 }, { unique: true, sparse: true });

export const openFollowModel = opensModel("Follow", schema);
