/** Follows: playlists and channels whose new videos are converted as they come. Schemas of the calls about them. */
import { z } from "zod";
import { ConversionChoices } from "./choices.ts";
import { WireErrorCode } from "./error-codes.ts";
import { JobStatus } from "./job.ts";
import { EntryProblem } from "./lists.ts";
import { WireReason } from "./reasons.ts";
import { Format, Quality } from "./tiers.ts";

/** Most videos of one follow in any 24 hours, and most of those that a list has already. */
export const MAX_VIDEOS_PER_DAY = 20;
export const USUAL_VIDEOS_PER_DAY = 5;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format() !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** Nothing is looked for and nothing is queued from one time of day until the other, which may be on the next day. */
export const QuietHours = z
  .object({ from: TimeOfDay, to: TimeOfDay, timeZone: z.string().max(100).refine(isTimeZone) })
  .refine(({ from, to }) => from !== to, { error: "Quiet hours must begin and end at different times." });
export type QuietHours = z.infer<typeof QuietHours>;

const VideosPerDay = z.number().int().min(1).max(MAX_VIDEOS_PER_DAY);

/** POST /api/follows. */
export const CreateFollow = z.object({
  /** Of the playlist or channel. */
  url: z.string(),
  format: Format.default("mp3"),
  quality: Quality.optional(),
  /** For each of the videos. */
  choices: ConversionChoices.optional(),
  perDay: VideosPerDay.default(USUAL_VIDEOS_PER_DAY),
  quietHours: QuietHours.nullable().default(null),
  /** So many of the videos that the list has already are converted too, the newest ones. */
  newest: z.number().int().min(0).max(MAX_VIDEOS_PER_DAY).default(0),
});
export type CreateFollow = z.infer<typeof CreateFollow>;

/** POST /api/follows/:id. What is left out stays as it is. */
export const ChangeFollow = z
  .object({
    isPaused: z.boolean().optional(),
    perDay: VideosPerDay.optional(),
    /** Null: none. */
    quietHours: QuietHours.nullable().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, { error: "Say what to change." });
export type ChangeFollow = z.infer<typeof ChangeFollow>;

/**
 * What a follow does now. `put_off`: the site takes no more questions of this server for the moment. `failing`: the list
 * could not be read; it is tried again. `blocked`: the operator does not allow it.
 */
export const FollowState = z.enum(["on", "paused", "needs_pro", "quiet", "put_off", "failing", "blocked"]);
export type FollowState = z.infer<typeof FollowState>;

const Failure = z.object({ code: WireErrorCode, message: z.string(), reason: WireReason });

/** A video that has come and waits. */
export const WaitingVideo = z.object({
  link: z.string(),
  title: z.string(),
  /** What it waits for beside its turn. */
  problem: EntryProblem.optional().catch("unavailable"),
});
export type WaitingVideo = z.infer<typeof WaitingVideo>;

/** A video that has become a job, or could not. */
export const CameVideo = z.object({
  link: z.string(),
  title: z.string(),
  at: z.iso.datetime(),
  /** Null when there is none, or when it was removed. */
  job: z.object({ id: z.string(), status: JobStatus, downloadUrl: z.string().optional() }).nullable(),
  /** Why it failed; null when it did not. */
  failure: Failure.nullable(),
});
export type CameVideo = z.infer<typeof CameVideo>;

export const Follow = z.object({
  id: z.string(),
  /** Of the list, canonical. */
  link: z.string(),
  /** Of the list. */
  title: z.string(),
  format: Format,
  choices: ConversionChoices.optional().catch(undefined),
  perDay: z.number().int().positive(),
  quietHours: QuietHours.nullable(),
  createdAt: z.iso.datetime(),
  state: FollowState,
  /** Null while it is paused. */
  nextLookAt: z.iso.datetime().nullable(),
  lastLookAt: z.iso.datetime(),
  /** Of the last look. */
  failure: Failure.nullable(),
  waiting: z.array(WaitingVideo),
  /** The newest first. */
  came: z.array(CameVideo),
});
export type Follow = z.infer<typeof Follow>;

/** Response of GET /api/follows, newest first. */
export const FollowList = z.object({ follows: z.array(Follow) });
export type FollowList = z.infer<typeof FollowList>;
