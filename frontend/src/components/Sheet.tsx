import { Box, Button, Flex, chakra } from "@chakra-ui/react";
import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";
import { CloseIcon } from "./icons.tsx";

/** At the lower edge of a phone, where the thumb is. */
const Dialog = chakra("dialog", {
  base: {
    position: "fixed",
    inset: { base: "auto 0 0", sm: "0" },
    m: { base: "0", sm: "auto" },
    w: { base: "full", sm: "26rem" },
    maxW: "full",
    maxH: "100dvh",
    overflowY: "auto",
    border: "1px solid {colors.border}",
    borderRadius: "xl",
    borderBottomRadius: { base: "0", sm: "xl" },
    bg: "surface",
    color: "fg",
    p: "4",
    pb: { base: "calc({spacing.4} + env(safe-area-inset-bottom))", sm: "4" },
    boxShadow: "card",
    animation: "fadeIn 120ms",
    _motionReduce: { animation: "none" },
    _backdrop: { bg: "rgb(0 0 0 / .5)" },
    "&[data-wide]": { w: { base: "full", sm: "38rem" } },
  },
});

export interface SheetProps {
  readonly title: string;
  /** Of the job. */
  readonly about: string;
  readonly closeLabel: string;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A sheet about one job. Escape, its cross and a press beside it close it. */
export function Sheet({ title, about, closeLabel, isWide, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  const close = (): void => dialog.current?.close();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog
      ref={dialog}
      data-wide={isWide || undefined}
      aria-labelledby={headingId}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <Flex direction="column" gap="3">
        <Flex align="center" gap="2">
          <Box flex="1" minW="0">
            <Box as="h2" id={headingId} fontWeight={600} fontSize="lg">
              {title}
            </Box>
            <Box dir="auto" textStyle="meta" truncate _rtl={{ textAlign: "right" }}>
              {about}
            </Box>
          </Box>
          <Button variant="ghost" size="sm" px="0" minW="11" aria-label={closeLabel} onClick={close}>
            <CloseIcon />
          </Button>
        </Flex>
        {children}
      </Flex>
    </Dialog>
  );
}
