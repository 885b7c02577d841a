/**
 * Tries a version of yt-dlp, before it is used and while it is used: on a page of this process, and on links of the
 * operator's choice.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ConversionError } from "../../common/errors.ts";
import { isYouTubeLink, parseHostEntry } from "../../common/hosts.ts";
import { startEgressGuard } from "../pipeline/guard/egress-guard.ts";
import type { Pipeline, Work } from "../pipeline/pipeline.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import { tryLoading } from "../pipeline/extractor-host/extractor-host.ts";
import { saysReady } from "../pipeline/extractor-host/extractor-process.ts";
import { SiteRefusal } from "../pipeline/errors/site-refusal.ts";
import { isFailureOfTool, withExtractor, type InstalledExtractor } from "../pipeline/probe/extractor-source.ts";

/** A version must not be used; the message is the reason. */
export class CanaryError extends Error {}

/** A version could not be tried for a reason that is not its own, such as the network. The next try may tell. */
export class TrialPostponed extends Error {}

export type CanaryKind = "sample" | "link";
/** "undecided": the version is not the reason of the failure, or, of a new one, the version in use fails as well. */
export type CanaryResult = "passed" | "failed" | "undecided";

export type CanaryVersion = "new" | "present";
export type CountCanary = (version: CanaryVersion, canary: CanaryKind, result: CanaryResult) => void;

/** A canary that the version in use cannot read, for a reason of its own. */
export interface CanaryFailure {
  /** The link, or a description of the page. */
  readonly canary: string;
  readonly reason: string;
}

export interface CanaryOptions {
  /** Extractions with the version in use; also the limits of a canary. */
  readonly pipeline: Pipeline;
  readonly links: readonly string[];
  readonly count?: CountCanary;
}

const TITLE = "A page of this server";
/** bubblewrap ends with 128 and the number of the signal when its child was killed. */
const KILLED_EXIT_CODE = 128;
const CLIP = "/clip.mp4";
const PAGE = `<!doctype html><html><head><title>${TITLE}</title></head>
<body><video src="${CLIP}" controls></video></body></html>`;

export class Canaries {
  readonly #options: CanaryOptions;

  constructor(options: CanaryOptions) {
    this.#options = options;
  }

  /**
   * @param ytDlpPath the version to try
   * @param folder working folder of yt-dlp; must exist
   * @throws CanaryError with the reason against this version, TrialPostponed, `signal.reason` when aborted
   */
  async tryVersion(ytDlpPath: string, folder: string, signal: AbortSignal): Promise<void> {
    await this.#load(ytDlpPath, folder, signal);
    // Without a host, which would see more than a call.
    const candidate: InstalledExtractor = { ytDlpPath };
    await this.#trySample(candidate, folder, signal);
    for (const link of this.#options.links) await this.#tryLink(candidate, link, folder, signal);
  }

  /**
   * Tries the version in use. A link that is private, or that the site refuses, says nothing against the version.
   * @param folder working folder of yt-dlp; must exist
   * @throws `signal.reason` when aborted
   */
  async tryCurrent(folder: string, signal: AbortSignal): Promise<readonly CanaryFailure[]> {
    const { pipeline, links } = this.#options;
    const failures: CanaryFailure[] = [];
    const note = (kind: CanaryKind, canary: string, error: ConversionError | undefined): void => {
      this.#options.count?.("present", kind, resultOf(error));
      if (error && isFailureOfTool(error)) failures.push({ canary, reason: describe(error) });
    };
    note("sample", "a plain page with a video", await readSample({ pipeline, signal }, folder));
    for (const link of links) note("link", link, await failureOfLink({ pipeline, signal }, link, folder));
    return failures;
  }

  /**
   * Asks YouTube for the canaries by one client alone.
   * @param client as it stands in the client order
   * @param folder working folder of yt-dlp; must exist
   * @returns "failed" when it is refused a canary that other clients get, and gets no other
   * @throws `signal.reason` when aborted
   */
  async tryClient(client: string, folder: string, signal: AbortSignal): Promise<CanaryResult> {
    const { pipeline, links } = this.#options;
    using lease = await pipeline.extractors?.acquire();
    // Not counted for the version of yt-dlp: what one client is refused says nothing about it.
    const current = withExtractor(pipeline, lease?.extractor);
    const { youtube } = current;
    if (!youtube) return "undecided";
    const asked = { ...youtube, clients: undefined, onLink: undefined };
    const all: Pipeline = { ...current, youtube: asked };
    const alone: Pipeline = { ...current, youtube: { ...asked, clientOrder: [client], account: undefined } };
    let result: CanaryResult = "undecided";
    for (const link of links.filter((each) => isYouTubeLink(each))) {
      const error = await failureOfLink({ pipeline: alone, signal }, link, folder);
      if (!error) return "passed";
      if (result === "failed" || !(error instanceof SiteRefusal) || error.refuses !== "client") continue;
      if (!(await failureOfLink({ pipeline: all, signal }, link, folder))) result = "failed";
    }
    return result;
  }

  /** @throws CanaryError when the version cannot be loaded, TrialPostponed when loading it was cut off */
  async #load(ytDlpPath: string, folder: string, signal: AbortSignal): Promise<void> {
    const { tools, limits, sandbox } = this.#options.pipeline;
    const bounds = { killGraceMs: limits.killGraceMs, maxMemoryBytes: limits.maxToolMemoryBytes };
    const outcome = await tryLoading(ytDlpPath, tools.caFile, { ...bounds, folder, sandbox }, signal);
    if (outcome?.ending === "exit" && outcome.exitCode === 0 && saysReady(outcome.output)) return;
    const { ending = "exit", exitCode = 1, stderrTail = "" } = outcome ?? {};
    if (ending !== "exit" || exitCode === null || exitCode > KILLED_EXIT_CODE)
      throw new TrialPostponed("it was killed while it was loaded");
    throw new CanaryError(`it cannot be loaded ${stderrTail.trim().split("\n").at(-1) ?? ""}`.trim().slice(0, 500));
  }

