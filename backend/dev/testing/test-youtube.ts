/** A YouTube-shaped site and a pipeline that reaches it, with the real yt-dlp and its solver. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject } from "vitest";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { DEFAULT_PIPELINE_LIMITS, type Pipeline } from "../../pipeline/pipeline.ts";
import { startExtractorHost } from "../../pipeline/probe/extractor-host.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { YouTubeSite } from "../stand-ins/youtube-site/youtube-site.ts";

export interface TestYouTube extends AsyncDisposable {
  readonly site: YouTubeSite;
  /** Removed at the end. */
  readonly folder: string;
  /** Without access to YouTube: each test names its exits and clients. */
  readonly pipeline: Pipeline;
}

export async function openTestYouTube(): Promise<TestYouTube> {
  await using opened = new AsyncDisposableStack();
  const toolPaths = inject("toolPaths");
  const dataDir = path.join(REPOSITORY_ROOT, ".data");
  const report = (): undefined => undefined;
  const site = opened.use(await YouTubeSite.start({ dataDir, ffmpegPath: toolPaths.ffmpegPath, report }));
  const folder = await mkdtemp(path.join(tmpdir(), "youtube-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, site.certificate);
  const guard = opened.use(await startEgressGuard({ allow: [] }));
  const extractorHost = await startExtractorHost(toolPaths.ytDlpPath, folder, caFile);
  if (!extractorHost) throw new Error("yt-dlp cannot be loaded");
  opened.use(extractorHost);
  const tools = { ...toolPaths, nodePath: process.execPath, caFile };
  const rest = opened.move();
  return {
    site,
    folder,
    pipeline: { tools, guard, extractorHost, videoHosts: [], limits: DEFAULT_PIPELINE_LIMITS },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
