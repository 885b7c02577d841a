/** Opens the parts that all conversions and previews of a process share. */
import path from "node:path";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import type { Bus } from "../../domain/bus.ts";
import type { Domain } from "../../domain/domain.ts";
import type { Lists } from "../../domain/jobs/lists.ts";
import type { Waveforms } from "../../domain/jobs/waveforms.ts";
import type { Previews } from "../../domain/jobs/previews.ts";
import type { HostSemaphore } from "../../pipeline/fetch/host-semaphore.ts";
import { startEgressGuard, type EgressGuard } from "../../pipeline/guard/egress-guard.ts";
import { watchOwnAddresses } from "../../pipeline/guard/own-addresses.ts";
import type { Pipeline } from "../../pipeline/pipeline.ts";
import type { ExitStates } from "../../pipeline/exits/exit-states.ts";
import { Extractions, type SharedResults } from "../../pipeline/probe/extractions.ts";
import { SiteCookies } from "../../pipeline/probe/site-cookies.ts";
import { CoreShare } from "../../pipeline/process/core-share.ts";
import { SponsorBlock } from "../../pipeline/sponsors/sponsor-block.ts";
import { LearnedPaces } from "../../pipeline/progress/learned-paces.ts";
import { LinkSlots } from "../../worker/link-slots.ts";
import { ListReader } from "../../worker/list-reader.ts";
import { PreviewMaker } from "../../worker/previews.ts";
import { WaveformMaker, type WaveformParts } from "../../worker/waveforms.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { openYouTubeKit } from "./open-youtube-kit.ts";
import { openCurrentExtractor, startRenewal } from "./open-extractor.ts";
import { checkExtractorNetwork, openToolSandbox } from "./open-tool-sandbox.ts";
import { openYouTube } from "./open-youtube.ts";
import type { Runtime } from "../runtime.ts";
import { findScriptRuntime } from "../../pipeline/process/script-runtime.ts";

/**
 * A conversion soon after its preview reuses the metadata, which is some MB for a long video. That of YouTube is kept for
 * ten minutes, as its addresses allow; see `keepMsOf`.
 */
const PREVIEW_CACHE = { keepMs: 60_000, maxKept: 200, maxKeptBytes: 32_000_000 };

/** As long as a visitor chooses; a list of 5,000 entries takes about 2 MB. */
const LIST_CACHE = { keepMs: 10 * 60_000, maxKept: 50, maxKeptBytes: 32_000_000 };

export interface PipelineParts {
  readonly config: Config;
  readonly runtime: Runtime;
  readonly bus: Bus;
  readonly videoHosts: Domain["videoHosts"];
  readonly blocks: Domain["blocks"];
  readonly hostSemaphore: HostSemaphore;
  readonly exitStates: ExitStates;
  /** Null without Redis. */
  readonly sharedExtractions: SharedResults | null;
  readonly metrics: Metrics;
  /** Called when extractions use another version of yt-dlp. */
  readonly onToolSwapped: () => void;
  readonly log: Logger;
  /** Closes the opened parts. */
  readonly started: AsyncDisposableStack;
}

