import { Box, Button, chakra } from "@chakra-ui/react";
import { useState } from "react";
import type { ReactNode } from "react";
import { undoRemoval } from "../client/removals.ts";
import { toasts } from "../client/toaster.ts";
import type { Removal } from "../stores/removals.ts";
import type { Toast } from "../stores/toasts.ts";
import { useTexts } from "../texts/store.ts";
import { CloseIcon } from "./icons.tsx";
import { useSwipe } from "./use-swipe.ts";

const MARK_COLOR = { success: "ok", error: "bad", info: "accent" } as const;

const { release } = toasts.getState();

const Sheet = chakra("div", {
  base: {
    display: "flex",
    alignItems: "center",
    gap: "2.5",
    // The wordmark stays visible where there is room for it.
    w: { base: "full", sm: "calc(100% - 11rem)" },
    my: { base: "1", sm: "1.5" },
    ms: "auto",
    ps: "3",
    minH: { base: "3.25rem", sm: "3.5rem" },
    borderRadius: "lg",
    bg: "surface.raised",
    color: "fg",
    border: "1px solid {colors.border}",
    boxShadow: "card",
    pointerEvents: "auto",
    // Horizontal swipes move the toast, vertical ones scroll the page.
    touchAction: "pan-y",
    "&[data-state=open]": { animation: "toastEnter 220ms" },
    "&[data-state=closed]": { animation: "toastLeave 140ms forwards" },
    // Not `none`: the end of the animation removes a dismissed toast.
    _motionReduce: { animationDuration: "1ms !important" },
    "&:not([data-swiping])": { transition: "translate 160ms ease-out", _motionReduce: { transition: "none" } },
  },
});

const Close = chakra("button", {
  base: {
    display: "grid",
    placeItems: "center",
    boxSize: "11",
    flexShrink: 0,
    ms: "auto",
    borderRadius: "md",
    color: "fg.muted",
    cursor: "pointer",
    _hover: { color: "fg" },
  },
});

/** Small on phones, where the longest sentences then fit into the bar's height. */
function Words({ color, children }: { color: "ok" | "bad" | "accent"; children: ReactNode }) {
  return (
    <>
      <Box w="1" alignSelf="stretch" my="2" borderRadius="full" flexShrink={0} bg={color} />
      <Box
        py="0.5"
        flex="1"
        minW="0"
        overflowWrap="anywhere"
        fontSize={{ base: "xs", sm: "sm" }}
        lineHeight={{ base: 1.2, sm: 1.3 }}
      >
        {children}
      </Box>
    </>
  );
}

function ToastSheet({ toast, onDismiss }: { toast: Toast; onDismiss: () => void }) {
  const texts = useTexts().toasts;
  const swipe = useSwipe(onDismiss);
  const [hasLeft, setHasLeft] = useState(!toast.isOpen);
  if (toast.isOpen && hasLeft) setHasLeft(false);
  if (hasLeft) return null;
  return (
    <Sheet
      data-scope="toast"
      data-part="root"
      data-state={toast.isOpen ? "open" : "closed"}
      data-kind={toast.kind}
      onAnimationEnd={() => setHasLeft(!toast.isOpen)}
      {...swipe}
    >
      <Words color={MARK_COLOR[toast.kind]}>
        {/* Beside a button a long title would not fit into the bar's height. */}
        <chakra.span lineClamp={toast.download && 2}>
          <b>{toast.title}</b>
          {toast.description && (
            // Names, and sentences of the payment provider, may be in another language than the page.
            <chakra.span color="fg.muted">
              {" "}
              <bdi>{toast.description}</bdi>
            </chakra.span>
          )}
        </chakra.span>
      </Words>
      {toast.download && (
        <Button asChild variant="subtle" size="sm">
          <a href={toast.download.url} download aria-label={toast.download.name} onClick={onDismiss}>
            {toast.download.label}
          </a>
        </Button>
      )}
      <Close type="button" aria-label={texts.dismiss} data-tip={texts.dismiss} onClick={onDismiss}>
        <CloseIcon />
      </Close>
    </Sheet>
  );
}

/** Says what was removed, with a button that brings it back. */
function RemovalSheet({ removal }: { removal: Removal }) {
  const texts = useTexts().job;

  function undo(): void {
    undoRemoval(removal.id);
    // Browsers do not always send the leave and blur events of a removed element.
    release("focus");
    release("pointer");
    // The row is rendered with the next frame.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-job="${removal.id}"]`)?.focus());
  }

  return (
    <Sheet data-part="root" data-removal={removal.id} data-state="open">
      <Words color="accent">
        <chakra.span lineClamp={2} fontWeight={600}>
          {texts.removed(removal.title)}
        </chakra.span>
      </Words>
      <Button variant="outline" size="sm" me="1" aria-label={texts.undoOf(removal.title)} onClick={undo}>
        {texts.undo}
      </Button>
    </Sheet>
  );
}

export interface ToastSheetsProps {
  readonly toast: Toast | undefined;
  readonly removal: Removal | undefined;
  readonly onDismiss: () => void;
}

/** What lies over the bar: a toast, or a removal that can be undone. */
export function ToastSheets({ toast, removal, onDismiss }: ToastSheetsProps) {
  return (
    <>
      {toast && <ToastSheet key={toast.id} toast={toast} onDismiss={onDismiss} />}
      {removal && <RemovalSheet key={removal.id} removal={removal} />}
    </>
  );
}
