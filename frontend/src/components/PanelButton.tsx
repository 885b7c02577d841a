import { Box, Button, chakra } from "@chakra-ui/react";
import type { BoxProps, ButtonProps } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import type { FocusEvent, KeyboardEvent, ReactNode } from "react";

const Panel = chakra("div", {
  base: {
    position: "absolute",
    top: "calc(100% + {spacing.2})",
    insetInlineEnd: "0",
    zIndex: 10,
    w: "max-content",
    minW: "14rem",
    maxW: "calc(100vw - 2rem)",
    p: "1",
    bg: "surface",
    border: "1px solid {colors.border}",
    borderRadius: "lg",
    boxShadow: "card",
    animation: "fadeIn 120ms",
    _motionReduce: { animation: "none" },
  },
});

/** A line of a panel: a link or a button. */
export const PanelItem = chakra("span", {
  base: {
    display: "flex",
    alignItems: "center",
    gap: "3",
    w: "full",
    minH: "11",
    px: "3",
    borderRadius: "sm",
    fontSize: "md",
    textAlign: "start",
    cursor: "pointer",
    _hover: { bg: "bg.sunken" },
  },
});

export interface PanelButtonProps extends Omit<ButtonProps, "children" | "css"> {
  /** What the button shows. */
  readonly face: ReactNode;
  /** Name of the panel. */
  readonly name: string;
  /** Whether the panel has links, and not switches. */
  readonly isNavigation?: boolean;
  readonly css?: BoxProps["css"];
  /** @param close closes the panel */
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button that shows and hides a panel below it, through which Tab moves; Escape closes it. Chakra's Menu, of which the
 * home page needs nothing else, would make the first scripts larger.
 */
export function PanelButton({ face, name, isNavigation = false, css, children, ...buttonProps }: PanelButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();

  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !root.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    return () => document.removeEventListener("pointerdown", closeOutside);
  }, [isOpen]);

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key !== "Escape" || !isOpen) return;
    setIsOpen(false);
    button.current?.focus();
  }

  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setIsOpen(false);
  }

  return (
    <Box ref={root} position="relative" flexShrink={0} css={css} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Button
        ref={button}
        size="sm"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        {...buttonProps}
      >
        {face}
      </Button>
      {isOpen && (
        <Panel
          id={panelId}
          as={isNavigation ? "nav" : "div"}
          role={isNavigation ? undefined : "group"}
          aria-label={name}
        >
          {children(() => setIsOpen(false))}
        </Panel>
      )}
    </Box>
  );
}
