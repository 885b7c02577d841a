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
 * @returns its id if it is one of the items
 */
export function useLinkedRow(items: readonly QueueItem[]): string | undefined {
  const { key, hash } = useLocation();
  const linked = items.find(({ id }) => hash === `#${rowIdOf(id)}`)?.id;
  useEffect(() => {
    if (linked === undefined || shownVisit === key) return;
    shownVisit = key;
    const row = document.getElementById(rowIdOf(linked));
    row?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true, focusVisible: true });
  }, [key, linked]);
  return linked;
}
