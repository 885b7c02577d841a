/**
 * What the messages of yt-dlp mean, for visitors and for the next attempt. One table for its errors and its warnings.
 */
import type { ConversionErrorCode } from "../../../common/errors.ts";
import type { ExactReason, Reason } from "../../../common/reasons.ts";
import { startOfVideo, STARTS_LATER } from "./start-of-video.ts";
import type { RefusedParty } from "./site-refusal.ts";

export interface Rule {
  readonly pattern: RegExp;
  readonly code: ConversionErrorCode;
  readonly isTransient?: boolean;
  /** Names the sentence for the visitor; by default that of the code. */
  readonly exact?: ExactReason;
  /** Why exactly, with figures; undefined where the match has none. */
  readonly reason?: (match: RegExpExecArray, nowMs: number) => Reason | undefined;
  /** What the site refuses, if another client or exit may get the video. */
  readonly refuses?: RefusedParty;
}

/** A part of the operator's kit for YouTube that does not work: an account's cookies, or the provider of tokens. */
export type YouTubeNotice = "cookies" | "tokens";

/** The plugin of the token provider prints both; the formats that need a token are left out then. */
const NO_TOKEN = /Error (?:reaching (?:GET|POST) \S*\/(?:ping|get_pot)|fetching PO Token from)/i;

/** What yt-dlp says about the kit, beside the error or the formats of a video. */
export const NOTICES: readonly { readonly pattern: RegExp; readonly notice: YouTubeNotice }[] = [
  { pattern: /account cookies are no longer valid/i, notice: "cookies" },
  { pattern: NO_TOKEN, notice: "tokens" },
];

/** yt-dlp prints it, beside the formats of a video, when it is asked to write subtitles. */
export const SUBTITLES_WITHHELD = /^WARNING: .*missing subtitles languages because a PO token was not provided/im;

