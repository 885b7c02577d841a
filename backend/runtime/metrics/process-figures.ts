/** Reads from the metrics of this process what the operator's page shows. */
import type { Registry } from "prom-client";
import type { ProcessReport, YouTubeRemarks } from "../../../common/operator.ts";
import type { ExtractorReaders } from "./extractor-metrics.ts";

export type ProcessFigures = Pick<
  ProcessReport,
  "sockets" | "conversions" | "isRedisUp" | "extractor" | "exits" | "youtube"
>;

/** Figures that are no numbers. */
export interface NamedFigures extends Pick<ExtractorReaders, "failingCanaries" | "waitingRelease"> {
  /** Null in a process that does not ask YouTube. */
  youtubeRemarks(): YouTubeRemarks | null;
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
}

/**
 * Parts that this process does not have are null or empty.
 * @param named what the metrics have as a number only, or not at all
 */
export async function readProcessFigures(registry: Registry, named: NamedFigures): Promise<ProcessFigures> {
  const valuesOf = async (metric: string): Promise<readonly Value[]> =>
    (await registry.getSingleMetric(metric)?.get())?.values ?? [];
  const valueOf = async (metric: string): Promise<number | null> => (await valuesOf(metric))[0]?.value ?? null;
  const isRedisUp = await valueOf("tapedeck_redis_up");
  const version = (await valuesOf("tapedeck_extractor_info"))[0]?.labels["version"];
  const failingCanaryNames = [...(await named.failingCanaries())];
  const waiting = await named.waitingRelease();
  const exits = await valuesOf("tapedeck_youtube_exit_resting");
  return {
    sockets: await valueOf("tapedeck_sockets"),
    conversions: await valueOf("tapedeck_conversions_running"),
    isRedisUp: isRedisUp === null ? null : isRedisUp === 1,
    extractor:
      version === undefined
        ? null
        : {
            version: String(version),
            ageDays: (await valueOf("tapedeck_extractor_age_days")) ?? 0,
            failingCanaries: failingCanaryNames.length,
            failingCanaryNames,
            waiting: waiting && {
              version: waiting.version,
              until: waiting.untilMs === null ? null : new Date(waiting.untilMs).toISOString(),
              packages: waiting.packages,
            },
            failureShare: (await valueOf("tapedeck_extractor_failure_share")) ?? 0,
          },
    youtube: named.youtubeRemarks(),
    exits: exits.map(({ value, labels }) => ({ name: String(labels["exit"]), isPaused: value === 1 })),
  };
}
