/**
 * Tries a version of yt-dlp, before it is used and while it is used: on a page of this process, and on links of the
 * operator's choice.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ConversionError } from "../../common/errors.ts";
import { parseHostEntry } from "../../common/hosts.ts";
import { startEgressGuard } from "../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import { startExtractorHost } from "../pipeline/extractor-host/extractor-host.ts";
import { isFailureOfTool, withExtractor, type InstalledExtractor } from "../pipeline/probe/extractor-source.ts";

/** A version must not be used; the message is the reason. */
export class CanaryError extends Error {}

export type CanaryKind = "sample" | "link";
/** "undecided": of a new version, that the one in use fails as well; of the one in use, that it is not the reason. */
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
   * @throws CanaryError with the reason against this version, `signal.reason` when aborted
   */
  async tryVersion(ytDlpPath: string, folder: string, signal: AbortSignal): Promise<void> {
    const { tools, sandbox } = this.#options.pipeline;
    await using host = (await startExtractorHost(ytDlpPath, folder, tools.caFile, sandbox)) ?? null;
    if (!host) throw new CanaryError("it cannot be loaded");
    const candidate: InstalledExtractor = { ytDlpPath, host };
    await this.#trySample(candidate, folder, signal);
    for (const link of this.#options.links) await this.#tryLink(candidate, link, folder, signal);
  }

  /**
   * Tries the version in use. A link that is private, or that the site refuses, says nothing against the version.
   * @param folder working folder of yt-dlp; must exist
   * @throws `signal.reason` when aborted
   */
  async tryPresent(folder: string, signal: AbortSignal): Promise<readonly CanaryFailure[]> {
    const { pipeline, links } = this.#options;
    const failures: CanaryFailure[] = [];
    const note = (kind: CanaryKind, canary: string, error: ConversionError | undefined): void => {
      const isFailure = isFailureOfTool(error);
      this.#options.count?.("present", kind, error ? (isFailure ? "failed" : "undecided") : "passed");
      if (error && isFailure) failures.push({ canary, reason: describe(error) });
    };
    note("sample", "a plain page with a video", await readSample(pipeline, folder, signal));
    for (const link of links)
      note("link", link, await failureOf(async () => await extract(pipeline, link, folder, signal), signal));
    return failures;
  }

  async #trySample(candidate: InstalledExtractor, folder: string, signal: AbortSignal): Promise<void> {
    const { pipeline, count } = this.#options;
    const error = await readSample(withExtractor(pipeline, candidate), folder, signal);
    count?.("new", "sample", error ? "failed" : "passed");
    if (error) throw new CanaryError(`it cannot read a plain page with a video: ${describe(error)}`);
  }

  /** A link that the version in use cannot read either says nothing about the new one. */
  async #tryLink(candidate: InstalledExtractor, link: string, folder: string, signal: AbortSignal): Promise<void> {
    const { pipeline, count } = this.#options;
    // What a version on trial cannot read says nothing about the site.
    const trial: Pipeline = { ...pipeline, youtube: pipeline.youtube && { ...pipeline.youtube, onLink: undefined } };
    const error = await failureOf(
      async () => await extract(withExtractor(trial, candidate), link, folder, signal),
      signal,
    );
    const isDecided = !error || !(await failureOf(async () => await extract(pipeline, link, folder, signal), signal));
    count?.("new", "link", error ? (isDecided ? "failed" : "undecided") : "passed");
    if (error && isDecided)
      throw new CanaryError(`it cannot read ${link}, which the present version reads: ${describe(error)}`);
  }
}

/** @returns the error; undefined when the pipeline reads the page of this process */
async function readSample(
  pipeline: Pipeline,
  folder: string,
  signal: AbortSignal,
): Promise<ConversionError | undefined> {
  await using site = await startSampleSite();
  await using guard = await startEgressGuard({ allow: [parseHostEntry(site.host)] });
  const alone: Pipeline = { ...pipeline, guard, youtube: undefined };
  // Awaited here: page and guard are closed when this function returns.
  return await failureOf(async () => {
    const info = await extract(alone, `http://${site.host}/`, folder, signal);
    if (info.renditions.length === 0) throw new ConversionError("internal", { detail: "no video on the page" });
  }, signal);
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
