/**
 * The sentence that users read for each error code, which tells them what to do next, and the errors that have them. Pages
 * take the codes from error-codes.ts: the sentences are in their catalogue in English, and not in their first scripts.
 */
import { REMEDIES, type ConversionErrorCode, type ErrorCode } from "./error-codes.ts";
import { INTERNAL_SENTENCE, type ExactReason, type Reason } from "./reasons.ts";

export * from "./error-codes.ts";

const ACCESS_BLOCKED =
  "The operator of this site has blocked your network, browser or account. If you think that is wrong, contact us.";

/** Of {@link SENTENCES} those that English pages say themselves: for all other errors they show the server's message. */
export const OWN_SENTENCES = {
  invalid_link: "Please enter a valid YouTube URL",
  unsupported_host: "This link leads to a place Tapedeck does not open. Try a link from a supported site.",
  blocked:
    "This video, or the place it comes from, is blocked here by the operator of this site. If you think that is wrong, contact us.",
  internal: INTERNAL_SENTENCE,
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Default sentence for each code; an error may carry a more exact one. */
export const SENTENCES: Readonly<Record<ErrorCode, string>> = {
  ...OWN_SENTENCES,
  unavailable: "There is no video at this link any more. Check the link and try again.",
  private: "This video is private. Ask its owner to make it public, then paste the link again.",
  members_only: "This video is for paying members of its channel only, so it cannot be converted.",
  login_required: "This video can only be seen after signing in at its site, so it cannot be converted.",
  geo_blocked: "This video is not available in the country our server is in.",
  live: "This is a live stream. Come back when it has ended.",
  playlist:
    "This link is a list of videos. Paste it alone on the home page to choose from it, or paste the link of one of them.",
  too_long: "This video is longer than your plan allows.",
  too_large: "This video does not fit the file size your plan allows.",
  part_outside: "This video ends before that part. Choose an earlier start.",
  no_subtitles: "This video has no subtitles in that language. Choose another language, or none.",
  no_chapters: "This video has no chapters. Convert it as one file.",
  site_blocked: "The video site is refusing us at the moment. Retry in a few minutes.",
  site_changed: "The video site has changed, and we have to catch up with it. We know of it: retry in a few hours.",
  busy: "The video site asks us to wait. Retry in a while.",
  network: "The connection to the video site broke. Retry in a moment.",
  timeout: "The video site stopped sending. Retry in a moment.",
  storage: "There is no room to store the file at the moment. Retry in a few minutes.",
  bad_request: "The request could not be read. Reload the page and try again.",
  bad_origin: "The request did not come from this site. Reload the page and try again.",
  sign_in_required: "Please sign in first.",
  fresh_sign_in_required: "Please sign in once more first, so that we know it is you.",
  invalid_token: "This token does not work any more. Make a new one on your dashboard.",
  missing_scope: "This token may not do that. Make one on your dashboard that may.",
  pro_required: "This needs Pro.",
  not_found: "That conversion does not exist any more.",
  conflict: "The conversion has changed in the meantime. Reload the page to see how it stands.",
  payload_too_large: "The request is too large.",
  rate_limited: "Too many requests. Wait a moment and try again.",
  network_busy: "Too many conversions, downloads or pages are open from your network. Try again when some have ended.",
  queue_full: "Too many conversions are waiting at the moment. Try again in a few minutes.",
  payment_unconfigured: "Payment system configuration error",
  already_subscribed: "You are already on Pro. Card, invoices and cancelling are behind Manage billing.",
  payment_provider: "The payment provider does not answer at the moment. Nothing was charged; try again in a minute.",
  message_not_sent: "Your message could not be sent. Write to the address on the contact page instead.",
  access_blocked: ACCESS_BLOCKED,
  unavailable_now: "The service cannot answer at the moment. Try again in a few seconds.",
};

/** Of {@link EXACT_SENTENCES} those that a page says itself, before a server has said them. */
export const PAGE_SENTENCES = {
  subtitles_not_given: "The video site did not give us the subtitles. Retry in a few minutes.",
  link_cut_off: "This link is cut off. Copy it again as a whole.",
  own_list: "YouTube shows this list to you alone. Put its videos into a public list and paste the link of that one.",
  mix: "A mix is made for each visitor. Paste the link of one of its videos.",
  live_embed: "This link shows what its channel broadcasts now. Paste the link of one of its videos.",
  search_page: "This link is a search. Paste the link of one of its videos.",
  no_video_page: "This link is a page without a video. Paste the link of one of its videos.",
  empty_list: "There is no video in this list.",
  listed_twice: "This link is in the list twice",
  no_valid_link: "Please enter at least one valid YouTube URL",
  no_video_link: "Please enter a valid link to a video",
} as const satisfies Partial<Record<ExactReason, string>>;
export type PageReason = keyof typeof PAGE_SENTENCES;

/** Sentences that say more than that of their code, by the reasons that pages word in their language. */
export const EXACT_SENTENCES: Readonly<Record<ExactReason, string>> = {
  ...PAGE_SENTENCES,
  no_sound: "This video has no sound to make an MP3 from.",
  no_such_sound: "This video has no sound in that language any more. Choose another language.",
  no_subtitles_at_all: "This video has no subtitles, so there is no transcript of it.",
  no_text_in_part: "There are no subtitles in this part. Choose another part.",
  no_sound_in_part: "There is no sound in this part. Choose another part.",
  nothing_in_part: "There is neither sound nor a picture in this part. Choose another part.",
  not_readable: "What this link leads to is not a video that can be read.",
  file_damaged: "This file is damaged or incomplete, so it cannot be converted. Try another copy of it.",
  picture_only: "This link leads to a picture, not to a video.",
  copy_protected: "This video is protected against copying, so it cannot be converted.",
  form_not_fetched: "This video comes in a form that cannot be fetched here, such as RTMP or Smooth Streaming.",
  wants_browser: "The video site answers browsers only, so this video cannot be converted.",
  not_live_now: "This channel is not live at the moment. Paste the link of one of its recordings.",
  refused_by_site: "The video site does not give this video. Open the link to read why.",
  sound_not_readable: "The sound of this video is in a format that cannot be read here yet, such as xHE-AAC.",
  music_premium: "This song is for Music Premium members only, so it cannot be converted.",
  paid_video: "This video has to be paid for at its site, so it cannot be converted.",
  restricted_mode: "The video site hides this video from our server's network, so it cannot be converted.",
  removed_for_copyright: "This video was removed after a copyright claim.",
  live_just_ended: "This live stream has just ended, and its site still prepares the recording. Retry in a few hours.",
  still_processing: "The video site still prepares this video. Retry in an hour.",
  script_not_run:
    "We could not run the script of the video site that this video may need. The fault is ours: retry later.",
  long_advertisement:
    "The video site wants to show advertisements before this video for longer than we wait. Retry in a while.",
  owner_blocked: ACCESS_BLOCKED,
  too_large_to_open: "What this link leads to is too large to open.",
  too_many_pieces: "This video comes in more pieces than can be fetched.",
  needs_too_much_memory: "This video needs more memory to convert than we have.",
  took_too_long: "Converting this video took too long.",
  leads_nowhere: "This link leads from one address to the next and never to a video. Check the link and try again.",
  stopped_too_often: "Our server stopped three times while it worked on this video. Contact us if you need it.",
  no_songs: "None of the songs could be converted, so there is nothing to join.",
  file_gone: "This file is no longer here. Convert the link again to get a new one.",
  ended_before_cancel: "This conversion has just ended, so there was nothing left to cancel.",
  pro_granted: "You have Pro already, with our compliments: there is nothing to pay.",
  pro_by_credit: "Credit on your account has paid for Pro: it is active, and there is nothing more to pay.",
  payment_overdue: "You have a subscription whose last payment failed. Update the card behind Manage billing.",
  subscription_paused:
    "Your subscription is paused: nothing is charged, and Pro is off. " +
    "Write to us, by the address on the contact page, and it goes on.",
  payment_disputed:
    "Your bank has taken a payment for your subscription back, so Pro is off until that is decided. " +
    "Write to us, by the address on the contact page, if this is a mistake.",
  payment_confirming: "Your payment is being confirmed. Pro appears here in a moment.",
  webhook_address: "A webhook needs an https address on the usual port, without a user name and a password in it.",
};

/** Message and reason of a {@link ConversionError}. */
export interface Explanation {
  readonly message: string;
  readonly reason: Reason;
}

/** @returns the sentence of a reason without figures, with the reason */
export function exactly(name: ExactReason): Explanation {
  return { message: EXACT_SENTENCES[name], reason: { name } };
}

/** Failure of a conversion, thrown by link policy and pipeline and stored with the job. */
export class ConversionError extends Error {
  readonly code: ConversionErrorCode;
  /** Output of the tool, for the log and for operators; visitors never see it. */
  readonly detail: string | undefined;
  /** Whether another attempt may succeed. */
  readonly isTransient: boolean;
  /** Why exactly; absent for most errors. */
  readonly reason: Reason | undefined;

  constructor(
    code: ConversionErrorCode,
    options: { message?: string; reason?: Reason; detail?: string; cause?: unknown; isTransient?: boolean } = {},
  ) {
    super(options.message ?? SENTENCES[code], { cause: options.cause });
    this.name = "ConversionError";
    this.code = code;
    this.reason = options.reason;
    this.detail = options.detail;
    this.isTransient = options.isTransient ?? REMEDIES[code] === "again";
  }
}

/** A rejected request: thrown by domain functions and routes, turned into a response by the one error renderer. */
export class UserError extends Error {
  readonly code: ErrorCode;
  /** Why exactly; absent for most errors. */
  readonly reason: Reason | undefined;

  constructor(code: ErrorCode, message: string = SENTENCES[code], reason?: Reason) {
    super(message);
    this.name = "UserError";
    this.code = code;
    this.reason = reason;
  }

  /** With the sentence of a reason without figures. */
  static because(code: ErrorCode, name: ExactReason): UserError {
    const { message, reason } = exactly(name);
    return new UserError(code, message, reason);
  }
}
