/** The picture of the last 24 hours, in a script of its own with the library that draws it. */
import { useMemo } from "react";
import UPlot from "uplot";
import type { HistoryPoint } from "../../../../common/operator.ts";
import { Chart, WHOLE_STEPS } from "../../components/Chart.tsx";
import type { ChartProps } from "../../components/Chart.tsx";
import type { OperatorTexts } from "../../texts/operator/en.ts";

const HEIGHT_PX = 240;
const QUARTER_SECONDS = 15 * 60;

const optionsIn =
  (texts: OperatorTexts["history"]): ChartProps["optionsFor"] =>
  ({ colorOf, axis }) => {
    const ink = colorOf("fg-muted");
    const bars = UPlot.paths.bars?.({ size: [0.8, 24], align: 1 });
    const bar = { scale: "jobs", paths: bars, points: { show: false } };
    const accent = colorOf("accent");
    const bad = colorOf("bad");
    return {
      // Until the pointer is over the chart, the legend shows the newest quarter.
      hooks: { ready: [(chart) => chart.setLegend({ idx: chart.data[0].length - 1 })] },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: {
        // The bar of the newest quarter begins at the last time.
        x: { range: (_, min, max) => [min, max + QUARTER_SECONDS] },
        jobs: { range: (_, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] },
        wait: { range: (_, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] },
      },
      axes: [
        { ...axis, grid: { show: false } },
        { ...axis, scale: "jobs", size: 44, incrs: WHOLE_STEPS },
        { ...axis, scale: "wait", side: 1, size: 44, grid: { show: false } },
      ],
      series: [
        { label: texts.time },
        { ...bar, label: texts.jobs, fill: accent, stroke: accent },
        { ...bar, label: texts.failed, fill: bad, stroke: bad },
        { scale: "wait", label: texts.wait, stroke: ink, width: 2 },
      ],
    };
  };

interface HistoryChartProps {
  readonly points: readonly HistoryPoint[];
  readonly texts: OperatorTexts["history"];
}

/** The figures are also said in a sentence beside the picture. */
export function HistoryChart({ points, texts }: HistoryChartProps) {
  const data = useMemo<ChartProps["data"]>(
    () => [
      points.map(({ at }) => Date.parse(at) / 1_000),
      points.map(({ jobs }) => jobs),
      points.map(({ failed }) => failed),
      points.map(({ waitP95Seconds }) => waitP95Seconds),
    ],
    [points],
  );
  const optionsFor = useMemo(() => optionsIn(texts), [texts]);
  return <Chart heightPx={HEIGHT_PX} data={data} optionsFor={optionsFor} />;
}
