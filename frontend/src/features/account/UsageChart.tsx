/** The picture of the usage by day, in a script of its own with the library that draws it. */
import { useMemo } from "react";
import UPlot from "uplot";
import type { UsageDay } from "../../../../common/usage-days.ts";
import { Chart, WHOLE_STEPS } from "../../components/Chart.tsx";
import type { ChartProps } from "../../components/Chart.tsx";
import type { AccountTexts } from "../../texts/account/en.ts";
import type { Formats } from "../../texts/format.ts";

const HEIGHT_PX = 160;
const HALF_DAY_SECONDS = 12 * 60 * 60;

const isoDayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10);

const optionsIn =
  (texts: AccountTexts, formats: Formats): ChartProps["optionsFor"] =>
  ({ colorOf, axis }) => {
    const accent = colorOf("accent");
    return {
      // Days are in UTC.
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), "Etc/UTC"),
      // Until the pointer is over the chart, the legend shows today.
      hooks: { ready: [(chart) => chart.setLegend({ idx: chart.data[0].length - 1 })] },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: {
        x: { range: (_, min, max) => [min - HALF_DAY_SECONDS, max + HALF_DAY_SECONDS] },
        y: { range: (_, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 72,
          values: (_, days) => days.map((day) => formats.shortDate(isoDayOf(day))),
        },
        { ...axis, size: 40, incrs: WHOLE_STEPS, values: (_, counts) => counts.map(formats.number) },
      ],
      series: [
        { label: texts.day, value: (_, day) => (day === null ? "" : formats.date(isoDayOf(day))) },
        {
          label: texts.conversions,
          value: (_, count) => (count === null ? "" : formats.number(count)),
          paths: UPlot.paths.bars?.({ size: [0.7, 24] }),
          points: { show: false },
          fill: accent,
          // Without an edge, which days without conversions would have too.
          width: 0,
        },
        {
          // In the legend only.
          label: texts.dataUsed,
          value: (_, sizeBytes) => (sizeBytes === null ? "" : formats.fileSize(sizeBytes)),
          scale: "data",
          paths: () => null,
          points: { show: false },
        },
      ],
    };
  };

interface UsageChartProps {
  readonly days: readonly UsageDay[];
  readonly texts: AccountTexts;
  readonly formats: Formats;
}

/** The figures are also said in a sentence beside the picture. */
export function UsageChart({ days, texts, formats }: UsageChartProps) {
  const data = useMemo<ChartProps["data"]>(
    () => [
      days.map(({ day }) => Date.parse(day) / 1_000),
      days.map(({ conversions }) => conversions),
      days.map(({ dataUsed }) => dataUsed),
    ],
    [days],
  );
  const optionsFor = useMemo(() => optionsIn(texts, formats), [texts, formats]);
  return <Chart heightPx={HEIGHT_PX} data={data} optionsFor={optionsFor} />;
}
