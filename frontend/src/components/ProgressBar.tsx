import { useDirection } from "../texts/store.ts";

export interface ProgressBarProps {
  readonly label: string;
  /** From 0 to 100. */
  readonly percent: number;
}

/** Fills in reading direction. The fill is translated instead of resized, which needs no layout, only compositing. */
export function ProgressBar({ label, percent }: ProgressBarProps) {
  const sign = useDirection() === "rtl" ? -1 : 1;
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div style={{ transform: `translateX(${(percent - 100) * sign}%)` }} />
    </div>
  );
}

/** An empty bar before there is progress; screen readers ignore it. */
export const EmptyTrack = () => <div className="progress-bar" />;
