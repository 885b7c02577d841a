/**
 * Tooltips of elements with `data-tip`, such as icon buttons. One component renders the visible tooltip for
 * the whole page, because a tooltip component per button would be costly in a list of a hundred rows. Chakra's Tooltip
 * would add 19 kB, compressed, to the home page's first scripts.
 */
import { chakra } from "@chakra-ui/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { TipTracker } from "./tip-tracker.ts";
import type { ShownTip } from "./tip-tracker.ts";

/** Smallest distance between the tooltip and the edge of the window. */
const MARGIN_PX = 8;

// The padding closes the gap to the button, so that the pointer can move onto the tooltip.
const Tip = chakra("div", {
  base: {
    position: "fixed",
    zIndex: 40,
    p: "1.5",
    animation: "fadeIn 120ms",
    _motionReduce: { animation: "none" },
    "& > div": {
      bg: "fg",
      color: "bg",
      border: "1px solid transparent",
      borderRadius: "sm",
      px: "2.5",
      py: "1",
      fontSize: "xs",
      fontWeight: 600,
      maxW: "16rem",
    },
  },
});

/** @returns the closest element with a tooltip */
const anchorOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;

/**
 * Reports pointer, focus, key presses and scrolling to the tracker.
 * @param isTip whether an event happened on the tooltip itself
 */
function listenToPage(tracker: TipTracker, isTip: (target: EventTarget | null) => boolean, signal: AbortSignal): void {
  document.addEventListener(
    "pointerover",
    ({ pointerType, target }) => pointerType !== "touch" && !isTip(target) && tracker.point(anchorOf(target)),
    { signal },
  );
  document.documentElement.addEventListener("pointerleave", () => tracker.point(null), { signal });
  document.addEventListener(
    "focusin",
    ({ target }) =>
      tracker.focus(target instanceof Element && target.matches(":focus-visible") ? anchorOf(target) : null),
    { signal },
  );
  document.addEventListener("focusout", () => tracker.focus(null), { signal });
  document.addEventListener("pointerdown", () => tracker.hide(), { signal });
  document.addEventListener("keydown", () => tracker.hide(), { signal });
  document.addEventListener("scroll", () => tracker.hideIfMoved(), { signal, capture: true, passive: true });
}

export function Tips() {
  const [shown, setShown] = useState<ShownTip | null>(null);
  const tip = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const unmounted = new AbortController();
    const tracker = new TipTracker(setShown);
    const isTip = (target: EventTarget | null) => target instanceof Node && tip.current?.contains(target) === true;
    listenToPage(tracker, isTip, unmounted.signal);
    // The pointer or the focus may have come to an element before this script was loaded.
    tracker.point(document.querySelector<HTMLElement>("[data-tip]:hover"));
    tracker.focus(document.querySelector<HTMLElement>("[data-tip]:focus-visible"));
    return () => {
      unmounted.abort();
      tracker.stop();
    };
  }, []);

  useLayoutEffect(() => {
    if (!shown || !tip.current) return;
    const anchor = shown.anchor.getBoundingClientRect();
    const tipRect = tip.current.getBoundingClientRect();
    const middle = anchor.left + anchor.width / 2 - tipRect.width / 2;
    const furthest = document.documentElement.clientWidth - tipRect.width - MARGIN_PX;
    tip.current.style.left = `${Math.max(MARGIN_PX, Math.min(middle, furthest))}px`;
    tip.current.style.top = `${anchor.top >= tipRect.height ? anchor.top - tipRect.height : anchor.bottom}px`;
  }, [shown]);

  if (!shown) return null;
  return (
    <Tip ref={tip} role="tooltip">
      <div>{shown.text}</div>
    </Tip>
  );
}