  async #trySample(candidate: InstalledExtractor, folder: string, signal: AbortSignal): Promise<void> {
    const { pipeline, count } = this.#options;
    const error = await readSample({ pipeline: withExtractor(pipeline, candidate), signal }, folder);
    count?.("new", "sample", resultOf(error));
    if (error) throw refusalOf(error, "it cannot read a plain page with a video");
  }

  /** A link that the version in use cannot read either says nothing about the new one. */
  async #tryLink(candidate: InstalledExtractor, link: string, folder: string, signal: AbortSignal): Promise<void> {
    const { pipeline, count } = this.#options;
    // What a version on trial cannot read says nothing about the site.
    const trial: Pipeline = { ...pipeline, youtube: pipeline.youtube && { ...pipeline.youtube, onLink: undefined } };
    const error = await failureOfLink({ pipeline: withExtractor(trial, candidate), signal }, link, folder);
    const isDecided = !error || !(await failureOfLink({ pipeline, signal }, link, folder));
    count?.("new", "link", isDecided ? resultOf(error) : "undecided");
    if (error && isDecided) throw refusalOf(error, `it cannot read ${link}, which the present version reads`);
  }
}

function resultOf(error: ConversionError | undefined): CanaryResult {
  if (!error) return "passed";
  return isFailureOfTool(error) ? "failed" : "undecided";
}

/** @returns what to throw about a version for its error; only a failure of the tool keeps a release out for good */
function refusalOf(error: ConversionError, what: string): CanaryError | TrialPostponed {
  const reason = `${what}: ${describe(error)}`;
  return isFailureOfTool(error) ? new CanaryError(reason) : new TrialPostponed(reason);
}

/** @returns the error; undefined when the pipeline reads the page of this process */
async function readSample(work: Work, folder: string): Promise<ConversionError | undefined> {
  await using site = await startSampleSite();
  await using guard = await startEgressGuard({ allow: [parseHostEntry(site.host)] });
  const alone: Pipeline = { ...work.pipeline, guard, youtube: undefined };
  // Awaited here: page and guard are closed when this function returns.
  const error = await failureOf(async () => {
    const info = await extract({ ...work, pipeline: alone }, `http://${site.host}/`, folder);
    if (info.renditions.length === 0) throw new ConversionError("unavailable", { detail: "no video on the page" });
  }, work.signal);
  // The page exists and has a video. If yt-dlp says that there is none, yt-dlp is broken.
  if (error?.code === "unavailable") return new ConversionError("internal", { detail: error.detail, cause: error });
  return error;
}

/** @returns the error; undefined when the work succeeds */
async function failureOf(work: () => Promise<unknown>, signal: AbortSignal): Promise<ConversionError | undefined> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConversionError) return error;
    throw error;
  }
  return undefined;
}

/** @returns the error; undefined when the link can be read */
function failureOfLink(work: Work, link: string, folder: string): Promise<ConversionError | undefined> {
  return failureOf(() => extract(work, link, folder), work.signal);
}

function describe({ code, message, detail }: ConversionError): string {
  return `${code}, ${message} ${detail ?? ""}`.trim().slice(-500);
}

interface SampleSite extends AsyncDisposable {
  /** Host and port. */
  readonly host: string;
}

/** Serves the page on a free port of the loopback address. */
async function startSampleSite(): Promise<SampleSite> {
  const server = createServer((request, response) => {
    const isClip = request.url === CLIP;
    response.setHeader("content-type", isClip ? "video/mp4" : "text/html; charset=utf-8");
    response.end(request.method === "HEAD" || isClip ? "" : PAGE);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
