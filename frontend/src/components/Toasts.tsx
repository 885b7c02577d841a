import { chakra } from "@chakra-ui/react";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { FocusEvent, KeyboardEvent, RefObject } from "react";
import { useRemovals } from "../client/removals.ts";
import { toasts, useToasts } from "../client/toaster.ts";
import { useTexts } from "../texts/store.ts";
import { laterScript } from "../platform/later-script.ts";

/** What lies in the region; a page that cannot load it has no toasts. */
export const toastSheets = laterScript(() => import("./ToastSheets.tsx"));

/** Moves the focus to the toasts. */
const HOTKEY = "F8";

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
  const { script: sheets } = toastSheets.useScript();
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
      {sheets && <sheets.ToastSheets toast={newest} removal={shownToast ? undefined : removal} onDismiss={close} />}
    </Place>
  );
}
