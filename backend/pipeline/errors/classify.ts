/**
 * Classifies failures of yt-dlp and ffmpeg by the texts they print. This is the only place where an error is recognised
 * by its message.
 */
import { ConversionError, type ConversionErrorCode } from "../../../common/errors.ts";
import { TOO_LARGE_TO_OPEN } from "./wording.ts";

interface Rule {
  readonly pattern: RegExp;
  readonly code: ConversionErrorCode;
  readonly isTransient?: boolean;
  readonly message?: string;
}

/** The first match decides, so specific rules stand above general ones. */
const RULES: readonly Rule[] = [
  { pattern: /No space left on device|ENOSPC|Errno 28\b|Disk quota exceeded/i, code: "storage", isTransient: false },
  // A redirect or a segment that names a local file or a strange scheme.
  {
    pattern: /No connection adapters were found|Unsupported url scheme|file:\/\/ (?:URLs|scheme)/i,
    code: "unsupported_host",
  },
  {
    pattern: /confirm you.re not a bot|automated (?:requests|queries)|captcha|unusual traffic/i,
    code: "site_blocked",
    isTransient: false,
  },
  {
    pattern: /This live event|live event (?:will begin|has ended)|Premieres? (?:in|will begin)|\bis live\b|livestream/i,
    code: "live",
  },
  {
    pattern: /Private video|video is private|This video is available to this channel's members|members.only/i,
    code: "private",
  },
  {
    pattern: /Sign in to|[Ll]og ?in (?:is )?(?:required|to)|requires? (?:authentication|log ?in)|account credentials/,
    code: "login_required",
  },
  { pattern: /Use --cookies|--username|confirm your age|age.restricted/, code: "login_required" },
  { pattern: /geo.?restrict|blocked it in your country/i, code: "geo_blocked" },
  {
    pattern: /not (?:made this video )?available (?:in|from) your (?:country|location|region)/i,
    code: "geo_blocked",
  },
  { pattern: /\bplaylist\b.*(?:does not exist|unviewable)/i, code: "unavailable" },
  { pattern: /HTTP Error 429|Too Many Requests|HTTP Error 503\b/i, code: "site_blocked", isTransient: true },
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
    message: "This link leads from one address to the next and never to a video. Check the link and try again.",
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
    pattern: /Unsupported URL|No suitable extractor|No video formats? found|no video on this page/i,
    code: "unavailable",
  },
  { pattern: /Video unavailable|not available|no longer available|DRM protected/i, code: "unavailable" },
  {
    pattern: /has been removed|removed by the (?:user|uploader)|account .* terminated/i,
    code: "unavailable",
  },
];

/** @returns the error lines if there are any: warnings may come from attempts that were retried */
function errorLines(stderr: string): string {
  const lines = stderr.split(/\r?\n/);
  const errors = lines.filter((line) => /^ERROR:/i.test(line));
  return (errors.length > 0 ? errors : lines).join("\n");
}

/** Messages of ffmpeg and ffprobe about files that they cannot read. */
const UNREADABLE_MEDIA: readonly RegExp[] = [
  /Invalid data found|moov atom not found|not on whitelist|does not contain any stream|could not find codec/i,
  /Picture size .* is invalid|Invalid argument|Conversion failed|Error while decoding|misdetected/i,
];

export interface ToolFailure {
  readonly stderrTail: string;
  /** Addresses that the egress guard refused, as `host:port`. */
  readonly refusals?: readonly string[];
  readonly ending?: "exit" | "timeout" | "memory" | "output";
}

/** @returns the error to throw for a failed yt-dlp or request */
export function classifyFetchFailure({ stderrTail, refusals = [], ending = "exit" }: ToolFailure): ConversionError {
  const detail = [
    refusals.length > 0 ? `refused: ${refusals.slice(0, 5).join(", ")}` : "",
    ending === "exit" ? "" : `ended by ${ending}`,
    stderrTail,
  ]
    .filter(Boolean)
    .join("\n")
    .slice(-4_000);
  if (refusals.length > 0) return new ConversionError("unsupported_host", { detail });
  if (ending === "timeout") return new ConversionError("timeout", { detail });
  if (ending === "memory" || ending === "output")
    return new ConversionError("too_large", { detail, message: TOO_LARGE_TO_OPEN });
  const text = errorLines(stderrTail);
  const rule = RULES.find(({ pattern }) => pattern.test(text));
  if (!rule) return new ConversionError("internal", { detail });
  return new ConversionError(rule.code, {
    detail,
    message: rule.message,
    isTransient: rule.isTransient,
  });
}

/** @returns the message of an error and of its cause; undici puts the details into the cause */
export function describeFetchError(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error
    ? `${error.message}: ${error.cause.message}`
    : String(error);
}

/** @returns the error to throw for a failed ffmpeg or ffprobe on fetched files */
export function classifyMediaFailure({ stderrTail, ending = "exit" }: ToolFailure): ConversionError {
  const detail = `${ending === "exit" ? "" : `ended by ${ending}\n`}${stderrTail}`.slice(-4_000);
  if (/No space left on device|Disk quota exceeded/i.test(stderrTail))
    return new ConversionError("storage", { detail, isTransient: false });
  if (ending === "timeout")
    return new ConversionError("timeout", {
      detail,
      message: "Converting this video took too long.",
      isTransient: false,
    });
  if (ending === "memory")
    return new ConversionError("too_large", {
      detail,
      message: "This video needs more memory to convert than we have.",
    });
  if (UNREADABLE_MEDIA.some((pattern) => pattern.test(stderrTail)))
    return new ConversionError("unavailable", {
      detail,
      message: "What this link leads to is not a video that can be read.",
    });
  return new ConversionError("internal", { detail });
}
