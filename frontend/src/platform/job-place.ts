/** The place in the converter that shows the preview of a link, and then its job. */

export const JOB_PLACE_ID = "job-place";

const findPlace = () => document.getElementById(JOB_PLACE_ID);

/** Whether the whole place is visible between the bar at the top and the end of the window. */
export function isJobPlaceInView(): boolean {
  const rect = findPlace()?.getBoundingClientRect();
  if (!rect) return false;
  const barBottom = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  // The visual viewport is smaller than the window while a phone shows its keyboard.
  const bottom = window.visualViewport?.height ?? window.innerHeight;
  return rect.top >= barBottom && rect.bottom <= bottom;
}

/** Scrolls the place into view unless it is there already. */
export function scrollToJobPlace(): void {
  if (!isJobPlaceInView()) findPlace()?.scrollIntoView({ block: "nearest" });
}
