import { collectDefaultMetrics, Counter, Gauge, Registry, type Aggregator } from "prom-client";
import type { Bus } from "../domain/bus.ts";
import type { DatabaseWatch } from "../domain/database/database-watch.ts";
import type { JobModel } from "../domain/jobs/job-model.ts";
import type { MetricsPage } from "../http/routes/metrics-routes.ts";
import { Tier } from "../../common/tiers.ts";
import type { ExitState } from "../pipeline/exits/exit-pool.ts";
import type { ExtractionAttempt } from "../pipeline/probe/youtube.ts";
import type { PushEvent } from "../realtime/publisher.ts";
import { addExtractorMetrics, type CountCanary, type ExtractorFigures } from "./extractor-metrics.ts";
import { addYouTubeMetrics } from "./youtube-metrics.ts";

export interface Metrics extends MetricsPage {
  countPush(event: PushEvent): void;
  /** Adds the metrics of YouTube. @returns counts an attempt */
  watchYouTube(readExits: () => readonly ExitState[]): (attempt: ExtractionAttempt) => void;
  /**
   * Adds the metrics of yt-dlp.
   * @param read the yt-dlp in use; null when its version is unknown
   * @returns counts a trial
   */
  watchExtractor(read: () => ExtractorFigures | null): CountCanary;
  /** Adds a metric of this process. Metrics of parts that the process does not have are never added. */
  show(metric: keyof typeof OWN_METRICS, read: () => number): void;
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
  tapedeck_redis_up: { help: "Whether this process reaches Redis", aggregator: "min" },
} as const satisfies Record<string, OwnMetric>;

interface QueueFigures {
  readonly waiting: Record<Tier, number>;
  readonly running: Record<Tier, number>;
  /** How long the job that has waited longest has waited. */
  readonly ageSeconds: Record<Tier, number>;
}

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
  const ended = new Counter({
    name: "tapedeck_jobs_ended_total",
    help: "Jobs that this process has brought to an end, by what came of them",
    labelNames: ["format", "outcome"],
    registers,
  });
  bus.subscribe("job:ended", ({ format, outcome }) => ended.inc({ format, outcome }));
  const pushes = new Counter({
    name: "tapedeck_pushes_total",
    help: "Events that this process has sent to browsers",
    labelNames: ["event"],
    registers,
  });

  return {
    show(name, read) {
      const gauge: Gauge = new Gauge({ name, ...OWN_METRICS[name], registers, collect: () => gauge.set(read()) });
    },
    watchYouTube: (readExits) => addYouTubeMetrics(registry, readExits),
    watchExtractor: (read) => addExtractorMetrics(registry, read),
    countPush: (event) => pushes.inc({ event }),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

/** @param readFigures called once for all three metrics of a scrape */
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
  add("tapedeck_jobs_running", "Jobs in the hands of any worker", "running");
  add(
    "tapedeck_queue_age_seconds",
    "How long the job that has waited longest waits for a worker, of the whole queue",
    "ageSeconds",
  );
}

async function readQueue(jobs: JobModel): Promise<QueueFigures> {
  const groups = await jobs.aggregate<{ _id: { status: string; tier: Tier }; count: number; since: Date }>([
    { $match: { status: { $in: ["queued", "pending", "processing"] } } },
    { $group: { _id: { status: "$status", tier: "$tier" }, count: { $sum: 1 }, since: { $min: "$updatedAt" } } },
  ]);
  const none = { free: 0, pro: 0 } satisfies Record<Tier, number>;
  const figures: QueueFigures = { waiting: { ...none }, running: { ...none }, ageSeconds: { ...none } };
  for (const {
    _id: { status, tier },
    count,
    since,
  } of groups) {
    if (status === "queued") {
      figures.waiting[tier] = count;
      figures.ageSeconds[tier] = Math.max(0, (Date.now() - since.getTime()) / 1_000);
    } else figures.running[tier] += count;
  }
  return figures;
}
