/** The metrics of prom-client in the form of OpenTelemetry. Names, labels and meanings stay; docker/README.md has them. */
import { ValueType, type HrTime } from "@opentelemetry/api";
import { AggregationTemporality, DataPointType, type DataPoint, type MetricData } from "@opentelemetry/sdk-metrics";

/** What prom-client says of a metric in `getMetricsAsJSON`, whose types lack the strings. */
export interface PromMetric {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly values: readonly PromValue[];
}

interface PromValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Of a histogram: the name with _bucket, _sum or _count. */
  readonly metricName?: string;
}

export type ReadMetrics = () => Promise<readonly PromMetric[]>;

/**
 * Values that are no numbers are left out, and so are summaries, which OpenTelemetry has for old systems only; we have
 * none.
 * @param startedMs since when counters count
 */
export function metricsOf(metrics: readonly PromMetric[], startedMs: number, nowMs: number): MetricData[] {
  const times = { startTime: hrTime(startedMs), endTime: hrTime(nowMs) };
  return metrics.flatMap(({ name, help, type, values }): MetricData[] => {
    const base = {
      descriptor: { name, description: help, unit: "", valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
    };
    const numbers = values.filter(({ value }) => Number.isFinite(value));
    const points = (): DataPoint<number>[] =>
      numbers.map(({ value, labels }) => ({ ...times, attributes: { ...labels }, value }));
    switch (type) {
      case "counter":
        return [{ ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }];
      case "gauge":
        return [{ ...base, dataPointType: DataPointType.GAUGE, dataPoints: points() }];
      case "histogram": {
        const dataPoints = histogramsOf(numbers).map((histogram) => ({ ...times, ...histogram }));
        return [{ ...base, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
      }
      default:
        return [];
    }
  });
}

interface HistogramPoint {
  readonly attributes: Record<string, string | number | undefined>;
  readonly value: {
    buckets: { boundaries: number[]; counts: number[] };
    sum: number;
    count: number;
  };
}

/** One histogram for each combination of labels. prom-client counts each bucket with all below it; here it is alone. */
function histogramsOf(values: readonly PromValue[]): HistogramPoint[] {
  const byLabels = new Map<string, HistogramPoint>();
  const below = new Map<HistogramPoint, number>();
  for (const { value, labels, metricName = "" } of values) {
    const { le, ...attributes } = labels;
    const key = JSON.stringify(attributes);
    const point = byLabels.get(key) ?? {
      attributes,
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
    };
    byLabels.set(key, point);
    if (metricName.endsWith("_sum")) point.value.sum = value;
    else if (metricName.endsWith("_count")) point.value.count = value;
    else {
      if (Number.isFinite(Number(le))) point.value.buckets.boundaries.push(Number(le));
      point.value.buckets.counts.push(value - (below.get(point) ?? 0));
      below.set(point, value);
    }
  }
  return [...byLabels.values()];
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}
