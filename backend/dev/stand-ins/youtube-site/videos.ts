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
  /** What single clients are told, by the name in their calls. */
  readonly refusals?: Readonly<Record<string, PlayabilityStatus>>;
  /** HTTP status of the calls of single clients. */
  readonly callStatus?: Readonly<Record<string, number>>;
  /** Clients, by the name in their calls, that get the video although it is refused to the others. */
  readonly allowedClients?: readonly string[];
  /** Signed-in visitors get the video although it is refused to guests. */
  readonly isForAccounts?: boolean;
  /** Signed-in visitors get format 18 alone, as with some accounts of YouTube. */
  readonly isPoorForAccounts?: boolean;
  /** Refused to signed-in visitors with a sentence that has their cookies in it. */
  readonly isTellingCookies?: boolean;
  /** Only the mobile client gets addresses, which need a token. */
  readonly isTokenOnly?: boolean;
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
  readonly description?: string;
  /** Has automatic subtitles in German, beside those in English that somebody has written. */
  readonly hasAutomaticSubtitles?: boolean;
  /** Clients, by the name in their calls, that are given those that somebody has written only with a token; true: all. */
  readonly withholdsSubtitlesFrom?: readonly string[] | true;
  /** Clients, by the name in their calls, whose addresses of subtitles are answered with nothing. */
  readonly emptySubtitlesFor?: readonly string[];
  /** The only clients that are told of subtitles; default: all. */
  readonly subtitleClients?: readonly string[];
  /** Those that somebody has written, where they are not plain English ones; the id is of a track that has a name. */
  readonly writtenSubtitles?: { readonly language: string; readonly name: string; readonly trackId: string };
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

const MEMBERS_ONLY = refused(
  "UNPLAYABLE",
  "Join this channel to get access to members-only content like this video, and other exclusive perks.",
);

const PRIVATE = refused("LOGIN_REQUIRED", "Private video", "Sign in if you've been granted access to this video");

