/** The place in the converter that shows the preview of a link, and then its job; and whether jobs are in view. */

export const JOB_PLACE_ID = "job-place";

const findPlace = () => document.getElementById(JOB_PLACE_ID);

/** Whether an element is visible as a whole, between the bar at the top and the end of the window. */
function isInView(element: Element | null): boolean {
  const rect = element?.getBoundingClientRect();
  if (!rect || rect.height === 0) return false;
  const barBottom = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  // The visual viewport is smaller than the window while a phone shows its keyboard.
  const bottom = window.visualViewport?.height ?? window.innerHeight;
  return rect.top >= barBottom && rect.bottom <= bottom;
}

export const isJobPlaceInView = (): boolean => isInView(findPlace());

/**
 * Whether a job or a batch is in view: in the converter, in the queue or on a dashboard.
 * @param id of the job or the batch
 */
export function isRowInView(id: string): boolean {
  const name = CSS.escape(id);
  const rows = document.querySelectorAll(`[data-job="${name}"], [data-batch="${name}"]`);
  // The first article of an unfolded batch is the batch itself, and the others are its jobs.
  return [...rows].some((row) => isInView(row.querySelector("article") ?? row));
}

/** Scrolls the place into view at once, unless it is there already: a short job may be ready before a smooth scroll ends. */
export function scrollToJobPlace(): void {
  if (!isJobPlaceInView()) findPlace()?.scrollIntoView({ block: "nearest", behavior: "instant" });
}
