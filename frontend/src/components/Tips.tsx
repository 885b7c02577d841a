/**
 * Tooltips for buttons that show a sign and no word: any element with `data-tip`. One place for all of
 * them, because a list of a hundred rows must not carry two hundred tooltips that nobody looks at.
 */
import { chakra } from "@chakra-ui/react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** How long a pointer rests before it is told. */
export const TIP_DELAY_MS = 700;

/** Between the tip and the edge of the window. */
const MARGIN_PX = 8;

// The padding around it bridges the gap: a pointer may go from the button to the words.
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

interface Told {
  readonly anchor: HTMLElement;
  readonly text: string;
  /** Where the anchor was when its tip came. */
  readonly topPx: number;
}

const topOf = (anchor: HTMLElement) => anchor.getBoundingClientRect().top;

/** The element that explains itself at or around what an event hit. */
const anchorOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;

export function Tips() {
  const [told, setTold] = useState<Told | null>(null);
  const tip = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pointed: HTMLElement | null = null;
    let focused: HTMLElement | null = null;
    let meant: HTMLElement | null = null;

    /** A pointer that rests elsewhere takes nothing from the keyboard. */
    function look(): void {
      const anchor = pointed ?? focused;
      if (anchor === meant) return;
      meant = anchor;
      clearTimeout(timer);
      setTold(null);
      const text = anchor?.dataset["tip"];
      if (anchor && text)
        timer = setTimeout(() => anchor.isConnected && setTold({ anchor, text, topPx: topOf(anchor) }), TIP_DELAY_MS);
    }
    const point = (anchor: HTMLElement | null) => {
      pointed = anchor;
      look();
    };
    const focus = (anchor: HTMLElement | null) => {
      focused = anchor;
      look();
    };
    const isTip = (target: EventTarget | null) => target instanceof Node && tip.current?.contains(target) === true;
    const hide = () => {
      clearTimeout(timer);
      setTold(null);
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
    // Whoever presses the button knows what it is for.
    document.addEventListener("pointerdown", hide, { signal });
    document.addEventListener("keydown", hide, { signal });
    const hideIfMoved = () => setTold((shown) => (shown && topOf(shown.anchor) !== shown.topPx ? null : shown));
    document.addEventListener("scroll", hideIfMoved, { signal, capture: true, passive: true });
    return () => {
      ends.abort();
      clearTimeout(timer);
    };
  }, []);

  useLayoutEffect(() => {
    if (!told || !tip.current) return;
    const anchor = told.anchor.getBoundingClientRect();
    const own = tip.current.getBoundingClientRect();
    const middle = anchor.left + anchor.width / 2 - own.width / 2;
    const furthest = document.documentElement.clientWidth - own.width - MARGIN_PX;
    tip.current.style.left = `${Math.max(MARGIN_PX, Math.min(middle, furthest))}px`;
    tip.current.style.top = `${anchor.top >= own.height ? anchor.top - own.height : anchor.bottom}px`;
  }, [told]);

  if (!told) return null;
  return (
    <Tip ref={tip} role="tooltip">
      <div>{told.text}</div>
    </Tip>
  );
}
