/** Opens yt-dlp and its renewal. The operator's own yt-dlp (YTDLP_PATH) is not renewed. */
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import { Canaries } from "../extractor/canary.ts";
import { ExtractorFolder } from "../extractor/extractor-folder.ts";
import { PresentExtractor } from "../extractor/present-extractor.ts";
import { ageInDays } from "../extractor/releases.ts";
import { Renewal } from "../extractor/renewal.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { findInterpreter } from "../pipeline/probe/extractor-host.ts";
import { tryLockFolder } from "./folder-lock.ts";
import type { Metrics } from "./metrics.ts";

const FOLDER = "extractor";

function renewalFolder({ env, dataDir }: Config): ExtractorFolder | null {
  if (env.YTDLP_PATH !== undefined || env.YOUTUBE_EXTRACTOR_RELEASE.kind === "off") return null;
  return new ExtractorFolder(join(dataDir, FOLDER));
}

/**
 * Loads the newest yt-dlp that passed its canaries, or the first one.
 * @param firstPath the yt-dlp that the server was installed with
 */
export function openPresentExtractor(config: Config, firstPath: string, log: Logger): Promise<PresentExtractor> {
  return PresentExtractor.open({
    firstPath,
    dataDir: config.dataDir,
    caFile: config.caFile,
    folder: renewalFolder(config),
    isPinned: config.env.YOUTUBE_EXTRACTOR_RELEASE.kind === "pinned",
    log: { info: (line) => log.info(line), warn: (line) => log.warn(line) },
  });
}

export interface RenewalParts {
  readonly config: Config;
  readonly firstPath: string;
  readonly present: PresentExtractor;
  readonly pipeline: Pipeline;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Adds the metrics of yt-dlp and begins its renewal. @returns undefined when yt-dlp is not renewed */
export async function startRenewal(parts: RenewalParts): Promise<Renewal | undefined> {
  const { config, firstPath, present, pipeline, metrics, log } = parts;
  const { env, pipEnvironment } = config;
  const countCanary = metrics.watchExtractor(() =>
    present.version === undefined
      ? null
      : { version: present.version, ageDays: ageInDays(present.version, Date.now()) },
  );
  const folder = renewalFolder(config);
  if (!folder) return undefined;
  const renewal = new Renewal({
    release: env.YOUTUBE_EXTRACTOR_RELEASE,
    folder,
    present,
    canaries: new Canaries({
      pipeline,
      links: env.YOUTUBE_CANARY_LINKS,
      count: countCanary,
    }),
    installation: {
      // The Python that runs the first yt-dlp is new enough for its successors.
      python: (await findInterpreter(firstPath))?.python ?? ["python3"],
      environment: pipEnvironment,
    },
    tryLock: tryLockFolder,
    log: { info: (line) => log.info(line), warn: (line) => log.warn(line) },
  });
  renewal.start();
  return renewal;
}