/** Starts the egress guard, a resident yt-dlp and its renewal. */
export async function openPipeline({
  config,
  runtime,
  bus,
  videoHosts,
  blocks,
  hostSemaphore,
  exitStates,
  sharedExtractions,
  metrics,
  onToolSwapped,
  log,
  started,
}: PipelineParts): Promise<Pipeline> {
  const own = started.use(watchOwnAddresses({ publicUrl: config.publicUrl }));
  const guard = await startEgressGuard({
    allow: videoHosts,
    own,
    refusesHost: (host) => blocks.refusesHost(host),
    log: (line) => log.warn(line),
  });
  started.defer(() => guard.stop());
  const { ytDlpPath, ffmpegPath, ffprobePath } = runtime;
  const sandbox = await openToolSandbox(config, log);
  await checkExtractorNetwork(config, ytDlpPath, log);
  const current = started.use(await openCurrentExtractor(config, ytDlpPath, sandbox, log));
  const denoPath = findScriptRuntime();
  if (denoPath === undefined)
    log.warn("Deno does not run on this machine; YouTube videos that need the site's script cannot be converted");
  if (!current.isLoaded) log.warn("yt-dlp cannot stay loaded on this machine; every conversion starts it again");
  const youtube = await openYouTube({
    config,
    bus,
    exitStates,
    metrics,
    hasScripts: denoPath !== undefined,
    log,
    started,
  });
  const nameClients = async (): Promise<void> => {
    using lease = await current.acquire();
    youtube.clientsLoaded(lease.extractor.host?.clients?.names ?? null);
  };
  await nameClients();
  current.onSwapped = () => {
    youtube.toolChanged();
    onToolSwapped();
    nameClients().catch((error: unknown) => log.warn({ error }, "the clients of the new yt-dlp cannot be read"));
  };
  const kit = started.use(await openYouTubeKit(config, ytDlpPath, sandbox, log));
  const extractions = new Extractions({
    ...PREVIEW_CACHE,
    others: sharedExtractions ?? undefined,
    log: (line) => log.warn(line),
  });
  started.defer(blocks.onChange(() => void extractions.forgetAll()));
  const pipeline: Pipeline = {
    blocks,
    extractors: current,
    sandbox,
    cores: new CoreShare(),
    paces: new LearnedPaces(),
    hostSemaphore,
    tools: {
      ytDlpPath,
      ffmpegPath,
      ffprobePath,
      denoPath,
      caFile: config.caFile,
      pluginFolders: kit.pluginFolders,
    },
    youtube: kit.equip(youtube.access),
    guard,
    videoHosts,
    limits: config.settings.pipeline,
    extractions,
    siteCookies: await openSiteCookies(config, log),
    sponsorBlock: openSponsorBlock(config, guard, log, started),
  };
  await kit.reportPlugins(pipeline);
  started.use(
    await startRenewal({ config, firstPath: ytDlpPath, current, pipeline, clients: youtube.clients, metrics, log }),
  );
  return pipeline;
}

function openSponsorBlock(
  { env: { YOUTUBE_SPONSORBLOCK_URL: address } }: Config,
  guard: EgressGuard,
  log: Logger,
  started: AsyncDisposableStack,
): SponsorBlock | undefined {
  if (address === undefined) return undefined;
  const sponsorBlock = new SponsorBlock({ address, guard, log: (line) => log.warn(line) });
  started.defer(() => sponsorBlock.stop());
  return sponsorBlock;
}

/** Opens what looks at links before they are converted. */
export function openLookups(
  config: Config,
  pipeline: Pipeline,
  blocks: Domain["blocks"],
  scratchFolder: string,
  started: AsyncDisposableStack,
): { readonly previews: Previews; readonly lists: Lists } {
  const { concurrency, pictureMs, sponsorsMs } = config.settings.previews;
  const slots = new LinkSlots({ scratchFolder, concurrency });
  const previews = new PreviewMaker(pipeline, slots, { pictureMs, sponsorsMs, kept: PREVIEW_CACHE });
  const lists = new ListReader(pipeline, slots, { pictureMs, kept: LIST_CACHE });
  started.defer(
    blocks.onChange(() => {
      previews.forgetPictures();
      lists.forgetAll();
    }),
  );
  started.defer(async () => {
    previews.stop();
    lists.stop();
    await slots.untilIdle();
  });
  return { previews, lists };
}

/** Opens what draws the waveforms of stored files. */
export function openWaveforms(parts: WaveformParts, started: AsyncDisposableStack): Waveforms {
  const waveforms = new WaveformMaker(parts);
  started.defer(() => waveforms.stop());
  return waveforms;
}

async function openSiteCookies({ dataDir }: Config, log: Logger): Promise<SiteCookies> {
  const cookies = new SiteCookies(path.join(dataDir, "cookies"));
  for (const warning of await cookies.check()) log.warn(warning);
  return cookies;
}
