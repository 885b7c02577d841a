/** Has yt-dlp read a link, and print what it found as JSON. */
import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import path from "node:path";
import { ConversionError } from "../../../common/errors.ts";
import { classifyFetchFailure, noticesIn, unknownReason, withholdsSubtitles } from "../errors/classify.ts";
import { SiteRefusal } from "../errors/site-refusal.ts";
import { TOO_LARGE_TO_OPEN } from "../errors/wording.ts";
import type { Exit } from "../exits/exit.ts";
import { normalizeHost } from "../guard/public-address.ts";
import { watchStall } from "../guard/stall-watch.ts";
import type { Pipeline, Work } from "../pipeline.ts";
import type { ToolOutcome } from "../process/tool-process.ts";
import { type AccountCookies, type CookieCopy, CookiesFileError } from "./account-cookies.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { answerPlayerRequests } from "./player-requests.ts";
import { commonArgs, pluginFolderArgs, runYtDlp } from "./yt-dlp.ts";

/** Extractors that read any page; html5 reads its video elements. */
const GENERIC = "generic,html5";
/** Extractors of known sites. */
const SITES = "default,-generic,-html5";

/**
 * Nothing is written, because the call prints metadata only. With it yt-dlp warns of subtitles that YouTube withholds;
 * other extractors would make more requests.
 */
const YOUTUBE_ARGS = ["--write-subs"];

/** yt-dlp prints this before it makes a request. */
const NO_EXTRACTOR = /No suitable extractor/;

/** Extractor names by path of yt-dlp. Read only when a link has no extractor, and once unless links come together. */
const namesByTool = new Map<string, readonly string[]>();

/** @returns true for hosts that no extractor can know, such as localhost:8090 */
function isUnknownSite(url: URL): boolean {
  return url.port !== "" || url.hostname === "localhost" || isIP(normalizeHost(url.hostname)) !== 0;
}

async function extractorNames(work: Work, folder: string): Promise<readonly string[]> {
  const { pipeline } = work;
  const { ytDlpPath } = pipeline.tools;
  const known = namesByTool.get(ytDlpPath);
  if (known) return known;
  const outcome = await runYtDlp(work, {
    args: ["--ignore-config", ...pluginFolderArgs(pipeline), "--list-extractors"],
    folder,
    timeoutMs: pipeline.limits.probeTimeoutMs,
  });
  if (outcome.exitCode !== 0 || outcome.ending !== "exit")
    throw new ConversionError("internal", { detail: `yt-dlp names no extractors: ${outcome.stderrTail}` });
  const names = outcome.output.toLowerCase().split("\n");
  namesByTool.set(ytDlpPath, names);
  return names;
}

/** Short hosts whose extractors have another name. */
const SHORT_HOSTS: ReadonlySet<string> = new Set(
  "x.com t.co t.me y.com fb.com fb.watch dai.ly b23.tv 163.com cc.com ign.com rt.com ted.com nrl.com udn.com".split(
    " ",
  ),
);

/** Under which registries of countries give out names, as in bbc.co.uk. */
const REGISTRY_LABELS: ReadonlySet<string> = new Set("co com org net ac gov edu ne or go".split(" "));

/** @returns what a site calls itself: "bbc" of www.bbc.co.uk. Anybody may have a "video." or "live." before it. */
function ownLabel(labels: readonly string[]): string {
  const own = labels.at(-2) ?? "";
  return REGISTRY_LABELS.has(own) ? (labels.at(-3) ?? own) : own;
}

/**
 * Compares the site's name with the extractor names, which begin with it: "youtube:tab", "vimeo", "vk". Of names up to
 * three letters only the whole counts, because many names begin with "tv". In doubt a site is known, so that the
 * generic extractor is not used for it.
 */
async function isKnownSite(work: Work, url: URL, folder: string): Promise<boolean> {
  const labels = normalizeHost(url.hostname).split(".");
  if (SHORT_HOSTS.has(labels.slice(-2).join("."))) return true;
  const own = ownLabel(labels);
  const names = await extractorNames(work, folder);
  return names.some((name) => (own.length > 3 ? name.startsWith(own) : name.split(/[:.]/, 1)[0] === own));
}

