/** From a link to what the site offers: the job's one extraction. */
import { isIP } from "node:net";
import { normalizeHost } from "../guard/public-address.ts";
import { classifyFetchFailure } from "../errors/classify.ts";
import { parseInfo, type VideoInfo } from "./info.ts";
import type { Pipeline } from "../pipeline.ts";
import { watchStall } from "../guard/stall-watch.ts";
import { TOO_LARGE_TO_OPEN } from "../errors/wording.ts";
import { commonArgs, runYtDlp } from "./yt-dlp.ts";
import type { ToolOutcome } from "../process/tool-process.ts";

/** Reads any page; the second is its helper for plain video elements. */
const GENERIC = "generic,html5";
const OWN = "default,-generic,-html5";

/** Said before anything is contacted. */
const NO_EXTRACTOR = /No suitable extractor/;

/** Lists of extractor names by tool, asked for once and only when a link has no extractor. */
const namesByTool = new Map<string, Promise<readonly string[]>>();

/** Hosts such as localhost:8090 are no site that yt-dlp could know. */
function isPlainlyUnknown(url: URL): boolean {
  return url.port !== "" || url.hostname === "localhost" || isIP(normalizeHost(url.hostname)) !== 0;
}

function extractorNames(pipeline: Pipeline, folder: string, signal: AbortSignal): Promise<readonly string[]> {
  const { ytDlpPath } = pipeline.tools;
  const asked =
    namesByTool.get(ytDlpPath) ??
    runYtDlp(
      pipeline,
      { args: ["--ignore-config", "--no-plugin-dirs", "--list-extractors"], folder, timeoutMs: pipeline.limits.probeTimeoutMs },
      signal,
    ).then(({ output }) => output.toLowerCase().split("\n"));
  namesByTool.set(ytDlpPath, asked);
  // A canceled job's failed question is no answer for the next.
  asked.catch(() => namesByTool.delete(ytDlpPath));
  return asked;
}

/** Extractors carry their site's name: "youtube:tab", "vimeo". Errs towards known, which keeps the generic one off. */
async function isKnownSite(pipeline: Pipeline, url: URL, folder: string, signal: AbortSignal): Promise<boolean> {
  const labels = url.hostname.split(".").slice(0, -1).filter((label) => label.length > 3);
  const names = await extractorNames(pipeline, folder, signal);
  return labels.some((label) => names.some((name) => name.startsWith(label)));
}

/**
 * Reads the link's page with the site's own extractor; the generic one, which takes any page for a
 * video's, serves only hosts that have none.
 * Throws ConversionError as the table of classify.ts says, and `signal.reason` when aborted.
 */
export async function extract(pipeline: Pipeline, link: string, folder: string, signal: AbortSignal): Promise<VideoInfo> {
  using session = pipeline.guard.open(pipeline.limits.maxProbeBytes, TOO_LARGE_TO_OPEN);
  using watch = watchStall(session, pipeline.limits.stallTimeoutMs);
  const bounded = AbortSignal.any([signal, session.exceeded, watch.stalled]);
  const ask = (extractors: string): Promise<ToolOutcome> =>
    runYtDlp(
      pipeline,
      {
        args: [
          ...commonArgs(pipeline, session.proxyUrl),
          `--use-extractors=${extractors}`,
          "--no-playlist",
          // A list is refused, so two entries of one are enough to know it by.
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
  let outcome = await ask(isPlainlyUnknown(url) ? GENERIC : OWN);
  if (outcome.exitCode !== 0 && NO_EXTRACTOR.test(outcome.stderrTail) && !(await isKnownSite(pipeline, url, folder, signal)))
    outcome = await ask(GENERIC);
  if (outcome.exitCode !== 0 || outcome.ending !== "exit") throw classifyFetchFailure({ ...outcome, refusals: session.refusals });
  return parseInfo(outcome.output);
}
