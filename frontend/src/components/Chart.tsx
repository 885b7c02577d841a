/** A picture of figures over time. Only in scripts that are loaded when it is shown: the library has 20 kB. */
import { chakra } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

const FONT = "12px Inter Variable, Inter, system-ui, sans-serif";

/** Of an axis that counts. */
export const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

const Frame = chakra("div", {
  base: {
    // The library's own rule names another one.
    "& .uplot": { fontFamily: "body" },
    "& .u-legend": { fontSize: "sm", textAlign: "start", mt: "2" },
    "& .u-legend th": { fontWeight: 600 },
    "& .u-legend .u-marker": { borderRadius: "xs" },
  },
});

/** The theme as a canvas needs it, which does not know tokens. */
export interface ChartLook {
  /** @returns the colour that a token has now */
  readonly colorOf: (token: string) => string;
  /** Of an axis, whose grid may be left out. */
  readonly axis: UPlot.Axis;
}

function lookOf(element: HTMLElement): ChartLook {
  const colorOf = (token: string): string => {
    const probe = document.createElement("span");
    probe.style.color = `var(--chakra-colors-${token})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const axis = { stroke: colorOf("fg-muted"), font: FONT, grid: { stroke: colorOf("border") }, ticks: { show: false } };
  return { colorOf, axis };
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

export interface ChartProps {
  readonly heightPx: number;
  /** Times in seconds, and the figures of each series. The same object as long as nothing has changed. */
  readonly data: UPlot.AlignedData;
  /** The same function as long as nothing has changed. */
  readonly optionsFor: (look: ChartLook) => Omit<UPlot.Options, "width" | "height">;
}

/** The figures must also be said in words beside the picture; the legend has those under the pointer. */
export function Chart(props: ChartProps) {
  // A canvas keeps its colours, so it is drawn again in a new one.
  return <Drawn key={useSchemeChanges()} {...props} />;
}

function Drawn({ heightPx: height, data, optionsFor }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const chart = new UPlot({ ...optionsFor(lookOf(element)), width: element.clientWidth, height }, data, element);
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [data, optionsFor, height]);
  // Time runs from left to right in every language.
  return <Frame ref={frame} dir="ltr" minH={`${height + 16}px`} />;
}
