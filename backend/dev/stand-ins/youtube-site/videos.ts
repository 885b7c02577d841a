/** The videos of the YouTube-shaped site, by id: those that play, and one for each way in which the site refuses. */

/** `playabilityStatus` of a player response. */
export interface PlayabilityStatus {
  readonly status: string;
  readonly reason?: string;
  readonly [more: string]: unknown;
}

export interface Video {
  /** What a reader of a test needs to know about it. */
  readonly about: string;
  readonly title: string;
  readonly refusal?: PlayabilityStatus;
  /** Clients, by the name in their calls, that get the video although it is refused to the others. */
  readonly allowedClients?: readonly string[];
  /** Status of the watch page and of every call. */
  readonly pageStatus?: number;
  /** Status of media requests: of the first `times`, or of all. */
  readonly mediaStatus?: { readonly status: number; readonly times?: number; readonly retryAfterSeconds?: number };
  /** No client gets addresses: only the site's own streaming protocol would play it. */
  readonly isSabrOnly?: boolean;
  /** Media is refused until this long after the player call. */
  readonly adSeconds?: number;
  readonly live?: "now" | "upcoming" | "ended";
  readonly startsInSeconds?: number;
  /** Highest picture that is offered. */
  readonly maxHeightLines?: number;
  /** Offers each sound with compressed dynamics too, of the same size. */
  readonly hasDrcSound?: boolean;
  /** Offers an upscaled 1080p picture beside a true one of 480 lines. */
  readonly hasUpscaledPicture?: boolean;
  /** Languages of the sound; the first is the original. */
  readonly languages?: readonly string[];
}

function refused(status: string, reason: string, subreason?: string): PlayabilityStatus {
  const playerErrorMessageRenderer = {
    reason: { simpleText: reason },
    ...(subreason === undefined ? {} : { subreason: { simpleText: subreason } }),
  };
  return { status, reason, errorScreen: { playerErrorMessageRenderer } };
}

const BOT_CHECK = refused(
  "LOGIN_REQUIRED",
  "Sign in to confirm you’re not a bot",
  "This helps protect our community. Learn more",
);

const AGE_GATE: PlayabilityStatus = {
  ...refused("LOGIN_REQUIRED", "Sign in to confirm your age", "This video may be inappropriate for some users."),
  desktopLegacyAgeGateReason: 1,
};

const unavailable = (subreason: string): PlayabilityStatus => refused("ERROR", "Video unavailable", subreason);

function video(about: string, behaviour: Omit<Video, "about" | "title"> = {}): Video {
  return { about, title: `A video: ${about}`, ...behaviour };
}

const table = {
  // Play.
  "plain-video": video("every client gets it"),
  "needs-scrip": video("clients without a script are refused", {
    refusal: BOT_CHECK,
    allowedClients: ["WEB", "TVHTML5", "WEB_EMBEDDED_PLAYER"],
  }),
  "only-format": video("the web client alone gets it, as format 18", { refusal: BOT_CHECK, allowedClients: ["WEB"] }),
  "age-embedde": video("age gate that the embedded player passes", {
    refusal: AGE_GATE,
    allowedClients: ["WEB_EMBEDDED_PLAYER"],
  }),
  "ad-before-1": video("an ad of 2 seconds before it", { adSeconds: 2 }),
  "media-twice": video("media is refused twice, then given", { mediaStatus: { status: 403, times: 2 } }),
  "drc-sound-1": video("compressed sound beside the plain one", { hasDrcSound: true }),
  "upscaled-10": video("upscaled picture beside the true one", { hasUpscaledPicture: true, maxHeightLines: 480 }),
  "dubbed-in-3": video("three languages", { languages: ["fr", "en", "de"] }),
  "small-video": video("nothing above 360 lines", { maxHeightLines: 360 }),

  // Refused for a while.
  "bot-check-1": video("bot check", { refusal: BOT_CHECK }),
  "rate-limite": video("session rate limit", {
    refusal: refused("UNPLAYABLE", "This content isn't available, try again later."),
  }),
  "reload-page": video("the page must be reloaded", {
    refusal: refused("UNPLAYABLE", "The page needs to be reloaded."),
  }),
  "captcha-one": video("captcha", {
    refusal: {
      status: "UNPLAYABLE",
      reason: "Playback unavailable",
      errorScreen: { playerCaptchaViewModel: { title: "x" } },
    },
  }),
  "pages-429-1": video("429 to page and calls", { pageStatus: 429 }),
  "pages-500-1": video("500 to page and calls", { pageStatus: 500 }),
  "media-403-1": video("403 to all media", { mediaStatus: { status: 403 } }),
  "media-429-1": video("429 to all media", { mediaStatus: { status: 429, retryAfterSeconds: 1 } }),
  "sabr-only-1": video("no client gets addresses", { isSabrOnly: true }),

  // Refused for good.
  "private-one": video("private", {
    refusal: refused("LOGIN_REQUIRED", "Private video", "Sign in if you've been granted access to this video"),
  }),
  "members-one": video("members only", {
    refusal: refused(
      "UNPLAYABLE",
      "Join this channel to get access to members-only content like this video, and other exclusive perks.",
    ),
  }),
  "premium-one": video("Music Premium", {
    refusal: refused("UNPLAYABLE", "This video is only available to Music Premium members"),
  }),
  "removed-one": video("removed", { refusal: unavailable("This video has been removed by the uploader") }),
  terminated1: video("account closed", {
    refusal: unavailable(
      "This video is no longer available because the YouTube account associated with this video has been terminated.",
    ),
  }),
  "copyright-1": video("removed for copyright", {
    refusal: unavailable("This video is no longer available due to a copyright claim by Example Records"),
  }),
  copyrightgb: video("blocked in this country for copyright", {
    refusal: refused(
      "UNPLAYABLE",
      "Video unavailable",
      "This video contains content from Example Records, who has blocked it in your country on copyright grounds",
    ),
  }),
  "geo-blocked": video("blocked in this country", {
    refusal: refused(
      "UNPLAYABLE",
      "Video unavailable",
      "The uploader has not made this video available in your country",
    ),
  }),
  "age-gate-01": video("age gate for every client", { refusal: AGE_GATE }),
  "live-now-01": video("live now", { live: "now" }),
  "live-ended1": video("a live broadcast that has ended and is still processed", { live: "ended" }),
  "premiere-01": video("a premiere to come", {
    live: "upcoming",
    startsInSeconds: 7_200,
    refusal: { ...refused("LIVE_STREAM_OFFLINE", "Premieres in 2 hours"), liveStreamability: {} },
  }),
  "live-to-com": video("a live broadcast to come", {
    live: "upcoming",
    startsInSeconds: 10_800,
    refusal: { ...refused("LIVE_STREAM_OFFLINE", "This live event will begin in 3 hours."), liveStreamability: {} },
  }),
} satisfies Readonly<Record<string, Video>>;

export type VideoId = keyof typeof table;
export const VIDEOS: Readonly<Record<VideoId, Video>> = table;

/**
 * Ids such as `plain-00001` are the plain video under another id, for tests that need many.
 * @returns undefined for an unknown id
 */
export function findVideo(id: string): Video | undefined {
  if (Object.hasOwn(table, id)) return VIDEOS[id as VideoId];
  return /^plain-\d{5}$/.test(id) ? VIDEOS["plain-video"] : undefined;
}

/** The answer to an exit that the site treats as a bot. */
export const BOT_CHECK_STATUS = BOT_CHECK;
export const RELOAD_STATUS = VIDEOS["reload-page"].refusal;
