/**
 * Classifies failures of yt-dlp and ffmpeg by the texts they print. This is the only place where an error is recognised
 * by its message.
 */
import { STATUS_CODES } from "node:http";
import { ConversionError, exactly } from "../../../common/errors.ts";
import {
  KIND_RULES,
  NOTICES,
  RULES,
  SITE_KIND_RULES,
  SUBTITLES_WITHHELD,
  VAGUE_RULES,
  WARNING_RULES,
  type YouTubeNotice,
} from "./failure-rules.ts";
import { startsLaterSentence } from "../../../common/reasons.ts";
import { readRetryAfterMs } from "./retry-after.ts";
import type { Rule } from "./rule.ts";
import { SiteRefusal, TooManyRequests } from "./site-refusal.ts";
import { FILE_DAMAGED, NOT_READABLE, TOO_LARGE_TO_OPEN, TOOK_TOO_LONG } from "./wording.ts";
import { BLIND_CALL, STOPPED_CHALLENGE, UNKNOWN_REASON, UNREAD_PAGE, UNSOLVED_CHALLENGE } from "./youtube-rules.ts";

interface MatchedRule {
  readonly rule: Rule;
  readonly match: RegExpExecArray;
}

function firstMatch(rules: readonly Rule[], text: string): MatchedRule | undefined {
  for (const rule of rules) {
    const match = rule.pattern.exec(text);
    if (match) return { rule, match };
  }
  return undefined;
}

/**
 * What a line is about stands before its message: an id, a name or the words of a search, as the visitor chose them.
 * Lines without the name of an extractor may have it too.
 */
const SUBJECT = /^((?:ERROR|WARNING): (?:\[[^\]]+\] )?)(?:query ".*"|\S+)(?: page \d+)?: /is;
/**
 * An address at the end of the last message. yt-dlp may have decoded a part of it, and then it has spaces and lines like
 * those of a message.
 */
const ADDRESS = /^(ERROR: (?:Unsupported URL:|No suitable extractor(?: \(\w+\))? found for URL)) .*/ims;

/** @returns the lines without what the visitor chose, so that it cannot pass for a message of yt-dlp */
function messageLines(stderr: string): readonly string[] {
  const lines = stderr.replace(ADDRESS, "$1").split(/\r?\n/);
  return lines.map((line) => line.replace(SUBJECT, "$1"));
}

const ERROR = /^ERROR:/i;
/** Errors with their kind before them, where our host of yt-dlp names it (extractor_host.py). */
const ERROR_OR_KIND = /^(?:ERROR|REFUSAL):/i;

const linesWith = (start: RegExp, lines: readonly string[]): string =>
  lines.filter((line) => start.test(line)).join("\n");

/**
 * Errors decide; warnings may come from attempts that were retried. They are read where the errors say only that
 * nothing was found, or nothing that is known.
 */
function matchRule(stderr: string): MatchedRule | undefined {
  const lines = messageLines(stderr);
  const errors = linesWith(ERROR, lines);
  const warnings = linesWith(/^WARNING:/i, lines);
  if (errors === "") return firstMatch(RULES, lines.join("\n"));
  const refusals = linesWith(ERROR_OR_KIND, lines);
  const vague = firstMatch([...VAGUE_RULES, UNKNOWN_REASON, ...KIND_RULES], refusals);
  return (
    // A client that met an age gate or a bot check may have failed first, but this one got formats.
    firstMatch([STOPPED_CHALLENGE, UNSOLVED_CHALLENGE], warnings) ??
    firstMatch(SITE_KIND_RULES, `${warnings}\n${refusals}`) ??
    (BLIND_CALL.test(errors) ? firstMatch([UNREAD_PAGE], warnings) : undefined) ??
    firstMatch(RULES, errors) ??
    (vague && (firstMatch(WARNING_RULES, warnings) ?? vague))
  );
}

/** Messages of ffmpeg and ffprobe about files that they cannot read. */
const UNREADABLE_MEDIA: readonly RegExp[] = [
  /Invalid data found|not on whitelist|does not contain any stream|could not find codec/i,
  /Picture size .* is invalid|Invalid argument|Conversion failed|Error while decoding|misdetected/i,
  /Error parsing .* extradata|patches welcome/i,
  // A file that ends within its index, as ffmpeg 5 and 7 say it. A pipe that ends early is a fault of ours.
  /^file:.*: End of file$/m,
  /: End of file\nError opening input file file:/,
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
    return new ConversionError("too_large", { detail, ...TOO_LARGE_TO_OPEN });
  const matched = matchRule(stderrTail);
  if (!matched) return new ConversionError("internal", { detail });
  const { code, isTransient, exact, refuses } = matched.rule;
  const reason = matched.rule.reason?.(matched.match, Date.now());
  const message = reason?.name === "starts_later" ? startsLaterSentence(reason) : undefined;
  const options = { detail, message, reason, isTransient, ...(exact && exactly(exact)) };
  return refuses === undefined ? new ConversionError(code, options) : new SiteRefusal(code, refuses, options);
}

/** @returns the parts of the operator's kit that yt-dlp says do not work */
export function noticesIn(stderr: string): readonly YouTubeNotice[] {
  return NOTICES.flatMap(({ pattern, notice }) => (pattern.test(stderr) ? notice : []));
}

/** @returns the error of a failed yt-dlp for which YouTube gave a reason that no rule knows */
export function unknownReason(stderr: string): string | undefined {
  const errors = linesWith(ERROR, messageLines(stderr));
  const matched = firstMatch([...RULES, ...VAGUE_RULES, UNKNOWN_REASON], errors);
  return matched?.rule === UNKNOWN_REASON ? errors : undefined;
}

/** @returns whether the site has subtitles that it did not give to yt-dlp */
export function withholdsSubtitles(stderr: string): boolean {
  return SUBTITLES_WITHHELD.test(stderr);
}

/**
 * @param retryAfter header of the response
 * @param refusals addresses that the egress guard refused
 * @returns the error to throw for a response of our own HTTP client
 */
export function classifyStatus(
  status: number,
  retryAfter: string | undefined,
  refusals: readonly string[],
): ConversionError {
  const detail = `HTTP Error ${status}: ${STATUS_CODES[status] ?? ""}`;
  const retryAfterMs = readRetryAfterMs(retryAfter, Date.now());
  // The address has ended, not the video; it may be some minutes old.
  if ((status === 404 || status === 410) && refusals.length === 0)
    return new SiteRefusal("unavailable", "client", { detail });
  const isTooMany = status === 429 || (status === 503 && retryAfterMs !== undefined);
  return isTooMany && refusals.length === 0
    ? new TooManyRequests(retryAfterMs, { detail })
    : classifyFetchFailure({ stderrTail: detail, refusals });
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
      ...TOOK_TOO_LONG,
      isTransient: false,
    });
  if (ending === "memory")
    return new ConversionError("too_large", {
      detail,
      ...exactly("needs_too_much_memory"),
    });
  if (/moov atom not found/.test(stderrTail)) return new ConversionError("unavailable", { detail, ...FILE_DAMAGED });
  if (UNREADABLE_MEDIA.some((pattern) => pattern.test(stderrTail)))
    return new ConversionError("unavailable", { detail, ...NOT_READABLE });
  return new ConversionError("internal", { detail });
}
