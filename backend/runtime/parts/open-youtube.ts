/** Opens the way to YouTube: its exits, and what this process reports about the site. */
import type { Logger } from "pino";
import { ConfigError, type Config } from "../../config/config.ts";
import type { Bus } from "../../domain/bus.ts";
import { ClientWatch } from "../../extractor/client-watch.ts";
import { SiteHealth, siteOutcomeOf } from "../../domain/sites/site-health.ts";
import { SiteReporter } from "../../domain/sites/site-reports.ts";
import { checkExits, ForeignAddressError } from "../../pipeline/exits/check-exits.ts";
import type { Exit } from "../../pipeline/exits/exit.ts";
import { ExitPool } from "../../pipeline/exits/exit-pool.ts";
import type { ExitStates } from "../../pipeline/exits/exit-states.ts";
import { unknownClients } from "../../pipeline/probe/client-order.ts";
import type { YouTubeAccess } from "../../pipeline/probe/youtube.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { RemarkBook } from "./youtube-remarks.ts";

export interface YouTubeParts {
  readonly config: Config;
  readonly bus: Bus;
  readonly exitStates: ExitStates;
  readonly metrics: Metrics;
  /** Whether this machine has a runtime for the site's scripts. */
  readonly hasScripts: boolean;
  readonly log: Logger;
  /** Closes the opened parts. */
  readonly started: AsyncDisposableStack;
}

export interface OpenYouTube {
  readonly access: YouTubeAccess;
  /** `startRenewal` gives it the canaries. */
  readonly clients: ClientWatch;
  /** Must be called with the clients of the yt-dlp in use; null where it does not name them. */
  clientsLoaded(names: readonly string[] | null): void;
  /** Must be called when extractions use another version of yt-dlp. */
  toolChanged(): void;
}

/** @throws ConfigError when an exit is an address that this machine does not have */
async function checkYouTubeExits(exits: readonly Exit[], log: Logger): Promise<void> {
  try {
    for (const warning of await checkExits(exits)) log.warn(`YOUTUBE_EXITS: ${warning}`);
  } catch (error) {
    if (!(error instanceof ForeignAddressError)) throw error;
    throw new ConfigError(`YOUTUBE_EXITS: ${error.message}; correct or unset it.`, { cause: error });
  }
}

/** @throws ConfigError when an exit cannot be used on this machine */
export async function openYouTube({
  config: { env },
  bus,
  exitStates,
  metrics,
  hasScripts,
  log,
  started,
}: YouTubeParts): Promise<OpenYouTube> {
  await checkYouTubeExits(env.YOUTUBE_EXITS, log);
  const exits = new ExitPool({
    exits: env.YOUTUBE_EXITS,
    extractionsPerHour: env.YOUTUBE_EXTRACTIONS_PER_HOUR ?? Infinity,
    states: exitStates,
    log: (line) => log.warn(line),
  });
  const isRefusedEverywhere = (): boolean => exits.statuses.every(({ refusalsInARow }) => refusalsInARow > 0);
  const health = new SiteHealth({ isStillRefused: isRefusedEverywhere });
  const reporter = started.use(new SiteReporter(bus, "youtube", health));
  const book = new RemarkBook(log, hasScripts);
  const clients = started.use(new ClientWatch({ log }));
  const { countAttempt, countGiven } = metrics.watchYouTube({
    readExits: () => exits.statuses,
    failingClients: clients.failing,
    remarks: () => book.remarks,
  });
  const access: YouTubeAccess = {
    exits,
    clients,
    clientOrder: env.YOUTUBE_CLIENTS,
    onAttempt: countAttempt,
    onGiven: countGiven,
    onNotice: (notice) => {
      if (notice === "scripts") book.scriptStopped();
    },
    onUnknownReason: (words) => book.unknownReason(words),
    onLink(link, code) {
      const isRefused = code === "busy" && isRefusedEverywhere();
      const outcome = isRefused ? "refusing" : siteOutcomeOf(code);
      if (outcome === null) return;
      health.record(link, outcome, isRefused);
      reporter.update();
    },
  };
  return {
    access,
    clients,
    clientsLoaded: (names) => book.unknownClients(names ? unknownClients(env.YOUTUBE_CLIENTS, names) : []),
    toolChanged() {
      health.toolChanged();
      clients.toolChanged();
      reporter.update();
    },
  };
}
