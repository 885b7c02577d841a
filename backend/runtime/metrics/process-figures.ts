/** Reads from the metrics of this process what the operator's page shows. */
import type { Registry } from "prom-client";
import type { ProcessReport, YouTubeClient, YouTubeRemarks } from "../../../common/operator.ts";
import type { ExtractorReaders } from "./extractor-metrics.ts";

export type ProcessFigures = Pick<
  ProcessReport,
  "sockets" | "conversions" | "isRedisUp" | "extractor" | "exits" | "youtube"
>;

/** Figures that are no numbers. */
export interface NamedFigures extends Pick<ExtractorReaders, "failingCanaries" | "waitingRelease" | "heldBack"> {
  /** Null in a process that does not ask YouTube. */
  youtubeRemarks(): YouTubeRemarks | null;
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
}

type ValuesOf = (metric: string) => Promise<readonly Value[]>;

/** @returns the clients that YouTube was asked with, in the order in which they were asked first */
async function readClients(valuesOf: ValuesOf): Promise<YouTubeClient[]> {
  const attempts = await valuesOf("tapedeck_youtube_extractions_total");
  const formats = await valuesOf("tapedeck_youtube_formats_total");
  const captions = await valuesOf("tapedeck_youtube_captions_total");
  const lastVideo = await valuesOf("tapedeck_youtube_client_last_video_timestamp_seconds");
  const askedLast = await valuesOf("tapedeck_youtube_client_asked_last");
  const names = new Set(attempts.map(({ labels }) => String(labels["client"])));
  return Array.from(names, (name) => {
    const sumOf = (values: readonly Value[], outcome?: string): number =>
      values
        .filter(({ labels }) => labels["client"] === name && (outcome === undefined || labels["outcome"] === outcome))
        .reduce((sum, { value }) => sum + value, 0);
    const outcomes = new Set(
      attempts.filter(({ labels }) => labels["client"] === name).map(({ labels }) => String(labels["outcome"])),
    );
    outcomes.delete("ok");
    const lastSeconds = sumOf(lastVideo);
    return {
      name,
      videos: sumOf(captions),
      formats: sumOf(formats),
      withCaptions: sumOf(captions, "given"),
      captionsWithheld: sumOf(captions, "withheld"),
      refusals: Array.from(outcomes, (code) => ({ code, times: sumOf(attempts, code) })),
      lastVideoAt: lastSeconds === 0 ? null : new Date(lastSeconds * 1_000).toISOString(),
      isAskedLast: sumOf(askedLast) > 0,
    };
  });
}

/**
 * Parts that this process does not have are null or empty.
 * @param named what the metrics have as a number only, or not at all
 */
export async function readProcessFigures(registry: Registry, named: NamedFigures): Promise<ProcessFigures> {
  const valuesOf: ValuesOf = async (metric) => (await registry.getSingleMetric(metric)?.get())?.values ?? [];
  const valueOf = async (metric: string): Promise<number | null> => (await valuesOf(metric))[0]?.value ?? null;
  const isRedisUp = await valueOf("tapedeck_redis_up");
  const version = (await valuesOf("tapedeck_extractor_info"))[0]?.labels["version"];
  const failingCanaryNames = [...(await named.failingCanaries())];
  const remarks = named.youtubeRemarks();
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
            heldBack: await named.heldBack(),
            failureShare: (await valueOf("tapedeck_extractor_failure_share")) ?? 0,
          },
    youtube: remarks && { ...remarks, clients: await readClients(valuesOf) },
    exits: exits.map(({ value, labels }) => ({ name: String(labels["exit"]), isPaused: value === 1 })),
  };
}
