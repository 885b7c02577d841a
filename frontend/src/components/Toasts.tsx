import { Box, Button, chakra } from "@chakra-ui/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { FocusEvent, KeyboardEvent, ReactNode, RefObject } from "react";
import { undoRemoval, useRemovals } from "../client/removals.ts";
import { toasts, useToasts } from "../client/toaster.ts";
import type { Removal } from "../stores/removals.ts";
import type { Toast } from "../stores/toasts.ts";
import { useTexts } from "../texts/store.ts";
import { CloseIcon } from "./icons.tsx";
import { useSwipe } from "./use-swipe.ts";

/** Moves the focus to the toasts. */
const HOTKEY = "F8";

const MARK_COLOR = { success: "ok", error: "bad", info: "accent" } as const;

const { hold, release, dismiss } = toasts.getState();

/**
 * Toasts lie over the bar at the top of the page, whose content is hidden meanwhile (theme/base.css): there they are seen
 * wherever the page is scrolled to, and cover nothing that can be clicked.
 */
const Place = chakra("section", {
  base: {
    position: "fixed",
    top: "0",
    insetInline: "0",
    zIndex: 30,
    maxW: "page",
    mx: "auto",
    px: { base: "4", sm: "6" },
    pointerEvents: "none",
    _focusVisible: { outline: "none", "& [data-part=root]": { outline: "2px solid {colors.accent.text}" } },
  },
});

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
        <Button asChild size="sm">
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

/** Hides the bar's content while a toast lies over it; the focus returns to the bar afterwards. */
function useHiddenBar(isHidden: boolean): void {
  useLayoutEffect(() => {
    if (!isHidden) return;
    const focused = document.activeElement;
    document.documentElement.dataset["notice"] = "";
    return () => {
      delete document.documentElement.dataset["notice"];
      if (focused instanceof HTMLElement && focused.closest("header") && document.activeElement === document.body)
        focused.focus({ preventScroll: true });
    };
  }, [isHidden]);
}

/** Focuses the region at the hotkey, if it shows something. */
function useHotkey(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const focusRegion = (event: globalThis.KeyboardEvent) => {
      if (event.key !== HOTKEY || !region.current?.querySelector("[data-state=open]")) return;
      event.preventDefault();
      region.current.focus();
    };
    document.addEventListener("keydown", focusRegion);
    return () => document.removeEventListener("keydown", focusRegion);
  }, [region]);
}

/**
 * Shows the toasts and, while there is none, the newest removal that can be undone; rendered once. It is no live region:
 * screen readers hear of a toast through the announcer, see client/toaster.ts. Chakra's Toaster would add 15 kB,
 * compressed, to the home page's first scripts.
 */
export function Toasts() {
  const texts = useTexts().toasts;
  const newest = useToasts((state) => state.toasts[0]);
  const removal = useRemovals(({ pending, heldId }) => {
    const newest = pending.at(-1);
    return newest?.id === heldId ? undefined : newest;
  });
  const region = useRef<HTMLElement>(null);
  const focusBefore = useRef<EventTarget | null>(null);
  const shownToast = newest?.isOpen ? newest : undefined;
  useHiddenBar(shownToast !== undefined || removal !== undefined);
  useHotkey(region);

  function close(): void {
    const wasWithin = region.current?.contains(document.activeElement) === true;
    if (newest) dismiss(newest.id);
    // Returns the focus to its last element instead of the top of the page.
    if (wasWithin && focusBefore.current instanceof HTMLElement && focusBefore.current.isConnected)
      focusBefore.current.focus({ preventScroll: true });
  }

  const isWithin = (event: FocusEvent) => event.currentTarget.contains(event.relatedTarget);
  return (
    <Place
      ref={region}
      aria-label={texts.region(HOTKEY)}
      tabIndex={-1}
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
      {newest && <ToastSheet key={newest.id} toast={newest} onDismiss={close} />}
      {removal && !shownToast && <RemovalSheet key={removal.id} removal={removal} />}
    </Place>
  );
}
