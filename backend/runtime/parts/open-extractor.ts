/** Opens yt-dlp and its renewal. The operator's own yt-dlp (YTDLP_PATH) is not renewed, and web processes renew none. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { Canaries } from "../../extractor/canary.ts";
import type { ClientWatch, TryClient } from "../../extractor/client-watch.ts";
import { ExtractorFolder } from "../../extractor/extractor-folder.ts";
import { CurrentCanaries } from "../../extractor/current-canaries.ts";
import { CurrentExtractor } from "../../extractor/current-extractor.ts";
import { lockedNames, packageName } from "../../extractor/locked-packages.ts";
import { ageInDays } from "../../extractor/releases.ts";
import { Installation } from "../../extractor/installation.ts";
import { Renewal } from "../../extractor/renewal.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import { findInterpreter } from "../../pipeline/extractor-host/interpreter.ts";
import type { ToolSandbox } from "../../pipeline/process/tool-sandbox.ts";
import { tryLockFolder } from "../folder-lock.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { ExtractorFigures } from "../metrics/extractor-metrics.ts";
import { DAY_MS } from "../../../common/durations.ts";
import { isYouTubeLink } from "../../../common/hosts.ts";

const FOLDER = "extractor";

function renewalFolder({ env, dataDir }: Config): ExtractorFolder | null {
  if (env.YTDLP_PATH !== undefined || env.YOUTUBE_EXTRACTOR_RELEASE.kind === "off") return null;
  return new ExtractorFolder(join(dataDir, FOLDER));
}

/**
 * Loads the newest yt-dlp that passed its canaries, or the first one.
 * @param firstPath the yt-dlp that the server was installed with
 */
export function openCurrentExtractor(
  config: Config,
  firstPath: string,
  sandbox: ToolSandbox | undefined,
  log: Logger,
): Promise<CurrentExtractor> {
  return CurrentExtractor.open({
    firstPath,
    dataDir: config.dataDir,
    caFile: config.caFile,
    sandbox,
    folder: renewalFolder(config),
    isPinned: config.env.YOUTUBE_EXTRACTOR_RELEASE.kind === "pinned",
    log,
  });
}

export interface RenewalParts {
  readonly config: Config;
  readonly firstPath: string;
  readonly current: CurrentExtractor;
  readonly pipeline: Pipeline;
  /** Gets the canaries. */
  readonly clients: ClientWatch;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** Adds the metrics of yt-dlp, and begins to try it regularly and to renew it. */
export async function startRenewal(parts: RenewalParts): Promise<AsyncDisposable> {
  const { config, firstPath, current, pipeline, clients, metrics, log } = parts;
  const { env, dataDir, pipEnvironment } = config;
  await using started = new AsyncDisposableStack();
  const counters = metrics.watchExtractor({
    figures: () => figuresOf(current),
    failureShare: () => current.failureShare,
    failingCanaries: () => currentCanaries.failing(),
    waitingRelease: async () => (await folder?.readKnowledge())?.waiting ?? null,
    heldBack: async () => (await folder?.readKnowledge())?.heldBack ?? null,
  });
  const canaries = new Canaries({ pipeline, links: env.YOUTUBE_CANARY_LINKS, count: counters.countCanary });
  if (env.YOUTUBE_CANARY_LINKS.some((link) => isYouTubeLink(link))) clients.tryClient = tryClientBy(canaries);
  const folder = renewalFolder(config);
  // The Python that runs the first yt-dlp is new enough for its successors.
  const python = (await findInterpreter(firstPath))?.python ?? ["python3"];
  const isRenewing = env.ROLE !== "web" && pipeline.sandbox !== undefined;
  const renewal =
    folder &&
    isRenewing &&
    started.use(
      new Renewal({
        release: env.YOUTUBE_EXTRACTOR_RELEASE,
        rules: {
          waitMs: env.YOUTUBE_EXTRACTOR_WAIT_DAYS * DAY_MS,
          names: new Set([...lockedNames(), ...env.YOUTUBE_EXTRACTOR_PACKAGES.map(packageName)]),
        },
        folder,
        current,
        canaries,
        openDraft: (signal) =>
          new Installation({ python, environment: pipEnvironment, sandbox: pipeline.sandbox, folder }, signal),
        tryLock: tryLockFolder,
        count: counters.countRenewal,
        log,
      }),
    );
  const currentCanaries = started.use(
    new CurrentCanaries({
      folder: join(dataDir, FOLDER, "canaries"),
      canaries,
      tryLock: tryLockFolder,
      onFailing: (areNew) => renewal && renewal.checkBecauseOfCanaries(areNew),
      log,
    }),
  );
  if (folder && pipeline.sandbox === undefined)
    log.warn("yt-dlp is not renewed, because a new one is tried in a sandbox only, and this machine has none");
  if (renewal) renewal.start();
  // Web processes read the results; those that renew are told when a canary fails.
  if (env.ROLE !== "web") currentCanaries.start();
  return started.move();
}

function tryClientBy(canaries: Canaries): TryClient {
  return async (client, signal) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "client-"));
    return await canaries.tryClient(client, folder.path, signal);
  };
}

function figuresOf({ version }: CurrentExtractor): ExtractorFigures | null {
  return version === undefined ? null : { version, ageDays: ageInDays(version, Date.now()) };
}
