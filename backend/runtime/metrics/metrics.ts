import { collectDefaultMetrics, Gauge, Registry, type Aggregator } from "prom-client";
import type { Bus } from "../../domain/bus.ts";
import type { DatabaseWatch } from "../../domain/database/database-watch.ts";
import type { JobModel } from "../../domain/jobs/job-model.ts";
import { readQueue, type QueueFigures } from "../../domain/jobs/queue-figures.ts";
import type { SiteReports } from "../../domain/sites/site-reports.ts";
import type { MetricsPage } from "../../http/routes/metrics-routes.ts";
import { Tier } from "../../../common/tiers.ts";
import type { PushEvent } from "../../realtime/publisher.ts";
import type { ReadMetrics } from "../telemetry/metrics-of.ts";
import { countEvents } from "./event-counters.ts";
import { addExtractorMetrics, type ExtractorCounters, type ExtractorReaders } from "./extractor-metrics.ts";
import { readProcessFigures, type NamedFigures, type ProcessFigures } from "./process-figures.ts";
import { addSiteMetrics } from "./site-metrics.ts";
import { addYouTubeMetrics, type YouTubeCounters, type YouTubeReaders } from "./youtube-metrics.ts";

export interface Metrics extends MetricsPage {
  countPush(event: PushEvent): void;
  /** Adds the metrics of YouTube. */
  watchYouTube(readers: YouTubeReaders & { readonly remarks: NamedFigures["youtubeRemarks"] }): YouTubeCounters;
  /** Adds the metric of sites that fail. */
  watchSites(reports: Pick<SiteReports, "status">): void;
  /** Adds the metrics of yt-dlp. */
  watchExtractor(readers: ExtractorReaders): ExtractorCounters;
  /** @returns all metrics with their values */
  readAll: ReadMetrics;
  /** @returns what the metrics say of this process, for operators */
  readFigures(): Promise<ProcessFigures>;
  /** Adds a metric of this process. Metrics of parts that the process does not have are never added. */
  show(metric: keyof typeof OWN_METRICS, read: () => number | Promise<number>): void;
}

interface OwnMetric {
  readonly help: string;
  /** How an operator combines the values of all processes. */
  readonly aggregator: Aggregator;
}

export const OWN_METRICS = {
  tapedeck_sockets: { help: "Open live connections of this process", aggregator: "sum" },
  tapedeck_conversions_running: {
    help: "Conversions that run in this process, or wait for another one's; several jobs may share one",
    aggregator: "sum",
  },
  tapedeck_disk_free_bytes: { help: "Space that is left on the disk of DATA_DIR", aggregator: "min" },
  tapedeck_redis_up: { help: "Whether this process reaches Redis", aggregator: "min" },
} as const satisfies Record<string, OwnMetric>;

/**
 * Creates the metrics for an operator's monitoring. Those of the queue are read from the database, so every process
 * shows the same values: use their maximum, not their sum. All other metrics are about this process.
 * docker/README.md lists all metrics.
 */
export function createMetrics(
  jobs: JobModel,
  bus: Bus,
  database: Pick<DatabaseWatch, "during">,
  registry = new Registry(),
): Metrics {
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  addQueueMetrics(registry, () => database.during(() => readQueue(jobs)));
  const pushes = countEvents(registry, bus);
  let namedFigures: NamedFigures = {
    failingCanaries: async () => [],
    waitingRelease: async () => null,
    heldBack: async () => null,
    youtubeRemarks: () => null,
  };

  return {
    show(name, read) {
      const collect = async (): Promise<void> => gauge.set(await read());
      const gauge: Gauge = new Gauge({ name, ...OWN_METRICS[name], registers, collect });
    },
    watchYouTube(readers) {
      namedFigures = { ...namedFigures, youtubeRemarks: readers.remarks };
      return addYouTubeMetrics(registry, bus, readers);
    },
    watchSites: (reports) => addSiteMetrics(registry, reports),
    watchExtractor(readers) {
      namedFigures = { ...namedFigures, ...readers };
      return addExtractorMetrics(registry, readers);
    },
    readAll: () => registry.getMetricsAsJSON(),
    readFigures: () => readProcessFigures(registry, namedFigures),
    countPush: (event) => pushes.inc({ event }),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

/** @param readFigures called once for all four metrics of a scrape */
function addQueueMetrics(registry: Registry, readFigures: () => Promise<QueueFigures>): void {
  let reading: Promise<QueueFigures> | undefined;
  const add = (name: string, help: string, figure: keyof QueueFigures) =>
    new Gauge({
      name,
      help,
      labelNames: ["tier"],
      aggregator: "max",
      registers: [registry],
      async collect() {
        reading ??= readFigures().finally(() => {
          reading = undefined;
        });
        // Without the database the metrics of the queue are missing, and all others are there.
        const figures = await reading.catch(() => null);
        this.reset();
        if (figures) for (const tier of Tier.options) this.set({ tier }, figures[figure][tier]);
      },
    });
  add("tapedeck_jobs_waiting", "Jobs that wait for a worker, of the whole queue", "waiting");
  add(
    "tapedeck_jobs_waiting_for_site",
    "Queued jobs that wait until their video site may be asked, of the whole queue",
    "waitingForSite",
  );
  add("tapedeck_jobs_running", "Jobs in the hands of any worker", "running");
  add(
    "tapedeck_queue_age_seconds",
    "How long the job that has waited longest waits for a worker, of the whole queue",
    "ageSeconds",
  );
}
