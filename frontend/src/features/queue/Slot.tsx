import { Box, chakra } from "@chakra-ui/react";
import { useLayoutEffect, useRef } from "react";
import type { ReactNode } from "react";
import { QUEUE_HEADING_ID } from "./row-height.ts";
import { rowIdOf } from "./row-link.ts";
import type { Row } from "./rows.ts";

export interface RowProps {
  readonly id: string;
  readonly motion: Row["motion"];
  /** Called when the leave animation of the row has ended. */
  readonly onLeaveEnd: (id: string) => void;
}

/** Animates the height of its one grid row, so that its neighbours slide instead of jumping. */
const Frame = chakra("li", {
  base: {
    display: "grid",
    gridTemplateRows: "1fr",
    // Inside, because the card around the list clips its overflow.
    _focusVisible: { outlineOffset: "-2px", borderRadius: "lg" },
    "& + &": { borderTop: "1px solid {colors.border}" },
    "&[data-motion=entering]": { animation: "rowEnter 220ms ease-out" },
    "&[data-motion=leaving]": { animation: "rowLeave 180ms ease-in forwards", pointerEvents: "none" },
    // Not `none`: the end of the animation removes a leaving row.
    _motionReduce: { animationDuration: "1ms !important" },
  },
});

interface SlotProps extends RowProps {
  readonly children: ReactNode;
  readonly "data-job"?: string;
  readonly "data-batch"?: string;
  readonly "data-status"?: string;
}

/** @returns the row below, else the row above, else the parent of the list: its batch or the queue's heading */
function nextFocusTarget(frame: HTMLElement): HTMLElement | null {
  const rows = [...(frame.parentElement?.children ?? [])].filter(
    (row) => row instanceof HTMLElement && row.dataset["motion"] !== "leaving",
  );
  const isBelow = (row: Element) => (frame.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const row =
    rows.find(isBelow) ??
    rows.at(-1) ??
    frame.parentElement?.closest("li") ??
    document.getElementById(QUEUE_HEADING_ID);
  return row instanceof HTMLElement ? row : null;
}

/** An animated list item. When it leaves with the focus inside, the focus moves to the next item. */
export function Slot({ id, motion, onLeaveEnd, children, ...marks }: SlotProps) {
  const frame = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (motion === "leaving" && frame.current?.contains(document.activeElement))
      nextFocusTarget(frame.current)?.focus();
  }, [motion]);
  return (
    <Frame
      {...marks}
      id={rowIdOf(id)}
      ref={frame}
      tabIndex={-1}
      data-motion={motion}
      aria-hidden={motion === "leaving" || undefined}
      onAnimationEnd={(event) => event.target === event.currentTarget && motion === "leaving" && onLeaveEnd(id)}
    >
      <Box minH="0" overflow="hidden">
        {children}
      </Box>
    </Frame>
  );
}