/** A screen that a visitor of the site has to close. */
const interstitial = (title: string): PlayabilityStatus => ({
  status: "CONTENT_CHECK_REQUIRED",
  errorScreen: { playerInterstitialRenderer: { content: { interstitialViewModel: { title: { content: title } } } } },
});

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
  "token-only1": video("the mobile client alone gets it, with a token", { isTokenOnly: true }),
  "token-best1": video("without a token there is format 18 only", {
    refusal: BOT_CHECK,
    allowedClients: ["WEB", "MWEB"],
  }),
  "ad-before-1": video("an ad of 2 seconds before it", { adSeconds: 2 }),
  "ad-before-3": video("an ad of 20 seconds before it", { adSeconds: 20 }),
  "ad-before-2": video("an ad of 100 seconds before it", { adSeconds: 100 }),
  // Picture and sound are asked for at the same time, and the first refusal ends both, so a second one may never be sent.
  "media-once1": video("media is refused once, then given", { mediaStatus: { status: 403, times: 1 } }),
  "media-410-1": video("media has ended once, then is given", { mediaStatus: { status: 410, times: 1 } }),
  "media-later": video("429 to the first media request", {
    mediaStatus: { status: 429, times: 1, retryAfterSeconds: 2 },
  }),
  "media-in-9s": video("429 to the first media request, for 9 seconds", {
    mediaStatus: { status: 429, times: 1, retryAfterSeconds: 9 },
  }),
  "drc-sound-1": video("compressed sound beside the plain one", { hasDrcSound: true }),
  "upscaled-10": video("upscaled picture beside the true one", { hasUpscaledPicture: true, maxHeightLines: 480 }),
  "dubbed-in-3": video("three languages", { languages: ["fr", "en", "de"] }),
  "chapters-12": video("chapters in the description, and automatic subtitles", {
    description: "A talk.\n0:00 Welcome\n0:04 The long part\n0:09 Questions\nThanks for listening.",
    hasAutomaticSubtitles: true,
  }),
  "no-captions": video("subtitles for those with a token", { withholdsSubtitlesFrom: true }),
  "captions-tv": video("subtitles that one client gets with a token only, and the others as they are", {
    withholdsSubtitlesFrom: ["VISIONOS"],
  }),
  "captions-no": video("subtitles that one client gets with a token only, and of which no other knows", {
    withholdsSubtitlesFrom: ["VISIONOS"],
    subtitleClients: ["VISIONOS"],
  }),
  "captions-em": video("subtitles whose address gives one client nothing", { emptySubtitlesFor: ["VISIONOS"] }),
  "no-subtitle": video("no subtitles for anybody", { subtitleClients: [] }),
  "named-track": video("subtitles with a name", {
    writtenSubtitles: { language: "en", name: "English - Default", trackId: "ehkg1hFWq8A" },
  }),
  "named-de-01": video("German subtitles with a name", {
    writtenSubtitles: { language: "de", name: "Deutsch - Untertitel", trackId: "CcQ45jRV4-E" },
  }),
  "small-video": video("nothing above 360 lines", { maxHeightLines: 360 }),

  // Refused to one client.
  "app-refused": video("a client of an old version is refused", {
    refusals: {
      VISIONOS: refused(
        "ERROR",
        "The following content is not available on this app.",
        "Watch on the latest version of YouTube.",
      ),
    },
  }),
  "kids-no-emb": video("made for kids, and not to be embedded", {
    description: "This video is made for kids",
    refusals: {
      VISIONOS: unavailable("This video is unavailable"),
      WEB_EMBEDDED_PLAYER: unavailable("Playback on other websites has been disabled by the video owner"),
    },
  }),
  "call-400-01": video("status 400 to the call of one client", { callStatus: { VISIONOS: 400 } }),
  "call-500-01": video("status 500 to the call of one client", { callStatus: { VISIONOS: 500 } }),
  "new-word-01": video("one client is refused in words that nobody has heard", {
    refusals: { VISIONOS: refused("UNPLAYABLE", "This video is on the moon") },
  }),

  // Refused to guests.
  "age-account": video("age gate that an account passes", { refusal: AGE_GATE, isForAccounts: true }),
  "age-acct-18": video("age gate that an account passes, which gets format 18 alone", {
    refusal: AGE_GATE,
    isForAccounts: true,
    isPoorForAccounts: true,
  }),
  "poor-acct-1": video("a bot check for one client, other guests get it, and accounts get format 18 alone", {
    refusals: { VISIONOS: BOT_CHECK },
    isPoorForAccounts: true,
  }),
  "members-acc": video("members only, and the account is a member", { refusal: MEMBERS_ONLY, isForAccounts: true }),
  "bot-account": video("bot check that an account passes", { refusal: BOT_CHECK, isForAccounts: true }),
  "private-acc": video("private, and the account may see it", { refusal: PRIVATE, isForAccounts: true }),
  "token-acct1": video("an age gate that an account passes, with a token", {
    refusal: AGE_GATE,
    isForAccounts: true,
    isTokenOnly: true,
  }),
  "age-telling": video("age gate, and the cookies of visitors in the refusal", {
    refusal: AGE_GATE,
    isTellingCookies: true,
  }),

  // Refused for a while.
  "bot-check-1": video("bot check", { refusal: BOT_CHECK }),
  "rate-limite": video("session rate limit", {
    refusal: refused("UNPLAYABLE", "This content isn't available, try again later."),
  }),
  "reload-page": video("the page must be reloaded", {
    refusal: refused("UNPLAYABLE", "The page needs to be reloaded."),
  }),
  "puzzle-page": video("captcha", {
    refusal: {
      status: "UNPLAYABLE",
      reason: "Playback unavailable",
      errorScreen: { playerCaptchaViewModel: { title: "x" } },
    },
  }),
  "pages-429-1": video("429 to page and calls", { pageStatus: 429 }),
  "pages-500-1": video("500 to page and calls", { pageStatus: 500 }),
  "media-404-1": video("404 to all media", { mediaStatus: { status: 404 } }),
  "media-403-1": video("403 to all media", { mediaStatus: { status: 403 } }),
  "media-429-1": video("429 to all media", { mediaStatus: { status: 429, retryAfterSeconds: 1_800 } }),
  "sabr-only-1": video("no client gets addresses", { isSabrOnly: true }),

  "call-400-02": video("status 400 to the calls of all clients", {
    callStatus: { VISIONOS: 400, TVHTML5: 400 },
    isSabrOnly: true,
  }),
  "new-word-02": video("refused in words that nobody has heard", {
    refusal: refused("UNPLAYABLE", "This video is on the moon"),
  }),

  // Refused for good.
  "self-harm-1": video("a warning before it, for every client", {
    refusal: interstitial("The following content may contain suicide or self-harm topics"),
  }),
  processing1: video("still processed", {
    refusal: refused("UNPLAYABLE", "Video unavailable", "We're processing this video. Check back later."),
  }),
  "pay-to-see1": video("has to be paid for", {
    refusal: refused("UNPLAYABLE", "This video requires payment to watch"),
  }),
  restricted1: video("hidden from the network of a school", {
    refusal: refused(
      "UNPLAYABLE",
      "Video unavailable",
      "This video is restricted. Try signing in with a Google Workspace account.",
    ),
  }),
  "private-one": video("private", { refusal: PRIVATE }),
  "members-one": video("members only", { refusal: MEMBERS_ONLY }),
  "premium-one": video("Music Premium", {
    refusal: refused("UNPLAYABLE", "This video is only available to Music Premium members"),
  }),
  "removed-one": video("removed", { refusal: unavailable("This video has been removed by the uploader") }),
  "captcha-abc": video("gone, and its id has the name of a refusal in it", {
    refusal: unavailable("This video is unavailable"),
  }),
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

/** Videos that have any number of ids, for tests that need many: `plain-00001`, `embed-00001` and so on. */
const NUMBERED: Readonly<Record<string, VideoId>> = { plain: "plain-video", embed: "age-embedde" };

/** @returns undefined for an unknown id */
export function findVideo(id: string): Video | undefined {
  if (Object.hasOwn(table, id)) return VIDEOS[id as VideoId];
  const numbered = NUMBERED[/^([a-z]{5})-\d{5}$/.exec(id)?.[1] ?? ""];
  return numbered && VIDEOS[numbered];
}

/** The answer to an exit that the site treats as a bot. */
export const BOT_CHECK_STATUS = BOT_CHECK;
export const RELOAD_STATUS = VIDEOS["reload-page"].refusal;

/** A refusal that shows what the visitor sent. */
export function tellCookies(cookies: string): PlayabilityStatus {
  return refused("UNPLAYABLE", `Video unavailable to ${cookies}`);
}
