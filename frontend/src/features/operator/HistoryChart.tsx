/** The picture of the last 24 hours, in a script of its own with the library that draws it. */
import { chakra } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { HistoryPoint } from "../../../../common/operator.ts";
import type { OperatorTexts } from "../../texts/operator/en.ts";

const HEIGHT_PX = 240;
const QUARTER_SECONDS = 15 * 60;
const FONT = "12px Inter Variable, Inter, system-ui, sans-serif";

const Frame = chakra("div", {
  base: {
    minH: "16rem",
    // The library's own rule names another one.
    "& .uplot": { fontFamily: "body" },
    "& .u-legend": { fontSize: "sm", textAlign: "start", mt: "2" },
    "& .u-legend th": { fontWeight: 600 },
    "& .u-legend .u-marker": { borderRadius: "xs" },
  },
});

/** @returns the colour that a token has now; a canvas does not know tokens */
function colorOf(element: HTMLElement, token: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--chakra-colors-${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** @returns a number that grows when the system or the visitor changes the colour scheme */
function useSchemeChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const onChange = (): void => setChanges((before) => before + 1);
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    const chosen = new MutationObserver(onChange);
    media.addEventListener("change", onChange);
    chosen.observe(document.documentElement, { attributeFilter: ["class"] });
    return () => {
      media.removeEventListener("change", onChange);
      chosen.disconnect();
    };
  }, []);
  return changes;
}

function optionsFor(element: HTMLElement, texts: OperatorTexts["history"]): UPlot.Options {
  const ink = colorOf(element, "fg-muted");
  const axis = { stroke: ink, font: FONT, grid: { stroke: colorOf(element, "border") }, ticks: { show: false } };
  const bars = UPlot.paths.bars?.({ size: [0.8, 24], align: 1 });
  const bar = { scale: "jobs", paths: bars, points: { show: false } };
  const accent = colorOf(element, "accent");
  const bad = colorOf(element, "bad");
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
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
      { ...axis, scale: "jobs", size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] },
      { ...axis, scale: "wait", side: 1, size: 44, grid: { show: false } },
    ],
    series: [
      { label: texts.time },
      { ...bar, label: texts.jobs, fill: accent, stroke: accent },
      { ...bar, label: texts.failed, fill: bad, stroke: bad },
      { scale: "wait", label: texts.wait, stroke: ink, width: 2 },
    ],
  };
}

interface ChartProps {
  readonly points: readonly HistoryPoint[];
  readonly texts: OperatorTexts["history"];
}

/** The figures are also said in a sentence beside the picture, and by the legend for the quarter under the pointer. */
export function HistoryChart(props: ChartProps) {
  // A canvas keeps its colours, so it is drawn again in a new one.
  return <Chart key={useSchemeChanges()} {...props} />;
}

function Chart({ points, texts }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const chart = new UPlot(
      optionsFor(element, texts),
      [
        points.map(({ at }) => Date.parse(at) / 1_000),
        points.map(({ jobs }) => jobs),
        points.map(({ failed }) => failed),
        points.map(({ waitP95Seconds }) => waitP95Seconds),
      ],
      element,
    );
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [points, texts]);
  return <Frame ref={frame} />;
}
