/**
 * Reasons of errors whose sentence says more than that of their code. Pages word a reason in their language; the sentences
 * are for the `message` of the REST interface and for the English catalogue.
 */
import { z } from "zod";
import type { REASON_SENTENCES } from "./reason-sentences.ts";
import { BYTES_PER_MB, Format } from "./tiers.ts";

/** Of the code "internal": the page tells it from the message of a code that it does not know. */
export const INTERNAL_SENTENCE = "Something went wrong on our side. Retry, and contact us if it happens again.";

/** Reasons without figures; their sentences are in errors.ts. */
export const EXACT_REASONS = [
  "no_sound",
  "no_such_sound",
  "no_subtitles_at_all",
  "no_text_in_part",
  "no_sound_in_part",
  "nothing_in_part",
  "subtitles_not_given",
  "not_readable",
  "file_damaged",
  "sound_not_readable",
  "picture_only",
  "copy_protected",
  "form_not_fetched",
  "wants_browser",
  "not_live_now",
  "refused_by_site",
  "music_premium",
  "paid_video",
  "restricted_mode",
  "removed_for_copyright",
  "live_just_ended",
  "still_processing",
  "script_not_run",
  "long_advertisement",
  "owner_blocked",
  "too_large_to_open",
  "too_many_pieces",
  "needs_too_much_memory",
  "took_too_long",
  "leads_nowhere",
  "stopped_too_often",
  "no_songs",
  "link_cut_off",
  "own_list",
  "mix",
  "live_embed",
  "search_page",
  "no_video_page",
  "empty_list",
  "listed_twice",
  "no_valid_link",
  "no_video_link",
  "file_gone",
  "ended_before_cancel",
  "pro_granted",
  "pro_by_credit",
  "payment_overdue",
  "subscription_paused",
  "payment_disputed",
  "payment_confirming",
  "webhook_address",
] as const;
export type ExactReason = (typeof EXACT_REASONS)[number];

const seconds = z.number().positive();
const bytes = z.number().positive();

/** Fields with `pro` are null where Pro has no higher limit, or one that is too low as well. */
export const Reason = z.discriminatedUnion("name", [
  z.object({ name: z.literal("longer_than_plan"), maxSeconds: seconds, proMaxSeconds: seconds.nullable() }),
  /** `neededBytes`: size of the result at the lowest quality. */
  z.object({
    name: z.literal("result_too_large"),
    neededBytes: bytes,
    maxBytes: bytes,
    proMaxBytes: bytes.nullable(),
  }),
  /** `neededBytes`: size of the result in a format that has no lower quality. */
  z.object({ name: z.literal("file_too_large"), neededBytes: bytes, maxBytes: bytes, proMaxBytes: bytes.nullable() }),
  /** `sourceBytes`: what has to be fetched, even for a small result. */
  z.object({
    name: z.literal("source_too_large"),
    sourceBytes: bytes,
    maxBytes: bytes,
    proMaxBytes: bytes.nullable(),
  }),
  z.object({ name: z.literal("too_many_requests"), retryAfterSeconds: seconds }),
  z.object({ name: z.literal("too_many_active"), active: z.number().int().min(0), most: z.number().int().min(0) }),
  z.object({ name: z.literal("links_at_once"), most: z.number().int().positive() }),
  z.object({ name: z.literal("format_for_pro"), format: Format }),
  z.object({ name: z.literal("chapter_files_for_pro") }),
  /** `precision`: the site says only in how many of these units it starts. */
  z.object({
    name: z.literal("starts_later"),
    startsAt: z.iso.datetime(),
    precision: z.enum(["minute", "hour", "day"]),
  }),
  z.object({ name: z.enum(EXACT_REASONS) }),
]);
export type Reason = z.infer<typeof Reason>;

/** On the wire: a reason of a newer server is left out, and the page uses the error's code. */
export const WireReason = Reason.optional().catch(undefined);

/** @returns whole megabytes, rounded up, so that a size above a limit never reads as equal to it */
export function ceilMegabytes(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BYTES_PER_MB);
}

/** "50 MB", decimal like the tiers. */
export function describeSize(sizeBytes: number): string {
  return `${ceilMegabytes(sizeBytes)} MB`;
}

/** A reason that a conversion may fail with. */
export type LimitReason = Extract<Reason, { name: keyof typeof REASON_SENTENCES }>;

/** @returns the English sentence about a video that starts later, with the time in UTC */
export function startsLaterSentence({ startsAt, precision }: Extract<Reason, { name: "starts_later" }>): string {
  const [day = "", time = ""] = startsAt.split("T");
  const when = precision === "day" ? day : `${day} ${time.slice(0, 5)} UTC`;
  return `This video starts around ${when}. Come back when it has ended.`;
}

/** @returns the sentence in the language of the sentences and figures */
export function sentenceOfLimit(
  reason: LimitReason,
  sentences: typeof REASON_SENTENCES,
  span: (seconds: number) => string,
  size: (bytes: number) => string,
): string {
  const orNull = (figure: number | null, word: (figure: number) => string) => (figure === null ? null : word(figure));
  switch (reason.name) {
    case "longer_than_plan":
      return sentences.longer_than_plan(span(reason.maxSeconds), orNull(reason.proMaxSeconds, span));
    case "result_too_large":
    case "file_too_large":
      return sentences[reason.name](size(reason.neededBytes), size(reason.maxBytes), orNull(reason.proMaxBytes, size));
    case "source_too_large":
      return sentences.source_too_large(
        size(reason.sourceBytes),
        size(reason.maxBytes),
        orNull(reason.proMaxBytes, size),
      );
  }
}
