/** Reads from the metrics of this process what the operator's page shows. */
import type { Registry } from "prom-client";
import type { ProcessReport } from "../../../common/operator.ts";

export type ProcessFigures = Pick<ProcessReport, "sockets" | "conversions" | "isRedisUp" | "extractor" | "exits">;

interface Value {
  readonly value: number;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
}

/**
 * Parts that this process does not have are null or empty.
 * @param failingCanaries gives the names of which the metrics have the number only
 */
export async function readProcessFigures(
  registry: Registry,
  failingCanaries: () => Promise<readonly string[]>,
): Promise<ProcessFigures> {
  const valuesOf = async (metric: string): Promise<readonly Value[]> =>
    (await registry.getSingleMetric(metric)?.get())?.values ?? [];
  const valueOf = async (metric: string): Promise<number | null> => (await valuesOf(metric))[0]?.value ?? null;
  const isRedisUp = await valueOf("tapedeck_redis_up");
  const version = (await valuesOf("tapedeck_extractor_info"))[0]?.labels["version"];
  const failingCanaryNames = [...(await failingCanaries())];
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
            failureShare: (await valueOf("tapedeck_extractor_failure_share")) ?? 0,
          },
    exits: exits.map(({ value, labels }) => ({ name: String(labels["exit"]), isPaused: value === 1 })),
  };
}
