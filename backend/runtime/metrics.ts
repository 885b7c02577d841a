/** What an operator's monitoring reads: how long people wait, what is being done, what has come of it. */
import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { Bus } from "../domain/bus.ts";
import type { DatabaseWatch } from "../domain/database/database-watch.ts";
import type { JobModel } from "../domain/jobs/job-model.ts";
import type { MetricsPage } from "../http/routes/metrics-routes.ts";
import { Tier } from "../../common/tiers.ts";
import type { PushEvent } from "../realtime/publisher.ts";

export interface Metrics extends MetricsPage {
  countPush(event: PushEvent): void;
  /** Shows a figure of this process; of parts that a process does not have there are none. */
  show(figure: keyof typeof OWN_FIGURES, read: () => number): void;
}

const OWN_FIGURES = {
  tapedeck_sockets: "Open live connections of this process",
  tapedeck_conversions_running:
    "Conversions that run in this process, or wait for another one's; several jobs may share one",
  tapedeck_redis_up: "Whether this process reaches Redis",
} as const;

interface QueueFigures {
  readonly waiting: Record<Tier, number>;
  readonly running: Record<Tier, number>;
  /** Seconds that the longest waiting has waited. */
  readonly ageSeconds: Record<Tier, number>;
}

/**
 * The figures of the queue are read from the database, so that every process shows the same ones:
 * take the greatest of them, not their sum. All others are this process's own.
 */
export function createMetrics(jobs: JobModel, bus: Bus, database: Pick<DatabaseWatch, "during">): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  let reading: Promise<QueueFigures> | undefined;
  const queueFigure = (name: string, help: string, of: keyof QueueFigures) =>
    new Gauge({
      name,
      help,
      labelNames: ["tier"],
      registers,
      async collect() {
        // All three are asked for at once.
        reading ??= database
          .during(() => readQueue(jobs))
          .finally(() => {
            reading = undefined;
          });
        // Without the database the figures of the queue are missing; the others are not.
        const figures = await reading.catch(() => null);
        this.reset();
        if (figures) for (const tier of Tier.options) this.set({ tier }, figures[of][tier]);
      },
    });
  queueFigure("tapedeck_jobs_waiting", "Jobs that wait for a worker, of the whole queue", "waiting");
  queueFigure("tapedeck_jobs_running", "Jobs in the hands of any worker", "running");
  queueFigure(
    "tapedeck_queue_age_seconds",
    "How long the job that has waited longest waits for a worker, of the whole queue",
    "ageSeconds",
  );
  const ended = new Counter({
    name: "tapedeck_jobs_ended_total",
    help: "Jobs that this process has brought to an end, by what came of them",
    labelNames: ["format", "outcome"],
    registers,
  });
  bus.subscribe("job:ended", (labels) => ended.inc(labels));
  const pushes = new Counter({
    name: "tapedeck_pushes_total",
    help: "Events that this process has sent to browsers",
    labelNames: ["event"],
    registers,
  });

  return {
    show(name, read) {
      const gauge: Gauge = new Gauge({ name, help: OWN_FIGURES[name], registers, collect: () => gauge.set(read()) });
    },
    countPush: (event) => pushes.inc({ event }),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
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
