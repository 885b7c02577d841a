import { chakra } from "@chakra-ui/react";

const Track = chakra("div", { base: { h: "1.5", borderRadius: "full", bg: "track", overflow: "hidden" } });

// Moved, not widened: the compositor does that alone, and twenty bars cost the page no layout.
const Range = chakra("div", {
  base: {
    h: "full",
    borderRadius: "full",
    bg: "accent",
    // A little longer than the 200 ms between two pushes, so that the bar flows instead of stepping.
    transition: "transform 260ms linear",
    _motionReduce: { transition: "none" },
  },
});

export interface ProgressBarProps {
  readonly label: string;
  /** 0 to 100. */
  readonly percent: number;
}

export function ProgressBar({ label, percent }: ProgressBarProps) {
  return (
    <Track role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      <Range style={{ transform: `translateX(${percent - 100}%)` }} />
    </Track>
  );
}
