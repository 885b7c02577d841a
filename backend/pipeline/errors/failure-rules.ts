/**
 * What the messages of yt-dlp mean, for visitors and for the next attempt. One table for its errors and its warnings.
 */
import { startOfVideo, STARTS_LATER, statedStart } from "./start-of-video.ts";
import type { Rule } from "./rule.ts";
import {
  MAYBE_OF_CLIENT,
  NO_TOKEN,
  OF_VIDEO,
  SCRIPT_STOPPED,
  WARNINGS_OF_CLIENT,
  YOUTUBE_RULES,
} from "./youtube-rules.ts";

/** A part on our side that does not work: an account's cookies, the provider of tokens, or the runtime of scripts. */
export type YouTubeNotice = "cookies" | "tokens" | "scripts";

/** What yt-dlp says about the kit, beside the error or the formats of a video. */
export const NOTICES: readonly { readonly pattern: RegExp; readonly notice: YouTubeNotice }[] = [
  { pattern: /account cookies are no longer valid/i, notice: "cookies" },
  { pattern: NO_TOKEN, notice: "tokens" },
  { pattern: SCRIPT_STOPPED, notice: "scripts" },
];

/** yt-dlp prints it, beside the formats of a video, when it is asked to write subtitles. */
export const SUBTITLES_WITHHELD = /^WARNING: .*missing subtitles languages because a PO token was not provided/im;

/** Messages with words in them that channels, holders of rights and visitors choose. */
const NAMING_RULES: readonly Rule[] = [
  { pattern: /available to this channel's members/i, code: "members_only" },
  { pattern: /copyright claim|copyright infringement/i, code: "unavailable", exact: "removed_for_copyright" },
  { pattern: /blocked it in your country/i, code: "geo_blocked" },
  // Players on other websites, and other programs, are told so.
  {
    pattern: /(?:blocked it from display|restricted from playback) on/i,
    code: "site_blocked",
    isTransient: false,
    refuses: "client",
  },
  { pattern: /contains content from/i, code: "unavailable" },
  { pattern: /This channel does not have a \S+ tab/i, code: "playlist", exact: "empty_list" },
];

const TOO_MANY: Rule = {
  pattern: /HTTP Error 429|Too Many Requests/i,
  code: "site_blocked",
  isTransient: true,
  refuses: "exit",
};

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
  ...YOUTUBE_RULES,
  {
    pattern: STARTS_LATER,
    code: "live",
    reason: startOfVideo,
  },
  { pattern: /live event has ended/i, code: "live", exact: "live_just_ended" },
  {
    pattern:
      /This live event|live event will begin|Premieres? (?:in|will begin)|\bis live\b|livestream|live ?stream is offline/i,
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
    pattern:
      /not (?:made this video )?available (?:(?:in|from) your (?:country|location|region)|on this country domain)/i,
    code: "geo_blocked",
  },
  { pattern: /\bplaylist\b.*(?:does not exist|unviewable)/i, code: "unavailable" },
  // Tokens come back with their provider. yt-dlp is as good as before, so this is not "site_changed".
  { pattern: NO_TOKEN, code: "site_blocked", isTransient: true, refuses: "client" },
  TOO_MANY,
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
  { pattern: /impersonat/i, code: "site_blocked", isTransient: false, exact: "wants_browser" },
  ...OF_VIDEO,
  ...MAYBE_OF_CLIENT,
  { pattern: /DRM protected/i, code: "unavailable", exact: "copy_protected" },
  {
    pattern: /Video unavailable|(?<!Requested format is )not available/i,
    code: "unavailable",
  },
];

/**
 * The class of a site's refusal says it, whatever its words are, or what yt-dlp has warned of before it. YouTube's words
 * say more.
 */
export const SITE_KIND_RULES: readonly Rule[] = [
  {
    pattern:
      /^WARNING: Only images are available for download[^]*^ERROR: (?!\[youtube).*Requested format is not available/m,
    code: "unavailable",
    exact: "picture_only",
  },
  { pattern: /^REFUSAL: upcoming (?<seconds>\d{1,11})\nERROR: (?!\[youtube)/m, code: "live", reason: statedStart },
  { pattern: /^REFUSAL: country\nERROR: (?!\[youtube)/m, code: "geo_blocked" },
  { pattern: /^REFUSAL: not live\nERROR: (?!\[youtube)/m, code: "live", exact: "not_live_now" },
];

/** The kinds of refusals in words that nobody knows. */
export const KIND_RULES: readonly Rule[] = [
  { pattern: /^REFUSAL: network$/m, code: "network" },
  { pattern: /^REFUSAL: expected$/m, code: "unavailable", exact: "refused_by_site" },
];

/** Of warnings before an error that does not say why. What is said of the exit is true of all clients. */
export const WARNING_RULES: readonly Rule[] = [TOO_MANY, ...WARNINGS_OF_CLIENT, ...RULES];

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
