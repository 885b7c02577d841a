import { Box, chakra } from "@chakra-ui/react";
import { SHORTEST_PART_SECONDS } from "../../../../common/choices.ts";
import type { Part } from "../../../../common/choices.ts";
import type { ChapterMark } from "../../../../common/preview-details.ts";
import { useChoicesTexts } from "../../texts/choices/index.ts";
import { useFormats } from "../../texts/store.ts";

const thumb = {
  appearance: "none",
  boxSizing: "border-box",
  width: "1.75rem",
  height: "1.75rem",
  borderRadius: "full",
  background: "surface",
  border: "3px solid {colors.accent.text}",
  pointerEvents: "auto",
  cursor: "grab",
} as const;

const thumbInFocus = { outline: "2px solid {colors.accent.text}", outlineOffset: "2px" } as const;

/** Only the handle takes the pointer, because two ranges lie one over the other. */
const Handle = chakra("input", {
  base: {
    position: "absolute",
    inset: "0",
    w: "full",
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

export interface TimeLineProps {
  readonly durationSeconds: number;
  /** Marked on the line. */
  readonly chapters: readonly ChapterMark[];
  readonly part: Part;
  readonly onChange: (part: Part) => void;
}

/**
 * Start and end of a part on the video's time line. Two native ranges, which know keys, touch, screen readers and
 * right-to-left pages.
 */
export function TimeLine({ durationSeconds, chapters, part, onChange }: TimeLineProps) {
  const texts = useChoicesTexts().part;
  const formats = useFormats();
  const { startSeconds, endSeconds } = part;
  const percent = (seconds: number): string => `${(100 * seconds) / durationSeconds}%`;
  // A range moves by whole seconds: its last step may lie behind the end.
  const range = { type: "range", min: 0, max: Math.ceil(durationSeconds), step: 1 } as const;
  return (
    // The ends of the line are the middles of the handles there.
    <Box position="relative" h="11" display="grid" alignItems="center">
      <Box mx="3.5" h="2" borderRadius="full" bg="edge" overflow="hidden">
        <Box
          h="full"
          bg="accent.text"
          marginInlineStart={percent(startSeconds)}
          w={percent(endSeconds - startSeconds)}
        />
      </Box>
      <Box position="absolute" insetX="3.5" insetY="0" pointerEvents="none" aria-hidden="true">
        {chapters
          .filter(({ startSeconds }) => startSeconds > 0)
          .map(({ startSeconds }) => (
            <Box
              key={startSeconds}
              data-chapter=""
              position="absolute"
              insetInlineStart={percent(startSeconds)}
              top="2.5"
              bottom="2.5"
              w="2px"
              bg="fg.muted"
            />
          ))}
      </Box>
      <Handle
        {...range}
        aria-label={texts.startHandle}
        aria-valuetext={formats.clock(startSeconds)}
        value={Math.floor(startSeconds)}
        // Behind the middle it may lie under the other one, which cannot move further there.
        zIndex={startSeconds > durationSeconds / 2 ? 1 : 0}
        onChange={({ target }) =>
          onChange({
            startSeconds: Math.max(0, Math.min(target.valueAsNumber, endSeconds - SHORTEST_PART_SECONDS)),
            endSeconds,
          })
        }
      />
      <Handle
        {...range}
        aria-label={texts.endHandle}
        aria-valuetext={formats.clock(endSeconds)}
        value={Math.ceil(endSeconds)}
        onChange={({ target }) =>
          onChange({
            startSeconds,
            endSeconds: Math.min(durationSeconds, Math.max(target.valueAsNumber, startSeconds + SHORTEST_PART_SECONDS)),
          })
        }
      />
    </Box>
  );
}
