/**
 * Tooltips of elements with `data-tip`, such as icon buttons. One component renders the visible tooltip for
 * the whole page, because a tooltip component per button would be costly in a list of a hundred rows.
 */
import { chakra } from "@chakra-ui/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** Delay between pointing at or focusing an element and its tooltip. */
export const TIP_DELAY_MS = 700;

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

interface ShownTip {
  readonly anchor: HTMLElement;
  readonly text: string;
  /** Position of the anchor when the tooltip appeared. */
  readonly topPx: number;
}

const topOf = (anchor: HTMLElement) => anchor.getBoundingClientRect().top;

/** @returns the closest element with a tooltip */
const anchorOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;

export function Tips() {
  const [shown, setShown] = useState<ShownTip | null>(null);
  const tip = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const unmounted = new AbortController();
    const { signal } = unmounted;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pointed: HTMLElement | null = null;
    let focused: HTMLElement | null = null;
    let current: HTMLElement | null = null;

    /** The pointer comes first; without an anchor under it, the focused element keeps its tooltip. */
    function update(): void {
      const anchor = pointed ?? focused;
      if (anchor === current) return;
      current = anchor;
      clearTimeout(timer);
      setShown(null);
      const text = anchor?.dataset["tip"];
      if (anchor && text)
        timer = setTimeout(() => anchor.isConnected && setShown({ anchor, text, topPx: topOf(anchor) }), TIP_DELAY_MS);
    }
    const point = (anchor: HTMLElement | null) => {
      pointed = anchor;
      update();
    };
    const focus = (anchor: HTMLElement | null) => {
      focused = anchor;
      update();
    };
    const isTip = (target: EventTarget | null) => target instanceof Node && tip.current?.contains(target) === true;
    const hide = () => {
      clearTimeout(timer);
      setShown(null);
    };

    document.addEventListener(
      "pointerover",
      (event) => event.pointerType !== "touch" && !isTip(event.target) && point(anchorOf(event.target)),
      { signal },
    );
    document.documentElement.addEventListener("pointerleave", () => point(null), { signal });
    document.addEventListener(
      "focusin",
      ({ target }) => focus(target instanceof Element && target.matches(":focus-visible") ? anchorOf(target) : null),
      { signal },
    );
    document.addEventListener("focusout", () => focus(null), { signal });
    // A press hides the tooltip.
    document.addEventListener("pointerdown", hide, { signal });
    document.addEventListener("keydown", hide, { signal });
    const hideIfMoved = () => setShown((last) => (last && topOf(last.anchor) !== last.topPx ? null : last));
    document.addEventListener("scroll", hideIfMoved, { signal, capture: true, passive: true });
    return () => {
      unmounted.abort();
      clearTimeout(timer);
    };
  }, []);

  useLayoutEffect(() => {
    if (!shown || !tip.current) return;
    const anchor = shown.anchor.getBoundingClientRect();
    const own = tip.current.getBoundingClientRect();
    const middle = anchor.left + anchor.width / 2 - own.width / 2;
    const furthest = document.documentElement.clientWidth - own.width - MARGIN_PX;
    tip.current.style.left = `${Math.max(MARGIN_PX, Math.min(middle, furthest))}px`;
    tip.current.style.top = `${anchor.top >= own.height ? anchor.top - own.height : anchor.bottom}px`;
  }, [shown]);

  if (!shown) return null;
  return (
    <Tip ref={tip} role="tooltip">
      <div>{shown.text}</div>
    </Tip>
  );
}
