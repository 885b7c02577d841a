/** Which rows of a long list are in the page. Pure; lengths in CSS pixels. */

export interface View {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Positions of rows, from 0; `to` is the first one behind. */
export interface Rows {
  readonly from: number;
  readonly to: number;
  /** The most rows for this height: rows that are so far apart are never in the page together. */
  readonly most: number;
}

/** Rows above and below the visible ones, so that fast scrolling shows no gaps. */
const ROWS_BEYOND = 8;
/** The window moves by this many rows, so that not every pixel renders anew. */
const STEP = 4;

export function rowsInView({ scrollTop, height, rowHeight, count }: View): Rows {
  const most = Math.ceil(height / rowHeight) + STEP + 2 * ROWS_BEYOND;
  const first = Math.floor(scrollTop / rowHeight / STEP) * STEP - ROWS_BEYOND;
  const to = Math.max(0, Math.min(count, first + most));
  return { from: Math.max(0, Math.min(first, to)), to, most };
}

/** @returns where to scroll so that the whole row is visible; the same place if it is already */
export function scrollTopFor(position: number, { scrollTop, height, rowHeight }: View): number {
  const top = position * rowHeight;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowHeight - height);
}

/** @returns how far PageUp and PageDown move: one row of the old page stays */
export function rowsPerPage({ height, rowHeight }: View): number {
  return Math.max(1, Math.floor(height / rowHeight) - 1);
}