/** Messages with words in them that channels, holders of rights and visitors choose. */
const NAMING_RULES: readonly Rule[] = [
  { pattern: /available to this channel's members/i, code: "members_only" },
  { pattern: /copyright claim|copyright infringement/i, code: "unavailable", exact: "removed_for_copyright" },
  { pattern: /blocked it in your country/i, code: "geo_blocked" },
  { pattern: /contains content from|This channel does not have a \S+ tab/i, code: "unavailable" },
];

/**
 * The first match decides, so specific rules come before general ones. Those of messages with foreign words come before
 * all, so that no name is read as a refusal. Patterns of refusals and of a full disk have a space in them: parts of
 * YouTube links, which yt-dlp prints within other messages, have none.
 */
export const RULES: readonly Rule[] = [
  ...NAMING_RULES,
  { pattern: /No space left on device|Errno 28\b|Disk quota exceeded/i, code: "storage", isTransient: false },
  // A redirect or a segment that names a local file or a strange scheme.
  {
    pattern: /No connection adapters were found|Unsupported url scheme|file:\/\/ (?:URLs|scheme)/i,
    code: "unsupported_host",
  },
  {
    pattern: /confirm you.re not a bot|automated (?:requests|queries)|unusual traffic/i,
    code: "site_blocked",
    isTransient: false,
    refuses: "either",
  },
  {
    pattern: /requiring a captcha challenge|solve a captcha|pass the captcha on the site/i,
    code: "site_blocked",
    isTransient: false,
    refuses: "either",
  },
  {
    pattern: /rate-limited by YouTube|content isn't available, try again later|Your IP is likely being blocked/i,
    code: "site_blocked",
    isTransient: true,
    refuses: "exit",
  },
  { pattern: /page needs to be reloaded/i, code: "site_blocked", isTransient: true, refuses: "client" },
  {
    pattern: /Music Premium members/i,
    code: "members_only",
    exact: "music_premium",
  },
  {
    pattern: /members.only|Join this channel to get access/i,
    code: "members_only",
  },
  {
    pattern: STARTS_LATER,
    code: "live",
    reason: startOfVideo,
  },
  {
    pattern: /This live event|live event (?:will begin|has ended)|Premieres? (?:in|will begin)|\bis live\b|livestream/i,
    code: "live",
  },
  {
    pattern: /Private video|(?:video|playlist) is private/i,
    code: "private",
  },
  {
    pattern: /Sign in to|[Ll]og ?in (?:is )?(?:required|to)|requires? (?:authentication|log ?in)|account credentials/,
    code: "login_required",
  },
  { pattern: /Use --cookies|--username|confirm your age|age.restricted/, code: "login_required" },
  { pattern: /geo.?restrict/i, code: "geo_blocked" },
  {
    pattern: /not (?:made this video )?available (?:in|from) your (?:country|location|region)/i,
    code: "geo_blocked",
  },
  { pattern: /\bplaylist\b.*(?:does not exist|unviewable)/i, code: "unavailable" },
  // Tokens come back with their provider. yt-dlp is as good as before, so this is not "site_changed".
  { pattern: NO_TOKEN, code: "site_blocked", isTransient: true, refuses: "client" },
  { pattern: /HTTP Error 429|Too Many Requests/i, code: "site_blocked", isTransient: true, refuses: "exit" },
  { pattern: /HTTP Error 503\b/i, code: "site_blocked", isTransient: true },
  // The egress guard answers 590 to 599: the name does not resolve, or the host refuses connections.
  { pattern: /HTTP Error 59\d|HTTP Error 504\b/i, code: "network" },
  { pattern: /HTTP Error 5\d\d/i, code: "site_blocked", isTransient: true },
  { pattern: /HTTP Error (?:403|451|[6-9]\d\d)\b|Cloudflare anti-bot/i, code: "site_blocked", isTransient: false },
  { pattern: /HTTP Error 401|HTTP Error 407/i, code: "login_required" },
  { pattern: /HTTP Error 408\b/i, code: "timeout" },
  { pattern: /HTTP Error 4\d\d\b/i, code: "unavailable" },
  // A redirect loop, or too many redirects.
  {
    pattern: /HTTP Error 3\d\d|Redirect loop detected|redirect count exceeded/i,
    code: "unavailable",
    exact: "leads_nowhere",
  },
  { pattern: /downloaded file is empty|Did not get any data blocks/i, code: "unavailable" },
  { pattern: /read operation timed out|Read timed out|connect timeout|timed out/i, code: "timeout" },
  { pattern: /bytes read, \d+ more expected|content too short|IncompleteRead/i, code: "network" },
  {
    pattern: /Connection (?:reset|aborted|refused)|RemoteDisconnected|Remote end closed|Broken pipe/i,
    code: "network",
  },
  {
    pattern: /Failed to resolve|Name or service not known|Temporary failure in name resolution|Network is unreachable/i,
    code: "network",
  },
  { pattern: /Unable to connect to proxy|TransportError|SSLError/i, code: "network" },
  {
    pattern: /Unsupported URL|No suitable extractor|no video on this page/i,
    code: "unavailable",
  },
  {
    pattern: /Video unavailable|(?<!Requested format is )not available|no longer available|DRM protected/i,
    code: "unavailable",
  },
  {
    pattern: /has been removed|removed by the (?:user|uploader)|account .* terminated/i,
    code: "unavailable",
  },
];

/** The site's player script has changed, and the solver cannot read it. */
export const UNSOLVED_CHALLENGE: Rule = {
  pattern: /(?:Signature|n challenge) solving failed/i,
  code: "site_changed",
  refuses: "client",
};

/**
 * Messages that only say that yt-dlp got nothing. The warnings before them often say why, so they are looked at when no
 * rule matches those.
 */
export const VAGUE_RULES: readonly Rule[] = [
  // Without a solution of the challenges, or with streaming by the site's own protocol alone, no format is left.
  {
    pattern: /\[youtube\].*(?:No video formats? found|Requested format is not available)/i,
    code: "site_changed",
    refuses: "client",
  },
  { pattern: /No video formats? found|Requested format is not available/i, code: "unavailable" },
  {
    pattern: /Failed to extract any player response|An extractor error has occurred|please report this issue on/i,
    code: "site_changed",
    refuses: "client",
  },
];
