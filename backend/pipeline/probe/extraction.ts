/** Extracts the metadata and renditions of a link with yt-dlp. */
import { isIP } from "node:net";
import { isYouTubeHost } from "../../../common/hosts.ts";
import { normalizeHost } from "../guard/public-address.ts";
import { classifyFetchFailure } from "../errors/classify.ts";
import { parseInfo, type VideoInfo } from "./info.ts";
import type { Pipeline } from "../pipeline.ts";
import { watchStall } from "../guard/stall-watch.ts";
import { TOO_LARGE_TO_OPEN } from "../errors/wording.ts";
import type { Exit } from "../exits/exit.ts";
import { withPresentExtractor } from "./extractor-source.ts";
import { clientArgs, extractFromYouTube } from "./youtube.ts";
import { commonArgs, runYtDlp } from "./yt-dlp.ts";
import type { ToolOutcome } from "../process/tool-process.ts";

/** Extractors that read any page; html5 reads its video elements. */
const GENERIC = "generic,html5";
/** Extractors of known sites. */
const SITES = "default,-generic,-html5";

/** yt-dlp prints this before it makes a request. */
const NO_EXTRACTOR = /No suitable extractor/;

/** Extractor names by path of yt-dlp. Read once, and only when a link has no extractor. */
const namesByTool = new Map<string, Promise<readonly string[]>>();

/** @returns true for hosts that no extractor can know, such as localhost:8090 */
function isUnknownSite(url: URL): boolean {
  return url.port !== "" || url.hostname === "localhost" || isIP(normalizeHost(url.hostname)) !== 0;
}

function extractorNames(pipeline: Pipeline, folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const { ytDlpPath } = pipeline.tools;
  const names =
    namesByTool.get(ytDlpPath) ??
    runYtDlp(
      pipeline,
      {
        args: ["--ignore-config", "--no-plugin-dirs", "--list-extractors"],
        folder,
        timeoutMs: pipeline.limits.probeTimeoutMs,
      },
      signal,
    ).then(({ output }) => output.toLowerCase().split("\n"));
  namesByTool.set(ytDlpPath, names);
  // Do not keep the failure of a canceled job.
  names.catch(() => namesByTool.delete(ytDlpPath));
  return names;
}

/**
 * Compares the host with the extractor names, which contain the name of their site: "youtube:tab", "vimeo". In doubt a
 * site is known, so that the generic extractor is not used for it.
 */
async function isKnownSite(pipeline: Pipeline, url: URL, folder: string, signal: AbortSignal): Promise<boolean> {
  const labels = url.hostname
    .split(".")
    .slice(0, -1)
    .filter((label) => label.length > 3);
  const names = await extractorNames(pipeline, folder, signal);
  return labels.some((label) => names.some((name) => name.startsWith(label)));
}

export interface PageRequest {
  readonly link: string;
  /** Working folder of yt-dlp. */
  readonly folder: string;
  readonly exit?: Exit;
  /** Further options of yt-dlp. */
  readonly args?: readonly string[];
}

/**
 * Reads a link once, with the extractor of its site. The generic extractor, which finds a video on nearly any page, is
 * used only for hosts without an extractor.
 * @throws ConversionError of errors/classify.ts, `signal.reason` when aborted
 */
export async function readPage(pipeline: Pipeline, request: PageRequest, signal: AbortSignal): Promise<VideoInfo> {
  const { link, folder, exit, args = [] } = request;
  using session = pipeline.guard.open(pipeline.limits.maxProbeBytes, { tooLargeMessage: TOO_LARGE_TO_OPEN, exit });
  using watch = watchStall(session, pipeline.limits.stallTimeoutMs);
  const bounded = AbortSignal.any([signal, session.exceeded, watch.stalled]);
  const run = (extractors: string): Promise<ToolOutcome> =>
    runYtDlp(
      pipeline,
      {
        args: [
          ...commonArgs(pipeline, session.proxyUrl),
          ...args,
          `--use-extractors=${extractors}`,
          "--no-playlist",
          // Playlists are rejected, and two entries are enough to recognise one.
          "--flat-playlist",
          "--playlist-items=1:2",
          "--dump-single-json",
          "--",
          link,
        ],
        folder,
        timeoutMs: pipeline.limits.probeTimeoutMs,
      },
      bounded,
    );

  const url = new URL(link);
  let outcome = await run(isUnknownSite(url) ? GENERIC : SITES);
  if (
    outcome.exitCode !== 0 &&
    NO_EXTRACTOR.test(outcome.stderrTail) &&
    !(await isKnownSite(pipeline, url, folder, signal))
  )
    outcome = await run(GENERIC);
  if (outcome.exitCode !== 0 || outcome.ending !== "exit")
    throw classifyFetchFailure({ ...outcome, refusals: session.refusals });
  return { ...parseInfo(outcome.output), exit };
}

/**
 * Reads the metadata and renditions of a link.
 * @param folder working folder of yt-dlp
 * @throws ConversionError of errors/classify.ts, `signal.reason` when aborted
 */
export async function extract(
  pipeline: Pipeline,
  link: string,
  folder: string,
  signal: AbortSignal,
): Promise<VideoInfo> {
  return withPresentExtractor(pipeline, signal, async (present) => {
    const { youtube } = present;
    if (!youtube || !isYouTubeHost(new URL(link).hostname)) return readPage(present, { link, folder }, signal);
    return extractFromYouTube(
      youtube,
      (client, exit) => readPage(present, { link, folder, exit, args: clientArgs(client) }, signal),
      signal,
    );
  });
}
