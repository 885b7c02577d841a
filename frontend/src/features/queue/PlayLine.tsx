import { Box, chakra } from "@chakra-ui/react";
import { useLayoutEffect, useRef } from "react";
import type { Job } from "../../../../common/job.ts";
import { player, usePlayer } from "../../client/player.ts";
import { usePlayerTexts } from "../../texts/player/index.ts";
import { useDirection, useFormats } from "../../texts/store.ts";

const thumb = {
  appearance: "none",
  boxSizing: "border-box",
  width: "1rem",
  height: "1rem",
  borderRadius: "full",
  background: "accent.text",
  border: "2px solid {colors.surface}",
} as const;

const thumbInFocus = { outline: "2px solid {colors.accent.text}", outlineOffset: "1px" } as const;

/** Higher than the line, for fingers. */
const Range = chakra("input", {
  base: {
    position: "absolute",
    insetX: "-2",
    top: "50%",
    transform: "translateY(-50%)",
    w: "calc(100% + {spacing.4})",
    h: "8",
    m: "0",
    appearance: "none",
    bg: "transparent",
    cursor: "pointer",
    touchAction: "pan-y",
    outline: "none",
    "&::-webkit-slider-thumb": thumb,
    "&::-moz-range-thumb": thumb,
    "&:focus-visible::-webkit-slider-thumb": thumbInFocus,
    "&:focus-visible::-moz-range-thumb": thumbInFocus,
  },
});

/** Whether a job is in the player, playing or paused. */
export const useIsInPlayer = (id: string): boolean =>
  usePlayer(({ jobId, problem }) => jobId === id && problem === null);

/** What is played is dark, and what can be played light. */
function Fills() {
  const sign = useDirection() === "rtl" ? -1 : 1;
  const position = usePlayer((state) => state.positionSeconds);
  const held = usePlayer((state) => state.heldSeconds);
  const of = usePlayer((state) => state.durationSeconds) ?? 0;
  const shift = (seconds: number) => `translateX(${((of > 0 ? Math.min(1, seconds / of) : 0) - 1) * 100 * sign}%)`;
  return (
    <>
      <Box style={{ transform: shift(held) }} opacity="0.35" />
      <Box style={{ transform: shift(position) }} mt="-1.5" />
    </>
  );
}

/** The line of the player, in the place of the bar. */
export function PlayLine({ job }: { job: Job }) {
  const texts = usePlayerTexts();
  const formats = useFormats();
  const position = usePlayer((state) => Math.floor(state.positionSeconds));
  const end = usePlayer((state) => Math.ceil(state.durationSeconds ?? state.heldSeconds));
  const range = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const line = range.current;
    const row = line?.closest("article");
    // The line goes at the end of the file; its focus does not.
    return () => {
      if (line === document.activeElement) row?.querySelector("button")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    // The line and its room for fingers end before the two buttons that come when the file is finished.
    <Box position="relative" me="96px">
      <div className="progress-bar" aria-hidden="true">
        <Fills />
      </div>
      <Range
        ref={range}
        type="range"
        min={0}
        max={end}
        step={1}
        value={position}
        aria-label={texts.line(job.title)}
        aria-valuetext={texts.position(formats.clock(position), formats.clock(end))}
        onChange={({ target }) => player.seek(target.valueAsNumber)}
      />
    </Box>
  );
}
