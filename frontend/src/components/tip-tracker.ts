/** Decides which element's tooltip is shown: that of the element under the pointer, else that of the focused one. */
import type { Dispatch, SetStateAction } from "react";

/** Delay between pointing at or focusing an element and its tooltip. */
export const TIP_DELAY_MS = 700;

export interface ShownTip {
  readonly anchor: HTMLElement;
  readonly text: string;
  /** Position of the anchor when the tooltip appeared. */
  readonly topPx: number;
}

const topOf = (anchor: HTMLElement) => anchor.getBoundingClientRect().top;

export class TipTracker {
  private readonly setShown: Dispatch<SetStateAction<ShownTip | null>>;
  private pointed: HTMLElement | null = null;
  private focused: HTMLElement | null = null;
  /** The element whose tooltip is shown, due or hidden by a key press. */
  private current: HTMLElement | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param setShown sets the tooltip that the page shows, or null */
  constructor(setShown: Dispatch<SetStateAction<ShownTip | null>>) {
    this.setShown = setShown;
  }

  /** @param anchor the element with a tooltip under the pointer, or null */
  point(anchor: HTMLElement | null): void {
    this.pointed = anchor;
    this.update();
  }

  /** @param anchor the focused element with a tooltip, or null */
  focus(anchor: HTMLElement | null): void {
    this.focused = anchor;
    this.update();
  }

  /** Hides the tooltip until another element is pointed at or focused. */
  hide(): void {
    clearTimeout(this.timer);
    this.setShown(null);
  }

  /** Hides the tooltip if its element has moved, for instance by scrolling. */
  hideIfMoved(): void {
    this.setShown((shown) => (shown && topOf(shown.anchor) !== shown.topPx ? null : shown));
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private update(): void {
    const anchor = this.pointed ?? this.focused;
    if (anchor === this.current) return;
    this.current = anchor;
    this.hide();
    const text = anchor?.dataset["tip"];
    if (!anchor || !text) return;
    this.timer = setTimeout(() => {
      if (anchor.isConnected) this.setShown({ anchor, text, topPx: topOf(anchor) });
    }, TIP_DELAY_MS);
  }
}
