import { useRef } from "react";
import type { PointerEvent } from "react";

/** A longer swipe dismisses; after a shorter one the element moves back. */
export const SWIPE_THRESHOLD_PX = 50;

/** A shorter movement may be a tap on a button in the element. */
const START_PX = 8;

interface Swipe {
  readonly pointerId: number;
  readonly startX: number;
  /** 1 for left-to-right text, -1 for right-to-left. */
  readonly direction: 1 | -1;
  isMoving: boolean;
}

/**
 * Detects a swipe with finger or pen in reading direction; the element follows the swipe.
 * @param onSwiped called after a swipe longer than {@link SWIPE_THRESHOLD_PX}
 * @returns pointer handlers for the element; it needs `touch-action: pan-y`
 */
export function useSwipe(onSwiped: () => void) {
  const swipe = useRef<Swipe | null>(null);

  /** Sets the style directly, because rendering would lag behind the finger. */
  function move(element: HTMLElement, distancePx: number, direction: 1 | -1): void {
    element.style.translate = distancePx === 0 ? "" : `${distancePx * direction}px`;
  }

  const distanceOf = (event: PointerEvent, { startX, direction }: Swipe) => (event.clientX - startX) * direction;

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === "mouse" || swipe.current) return;
      const direction = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
      swipe.current = { pointerId: event.pointerId, startX: event.clientX, direction, isMoving: false };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const current = swipe.current;
      if (current?.pointerId !== event.pointerId) return;
      const distancePx = distanceOf(event, current);
      if (!current.isMoving && distancePx > START_PX) {
        current.isMoving = true;
        // Touch captures the pointer by itself, a pen does not.
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.dataset["swiping"] = "";
      }
      if (current.isMoving) move(event.currentTarget, Math.max(0, distancePx), current.direction);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const current = swipe.current;
      if (current?.pointerId !== event.pointerId) return;
      swipe.current = null;
      delete event.currentTarget.dataset["swiping"];
      if (distanceOf(event, current) > SWIPE_THRESHOLD_PX) onSwiped();
      else move(event.currentTarget, 0, current.direction);
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      if (swipe.current?.pointerId !== event.pointerId) return;
      swipe.current = null;
      delete event.currentTarget.dataset["swiping"];
      move(event.currentTarget, 0, 1);
    },
  };
}