export interface PageRequest {
  readonly link: string;
  /** How yt-dlp treats a list, as its options. */
  readonly listArgs: readonly string[];
  /** Working folder of yt-dlp. */
  readonly folder: string;
  readonly exit?: Exit;
  /** Further options of yt-dlp. */
  readonly args?: readonly string[];
  /** The account that yt-dlp signs in to. */
  readonly account?: AccountCookies | undefined;
  /** Address of the token provider, which yt-dlp may ask. */
  readonly tokenProvider?: string | undefined;
}

/** What yt-dlp printed. */
export interface PageFile {
  readonly path: string;
  /** Texts that must be replaced in it. */
  readonly secrets: readonly string[];
  /** The site has subtitles that are not in the file, because it did not give them. */
  readonly withholdsSubtitles?: boolean;
}

/**
 * Reads a link once, with the extractor of its site. The generic extractor, which finds a video on nearly any page, is
 * used only for hosts without an extractor.
 * @returns a file in the folder of the request
 * @throws ConversionError of errors/classify.ts, `signal.reason` when aborted
 */
export async function readPage(work: Work, request: PageRequest): Promise<PageFile> {
  const { pipeline, signal } = work;
  const { link, folder, exit, account, listArgs, args = [], tokenProvider } = request;
  await using cookies = account && (await copyCookies(pipeline, request, account));
  using session = pipeline.guard.open(pipeline.limits.maxProbeBytes, { tooLarge: TOO_LARGE_TO_OPEN, exit });
  using watch = watchStall(session, pipeline.limits.stallTimeoutMs);
  const bounded: Work = { pipeline, signal: AbortSignal.any([signal, session.exceeded, watch.stalled]) };
  // Only YouTube is read through an exit.
  await using players = exit && answerPlayerRequests(bounded, folder, session);
  const run = (extractors: string, outputFile: string): Promise<ToolOutcome> =>
    runYtDlp(bounded, {
      args: [
        ...commonArgs(pipeline, session.proxyUrl),
        ...args,
        ...(exit ? YOUTUBE_ARGS : []),
        ...(cookies ? [`--cookies=${cookies.file}`] : []),
        `--use-extractors=${extractors}`,
        ...listArgs,
        "--dump-single-json",
        "--",
        link,
      ],
      folder,
      outputFile,
      way: session.way,
      tokenProvider,
      timeoutMs: pipeline.limits.probeTimeoutMs,
      players: players?.use,
    });

  const url = new URL(link);
  let outputFile = newOutputFile();
  let outcome = await run(isUnknownSite(url) ? GENERIC : SITES, outputFile);
  if (outcome.exitCode !== 0 && NO_EXTRACTOR.test(outcome.stderrTail) && !(await isKnownSite(work, url, folder))) {
    outputFile = newOutputFile();
    outcome = await run(GENERIC, outputFile);
  }
  const secrets = (await cookies?.secrets()) ?? [];
  const stderrTail = hideSecrets(outcome.stderrTail, secrets);
  for (const notice of noticesIn(stderrTail)) pipeline.youtube?.onNotice?.(notice);
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") {
    const words = unknownReason(stderrTail);
    if (words !== undefined) pipeline.youtube?.onUnknownReason?.(words);
    throw classifyFetchFailure({ ...outcome, stderrTail, refusals: session.refusals });
  }
  return { path: path.join(folder, outputFile), secrets, withholdsSubtitles: withholdsSubtitles(stderrTail) };
}

/** @throws SiteRefusal of the client when the account's file cannot be used */
async function copyCookies(
  { youtube }: Pipeline,
  { folder, exit }: PageRequest,
  account: AccountCookies,
): Promise<CookieCopy> {
  try {
    return await account.copyInto(folder);
  } catch (error) {
    if (!(error instanceof CookiesFileError)) throw error;
    if (exit) youtube?.onNotice?.("cookies");
    throw new SiteRefusal("login_required", "client", { detail: error.message, cause: error });
  }
}

/** Several calls may use one folder. */
function newOutputFile(): string {
  return `info-${randomUUID()}.json`;
}
