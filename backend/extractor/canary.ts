/** Tries a version of yt-dlp before it is used: on a page of this process, and on links of the operator's choice. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ConversionError } from "../../common/errors.ts";
import { parseHostEntry } from "../../common/hosts.ts";
import { startEgressGuard } from "../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { extract } from "../pipeline/probe/extraction.ts";
import { startExtractorHost } from "../pipeline/probe/extractor-host.ts";
import { withExtractor, type InstalledExtractor } from "../pipeline/probe/extractor-source.ts";

/** A version must not be used; the message is the reason. */
export class CanaryError extends Error {}

export type CanaryKind = "sample" | "link";
/** "undecided": the version in use fails for the link as well. */
export type CanaryResult = "passed" | "failed" | "undecided";

export interface CanaryOptions {
  /** Extractions with the version in use; also the limits of a canary. */
  readonly pipeline: Pipeline;
  readonly links: readonly string[];
  readonly count?: (kind: CanaryKind, result: CanaryResult) => void;
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
    await using host = (await startExtractorHost(ytDlpPath, folder, this.#options.pipeline.tools.caFile)) ?? null;
    if (!host) throw new CanaryError("it cannot be loaded");
    const candidate: InstalledExtractor = { ytDlpPath, host };
    await this.#trySample(candidate, folder, signal);
    for (const link of this.#options.links) await this.#tryLink(candidate, link, folder, signal);
  }

  async #trySample(candidate: InstalledExtractor, folder: string, signal: AbortSignal): Promise<void> {
    const { pipeline, count } = this.#options;
    await using site = await startSampleSite();
    await using guard = await startEgressGuard({ allow: [parseHostEntry(site.host)] });
    const alone: Pipeline = { ...withExtractor(pipeline, candidate), guard, youtube: undefined };
    const error = await failureOf(async () => {
      const info = await extract(alone, `http://${site.host}/`, folder, signal);
      if (info.renditions.length === 0) throw new ConversionError("internal", { detail: "no video on the page" });
    }, signal);
    count?.("sample", error ? "failed" : "passed");
    if (error) throw new CanaryError(`it cannot read a plain page with a video: ${describe(error)}`);
  }

  /** A link that the version in use cannot read either says nothing about the new one. */
  async #tryLink(candidate: InstalledExtractor, link: string, folder: string, signal: AbortSignal): Promise<void> {
    const { pipeline, count } = this.#options;
    const error = await failureOf(
      async () => await extract(withExtractor(pipeline, candidate), link, folder, signal),
      signal,
    );
    const isDecided = !error || !(await failureOf(async () => await extract(pipeline, link, folder, signal), signal));
    count?.("link", error ? (isDecided ? "failed" : "undecided") : "passed");
    if (error && isDecided)
      throw new CanaryError(`it cannot read ${link}, which the present version reads: ${describe(error)}`);
  }
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
