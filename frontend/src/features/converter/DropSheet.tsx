import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { useTexts } from "../../texts/store.ts";

const Area = chakra("div", {
  base: {
    position: "fixed",
    inset: "0",
    zIndex: 30,
    display: "grid",
    placeItems: "center",
    p: "6",
    textAlign: "center",
    bg: "color-mix(in srgb, {colors.bg} 88%, transparent)",
    textStyle: "heading",
    animation: "fadeIn 120ms",
    _motionReduce: { animation: "none" },
    _before: {
      content: '""',
      position: "absolute",
      inset: "4",
      border: "2px dashed {colors.accent.text}",
      borderRadius: "xl",
      bg: "accent.soft",
      opacity: 0.5,
    },
    // Otherwise each child element fires its own dragenter and dragleave.
    "& *": { pointerEvents: "none", position: "relative" },
  },
});

export interface DropSheetProps {
  /** Called when the pointer has left the page, and before a drop. */
  readonly onEnd: () => void;
  readonly onDrop: (data: DataTransfer) => void;
}

/** The sheet over the page onto which a link is dropped. */
export default function DropSheet({ onEnd, onDrop }: DropSheetProps): ReactNode {
  const texts = useTexts().converter;
  return createPortal(
    <Area
      aria-hidden
      data-drop-area
      onDragOver={(event) => event.preventDefault()}
      onDragLeave={onEnd}
      onDrop={(event) => {
        event.preventDefault();
        onEnd();
        onDrop(event.dataTransfer);
      }}
    >
      <span>{texts.dropHere}</span>
    </Area>,
    document.body,
  );
}
