import { useDirection } from "../texts/store.ts";

export interface ProgressBarProps {
  readonly label: string;
  /** 0 to 100. */
  readonly percent: number;
}

/**
 * Fills in the direction of reading. Its fill is moved, not widened: the compositor does that alone, and twenty bars
 * cost the page no layout.
 */
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

/** Where a bar will be. Nobody's progress yet: it is for the eye only. */
export const EmptyTrack = () => <div className="progress-bar" />;
