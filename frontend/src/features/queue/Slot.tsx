import { Box, chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Row } from "./rows.ts";

export interface RowProps {
  readonly id: string;
  readonly motion: Row["motion"];
  /** When a leaving row's motion has ended. */
  readonly onLeft: (id: string) => void;
}

/** Opens and closes by its one grid row, so that its neighbours slide instead of jumping. */
const Frame = chakra("li", {
  base: {
    display: "grid",
    gridTemplateRows: "1fr",
    "& + &": { borderTop: "1px solid {colors.border}" },
    "&[data-motion=entering]": { animation: "rowEnter 220ms ease-out" },
    "&[data-motion=leaving]": { animation: "rowLeave 180ms ease-in forwards", pointerEvents: "none" },
    // Still an animation, since its end is what takes a leaving row away.
    _motionReduce: { animationDuration: "1ms !important" },
  },
});

interface SlotProps extends RowProps {
  readonly children: ReactNode;
  readonly "data-job"?: string;
  readonly "data-batch"?: string;
  readonly "data-status"?: string;
}

/** A place in the list. */
export function Slot({ id, motion, onLeft, children, ...marks }: SlotProps) {
  return (
    <Frame
      {...marks}
      data-motion={motion}
      aria-hidden={motion === "leaving" || undefined}
      onAnimationEnd={(event) => event.target === event.currentTarget && motion === "leaving" && onLeft(id)}
    >
      <Box minH="0" overflow="hidden">
        {children}
      </Box>
    </Frame>
  );
}
