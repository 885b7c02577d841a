import { Box, chakra } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import type { FocusEvent, KeyboardEvent } from "react";
import type { Toast } from "../stores/toasts.ts";
import { useTexts } from "../texts/store.ts";
import { toasts, useToasts } from "../client/toaster.ts";
import { CloseIcon } from "./icons.tsx";
import { useSwipe } from "./use-swipe.ts";

/** Moves the focus to the toasts. */
const HOTKEY = "F8";

const MARK_COLOR = { success: "ok", error: "bad", info: "accent" } as const;

const { hold, release, dismiss } = toasts.getState();

const Sheet = chakra("div", {
  base: {
    display: "flex",
    alignItems: "center",
    gap: "3",
    width: "min(24rem, calc(100vw - 2rem))",
    ps: "4",
    pe: "1",
    py: "1",
    minH: "14",
    borderRadius: "lg",
    bg: "surface.raised",
    color: "fg",
    border: "1px solid {colors.border}",
    boxShadow: "card",
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
      <Box w="1" alignSelf="stretch" my="2" borderRadius="full" flexShrink={0} bg={MARK_COLOR[toast.kind]} />
      <Box py="2" minW="0" overflowWrap="anywhere">
        <Box fontWeight={600} fontSize="md">
          {toast.title}
        </Box>
        {toast.description && (
          <Box fontSize="sm" color="fg.muted">
            {toast.description}
          </Box>
        )}
      </Box>
      <Close type="button" aria-label={texts.dismiss} data-tip={texts.dismiss} onClick={onDismiss}>
        <CloseIcon />
      </Close>
    </Sheet>
  );
}

/**
 * Shows the toasts; rendered once. Screen readers announce errors at once (assertive) and others politely.
 * Both live regions are always in the page, because content of a new live region is not announced.
 * Chakra's Toaster would add 15 kB, compressed, to the home page's first scripts.
 */
export function Toasts() {
  const texts = useTexts().toasts;
  const newest = useToasts((state) => state.toasts[0]);
  const region = useRef<HTMLElement>(null);
  const focusBefore = useRef<EventTarget | null>(null);

  useEffect(() => {
    const focusRegion = (event: globalThis.KeyboardEvent) => {
      if (event.key !== HOTKEY) return;
      event.preventDefault();
      region.current?.focus();
    };
    document.addEventListener("keydown", focusRegion);
    return () => document.removeEventListener("keydown", focusRegion);
  }, []);

  function close(): void {
    const wasWithin = region.current?.contains(document.activeElement) === true;
    if (newest) dismiss(newest.id);
    // Returns the focus to its last element instead of the top of the page.
    if (wasWithin && focusBefore.current instanceof HTMLElement && focusBefore.current.isConnected)
      focusBefore.current.focus({ preventScroll: true });
  }

  const isWithin = (event: FocusEvent) => event.currentTarget.contains(event.relatedTarget);
  const sheetFor = (isUrgent: boolean) =>
    newest && (newest.kind === "error") === isUrgent && <ToastSheet key={newest.id} toast={newest} onDismiss={close} />;

  return (
    <Box
      as="section"
      ref={region}
      aria-label={texts.region(HOTKEY)}
      tabIndex={-1}
      position="fixed"
      bottom="calc(1rem + env(safe-area-inset-bottom))"
      insetInlineEnd="4"
      zIndex={30}
      borderRadius="lg"
      onPointerEnter={() => hold("pointer")}
      onPointerMove={() => hold("pointer")}
      onPointerLeave={() => release("pointer")}
      onFocus={(event: FocusEvent) => {
        if (!isWithin(event)) focusBefore.current = event.relatedTarget;
        hold("focus");
      }}
      onBlur={(event: FocusEvent) => !isWithin(event) && release("focus")}
      onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && close()}
    >
      <div aria-live="polite">{sheetFor(false)}</div>
      <div aria-live="assertive">{sheetFor(true)}</div>
    </Box>
  );
}
