/** Swiping something away with a finger or a pen, towards the end of the line. */
import { useRef } from "react";
import type { PointerEvent } from "react";

/** Past this a swipe dismisses; at it or below, the thing goes back to its place. */
export const SWIPE_THRESHOLD_PX = 50;

/** Below this it may still become a tap on something within. */
const START_PX = 8;

interface Swipe {
  readonly pointerId: number;
  readonly startX: number;
  /** 1 where lines run to the right, -1 where they run to the left. */
  readonly direction: 1 | -1;
  isMoving: boolean;
}

/** @returns handlers for the element that moves; it should have `touch-action: pan-y`. */
export function useSwipe(onSwiped: () => void) {
  const swipe = useRef<Swipe | null>(null);

  /** Moved past React: a finger must not wait for a drawing. */
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
        // A pen is not bound to what it touched first.
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
