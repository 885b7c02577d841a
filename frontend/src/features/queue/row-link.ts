/** Links that lead to a job's row in the queue. */
import { useEffect } from "react";
import { useLocation } from "react-router";
import type { QueueItem } from "../../stores/queue-items.ts";

/** The id of the row's element; batches have one, too. */
export const rowIdOf = (id: string): string => `row-${id}`;

export const linkToRow = (jobId: string): string => `/#${rowIdOf(jobId)}`;

/** The visit whose row was shown: the rows may be rendered anew while the visitor does something else. */
let shownVisit: string | undefined;

/**
 * Shows the row that the address names; the page itself may have been ready before the rows.
 * @returns its place among the items, or -1
 */
export function useLinkedRow(items: readonly QueueItem[]): number {
  const { key, hash } = useLocation();
  const index = hash === "" ? -1 : items.findIndex(({ id }) => hash === `#${rowIdOf(id)}`);
  const isThere = index !== -1;
  useEffect(() => {
    if (!isThere || shownVisit === key) return;
    shownVisit = key;
    const row = document.getElementById(hash.slice(1));
    row?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true, focusVisible: true });
  }, [key, hash, isThere]);
  return index;
}
