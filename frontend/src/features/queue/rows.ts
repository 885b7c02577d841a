/** The rows of a list: its items, and items that have just left, until their animation has ended. */
import { useCallback, useState } from "react";
import type { QueueItem } from "../../stores/queue-items.ts";

export interface Row {
  readonly item: QueueItem;
  readonly motion: "entering" | "resting" | "leaving";
}

/** Updates the rows for new items: rows of missing items stay at their position as `leaving`. */
export function updateRows(rows: readonly Row[], items: readonly QueueItem[]): Row[] {
  const previous = new Map(rows.map((row) => [row.item.id, row]));
  const present = new Set(items.map((item) => item.id));
  const next: Row[] = items.map((item) => {
    const motion = previous.get(item.id)?.motion;
    return { item, motion: motion === undefined || motion === "leaving" ? "entering" : motion };
  });
  let position = 0;
  for (const row of rows) {
    if (present.has(row.item.id)) position = next.findIndex(({ item }) => item.id === row.item.id) + 1;
    else next.splice(position++, 0, row.motion === "leaving" ? row : { ...row, motion: "leaving" });
  }
  return next;
}

export interface Rows {
  readonly rows: readonly Row[];
  /** Must be called with the id of a row when its leave animation has ended. */
  readonly removeRow: (id: string) => void;
}

export function useRows(items: readonly QueueItem[]): Rows {
  const [lastItems, setLastItems] = useState(items);
  const [rows, setRows] = useState<readonly Row[]>(() => items.map((item) => ({ item, motion: "resting" })));
  if (lastItems !== items) {
    setLastItems(items);
    setRows(updateRows(rows, items));
  }
  const removeRow = useCallback(
    (id: string) => setRows((all) => all.filter((row) => row.item.id !== id || row.motion !== "leaving")),
    [],
  );
  return { rows, removeRow };
}
