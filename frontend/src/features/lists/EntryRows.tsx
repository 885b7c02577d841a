import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { useDevice } from "../../client/stores.ts";
import { useListTexts } from "../../texts/lists/index.ts";
import { useFormats } from "../../texts/store.ts";
import { EntryRow } from "./EntryRow.tsx";
import type { ListStore } from "./list-store.ts";
import { measureList } from "./list-view.ts";
import { problemSentence } from "./problem-sentence.ts";
import { rowsInView } from "./row-window.ts";
import type { Rows } from "./row-window.ts";

const NO_ROWS: Rows = { from: 0, to: 0, most: 1 };

/** Follows scrolling and the size of the list. */
function useRowsInView(list: HTMLElement | null, count: number): Rows {
  const [rows, setRows] = useState(NO_ROWS);
  const measured = useRef({ height: 0, rowHeight: 1, count });
  useLayoutEffect(() => {
    if (!list) return;
    const update = (): void => {
      const next = rowsInView({ ...measured.current, scrollTop: list.scrollTop });
      setRows((rows) => (rows.from === next.from && rows.to === next.to && rows.most === next.most ? rows : next));
    };
    const measure = (): void => {
      measured.current = measureList(list, count);
      update();
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(list);
    list.addEventListener("scroll", update, { passive: true });
    return () => {
      sizes.disconnect();
      list.removeEventListener("scroll", update);
    };
  }, [list, count]);
  return rows;
}

export interface EntryRowsProps {
  readonly store: ListStore;
  /** The element that scrolls; null until it is in the page. */
  readonly list: HTMLElement | null;
  readonly idOf: (index: number) => string;
}

/** The rows in view, and the active one, which screen readers need. Only these render while the visitor scrolls. */
export function EntryRows({ store, list, idOf }: EntryRowsProps) {
  const { entries, shown, selection, query, head } = useStore(store);
  const tier = useDevice((state) => state.tier);
  const texts = useListTexts();
  const formats = useFormats();
  const rows = useRowsInView(list, shown.length);
  useEffect(() => {
    list?.scrollTo({ top: 0 });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another search begins at its first result
  }, [list, query]);
  const setSize = query === "" ? (head?.total ?? -1) : shown.length;

  /** @param key of the element */
  function rowAt(position: number, key: string | number) {
    const index = shown[position];
    const entry = index === undefined ? undefined : entries[index];
    if (index === undefined || entry === undefined) return null;
    return (
      <EntryRow
        key={key}
        id={idOf(index)}
        index={index}
        position={position}
        setSize={setSize}
        entry={entry}
        isChosen={selection.chosen.has(index)}
        isActive={index === selection.active}
        problem={problemSentence(entry, tier, texts, formats)}
      />
    );
  }

  const positions = Array.from({ length: rows.to - rows.from }, (_, offset) => rows.from + offset);
  const active = selection.active === null ? -1 : shown.indexOf(selection.active);
  const isActiveElsewhere = active >= 0 && (active < rows.from || active >= rows.to);
  return (
    <div role="presentation" style={{ height: `calc(var(--row) * ${shown.length})` }}>
      {/* A row that leaves at one end gives its elements to the one that comes at the other. */}
      {positions.map((position) => rowAt(position, position % rows.most))}
      {isActiveElsewhere && rowAt(active, "active")}
    </div>
  );
}
