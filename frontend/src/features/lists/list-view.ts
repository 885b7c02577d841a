/** Measures the list, which scrolls. */
import type { View } from "./row-window.ts";

/** Of a row; it grows with the visitor's text size. */
export const ROW_HEIGHT_REM = 3.25;

/** Everything but how far it is scrolled; reading this makes the browser lay out the page. */
export function measureList(list: HTMLElement, count: number): Omit<View, "scrollTop"> {
  const rowHeight = ROW_HEIGHT_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { height: list.clientHeight, rowHeight, count };
}
