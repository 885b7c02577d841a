/** A YouTube-shaped site and a pipeline that reaches it, with the real yt-dlp and its solver. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import tls from "node:tls";
import { inject } from "vitest";
import { parseExit } from "../../pipeline/exits/exit.ts";
import { ExitPool } from "../../pipeline/exits/exit-pool.ts";
import { startEgressGuard } from "../../pipeline/guard/egress-guard.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import type { YouTubeAccess } from "../../pipeline/probe/youtube.ts";
import { startExtractorHost } from "../../pipeline/extractor-host/extractor-host.ts";
import { REPOSITORY_ROOT } from "../repository.ts";
import { PATIENT_LIMITS } from "./patient-limits.ts";
import { testFolder } from "./test-folder.ts";
import { openTestSandbox } from "./test-sandbox.ts";
import { YouTubeSite } from "../stand-ins/youtube-site/youtube-site.ts";
import { findScriptRuntime } from "../../pipeline/process/script-runtime.ts";

export interface TestYouTubeSite extends AsyncDisposable {
  readonly site: YouTubeSite;
  /** Removed at the end. */
  readonly folder: string;
  /** PEM file that tools have to trust. This process does, until the end. */
  readonly caFile: string;
}

export interface TestYouTube extends TestYouTubeSite {
  /** Without access to YouTube: each test names its exits and clients. */
  readonly pipeline: Pipeline;
}

export async function openYouTubeSite(): Promise<TestYouTubeSite> {
  await using opened = new AsyncDisposableStack();
  const { ffmpegPath } = inject("toolPaths");
  const dataDir = path.join(REPOSITORY_ROOT, ".data");
  const site = opened.use(await YouTubeSite.start({ dataDir, ffmpegPath, report: () => undefined }));
  const folder = await testFolder();
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, site.certificate);
  const authorities = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...authorities, site.certificate]);
  opened.defer(() => tls.setDefaultCACertificates(authorities));
  const rest = opened.move();
  return { site, folder, caFile, [Symbol.asyncDispose]: () => rest.disposeAsync() };
}

/** Access through one exit, by the usual clients. */
export async function usualAccess(site: YouTubeSite): Promise<YouTubeAccess> {
  const { proxyUrl } = await site.openExit("one");
  const exits = new ExitPool({ exits: [parseExit(proxyUrl)], extractionsPerHour: Infinity });
  return { exits, clientOrder: ["visionos", "default"] };
}

export async function openTestYouTube(): Promise<TestYouTube> {
  await using opened = new AsyncDisposableStack();
  const { site, folder, caFile } = opened.use(await openYouTubeSite());
  const toolPaths = inject("toolPaths");
  const guard = opened.use(await startEgressGuard({ allow: [] }));
  const sandbox = await openTestSandbox();
  const extractorHost = await startExtractorHost(toolPaths.ytDlpPath, folder, caFile, sandbox);
  if (!extractorHost) throw new Error("yt-dlp cannot be loaded");
  opened.use(extractorHost);
  const tools = { ...toolPaths, denoPath: findScriptRuntime(), caFile };
  const rest = opened.move();
  return {
    site,
    folder,
    caFile,
    pipeline: { tools, sandbox, guard, extractorHost, videoHosts: [], limits: PATIENT_LIMITS },
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}
