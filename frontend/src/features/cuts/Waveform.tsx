import { Box, chakra } from "@chakra-ui/react";
import { useMemo } from "react";
import type { ReactNode } from "react";
import { SHORTEST_PART_SECONDS } from "../../../../common/choices.ts";
import type { Part } from "../../../../common/choices.ts";
import { formatTime, toMilliseconds } from "../../../../common/times.ts";
import { useDirection } from "../../texts/store.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";

/** A line over the whole height with a knob, and as wide as a finger. */
const thumb = {
  appearance: "none",
  boxSizing: "border-box",
  width: "2.75rem",
  height: "8rem",
  background:
    "radial-gradient(circle at 50% var(--knob), {colors.accent.text} 9px, transparent 10px), " +
    "linear-gradient({colors.accent.text}, {colors.accent.text}) center / 3px 100% no-repeat",
  border: "0",
  borderRadius: "sm",
  pointerEvents: "auto",
  cursor: "ew-resize",
} as const;

const thumbInFocus = { outline: "2px solid {colors.accent.text}", outlineOffset: "-2px" } as const;

/** Only the handle takes the pointer, because two ranges lie one over the other. */
const Handle = chakra("input", {
  base: {
    position: "absolute",
    inset: "0",
    w: "full",
    h: "full",
    m: "0",
    appearance: "none",
    bg: "transparent",
    pointerEvents: "none",
    touchAction: "pan-y",
    outline: "none",
    "&::-webkit-slider-thumb": thumb,
    "&::-moz-range-thumb": thumb,
    "&:focus-visible::-webkit-slider-thumb": thumbInFocus,
    "&:focus-visible::-moz-range-thumb": thumbInFocus,
  },
});

/** Covers what the part leaves out. */
const Shade = chakra("div", {
  base: { position: "absolute", insetY: "0", bg: "surface", opacity: 0.75, pointerEvents: "none" },
});

/** @returns the outline of the peaks, mirrored, as a polygon that fills its box; in right-to-left pages it begins there */
function outlineOf(peaks: readonly number[], isRtl: boolean): string {
  const step = 100 / Math.max(1, peaks.length - 1);
  // Silence is a thin line.
  const points = peaks.map((peak, at) => [isRtl ? 100 - at * step : at * step, Math.max(0.75, peak / 2)] as const);
  const at = (x: number, y: number): string => `${x.toFixed(2)}% ${y.toFixed(1)}%`;
  const above = points.map(([x, height]) => at(x, 50 - height));
  const below = points.toReversed().map(([x, height]) => at(x, 50 + height));
  return `polygon(${[...above, ...below].join()})`;
}

/** Longer files have whole seconds, which a finger can meet. */
const FINE_UP_TO_SECONDS = 10 * 60;

export interface WaveformProps {
  readonly peaks: readonly number[] | undefined;
  /** Said in its place until it is there. */
  readonly children: ReactNode;
  readonly whole: Part;
  readonly part: Part;
  /** What is played; undefined: nothing. */
  readonly playedSeconds: number | undefined;
  readonly onChange: (part: Part) => void;
}

/**
 * The sound of a file with two handles for the seams of a part. They are native ranges, which know keys, touch, screen
 * readers and right-to-left pages.
 */
export function Waveform({ peaks, children, whole, part, playedSeconds, onChange }: WaveformProps) {
  const texts = useChoicesTexts().part;
  const isRtl = useDirection() === "rtl";
  const outline = useMemo(() => peaks && outlineOf(peaks, isRtl), [peaks, isRtl]);
  const { startSeconds, endSeconds } = part;
  const seconds = whole.endSeconds - whole.startSeconds;
  const percent = (moment: number): string =>
    `${(100 * Math.min(seconds, Math.max(0, moment - whole.startSeconds))) / seconds}%`;
  const rest = (moment: number): string => `${(100 * (whole.endSeconds - moment)) / seconds}%`;
  const step = seconds <= FINE_UP_TO_SECONDS ? 0.1 : 1;
  const range = { type: "range", min: whole.startSeconds, max: whole.endSeconds, step } as const;
  return (
    <Box position="relative" h="8rem" borderRadius="md" bg="bg.sunken" overflow="hidden">
      {/* The ends of the sound are the middles of the handles there. */}
      <Box position="absolute" insetX="1.375rem" insetY="0" color="accent.text">
        {outline === undefined ? (
          <Box h="full" display="grid" placeItems="center" alignContent="center" textAlign="center" color="fg">
            {children}
          </Box>
        ) : (
          <Box data-waveform="" h="full" bg="accent.text" style={{ clipPath: outline }} />
        )}
        {outline !== undefined && (
          <>
            <Shade insetInlineStart="0" w={percent(startSeconds)} />
            <Shade insetInlineEnd="0" w={rest(endSeconds)} />
          </>
        )}
        {playedSeconds !== undefined && (
          <Box position="absolute" insetY="0" insetInlineStart={percent(playedSeconds)} w="2px" bg="fg" />
        )}
      </Box>
      <Handle
        {...range}
        aria-label={texts.startHandle}
        aria-valuetext={formatTime(startSeconds)}
        value={startSeconds}
        style={{ "--knob": "18%" } as object}
        // Behind the middle it may lie under the other one, which cannot move further there.
        zIndex={startSeconds > (whole.startSeconds + whole.endSeconds) / 2 ? 1 : 0}
        onChange={({ target }) =>
          onChange({
            startSeconds: toMilliseconds(
              Math.max(whole.startSeconds, Math.min(target.valueAsNumber, endSeconds - SHORTEST_PART_SECONDS)),
            ),
            endSeconds,
          })
        }
      />
      <Handle
        {...range}
        aria-label={texts.endHandle}
        aria-valuetext={formatTime(endSeconds)}
        value={endSeconds}
        style={{ "--knob": "82%" } as object}
        onChange={({ target }) =>
          onChange({
            startSeconds,
            endSeconds: toMilliseconds(
              Math.min(whole.endSeconds, Math.max(target.valueAsNumber, startSeconds + SHORTEST_PART_SECONDS)),
            ),
          })
        }
      />
    </Box>
  );
}
