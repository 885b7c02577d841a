import { chakra } from "@chakra-ui/react";
import { useCallback, useId, useState } from "react";
import type { KeyboardEvent, MouseEvent } from "react";
import { useStore } from "zustand";
import { useDevice } from "../../client/stores.ts";
import { useListTexts } from "../../texts/lists/index.ts";
import { EntryRows } from "./EntryRows.tsx";
import { isSingleIn } from "./list-store.ts";
import type { ListStore } from "./list-store.ts";
import { ROW_HEIGHT_REM, measureList } from "./list-view.ts";
import { rowsPerPage, scrollTopFor } from "./row-window.ts";

const List = chakra("div", {
  base: {
    "--row": `${ROW_HEIGHT_REM}rem`,
    position: "relative",
    // The last row is cut, which shows that there is more.
    maxH: "min(24.5rem, 60vh)",
    overflowY: "auto",
    overscrollBehavior: "contain",
    border: "1.5px solid {colors.edge}",
    borderRadius: "lg",
    bg: "bg.sunken",
    outline: "none",
    userSelect: "none",
    WebkitUserSelect: "none",
    touchAction: "manipulation",
    _focusVisible: { borderColor: "accent.text", boxShadow: "0 0 0 4px {colors.accent.soft}" },
    "& [role=presentation]": { position: "relative", contain: "strict" },
    "& [role=option]": {
      position: "absolute",
      insetInline: 0,
      height: "var(--row)",
      display: "grid",
      gridTemplateColumns: "auto minmax(0, 1fr) auto",
      alignContent: "center",
      alignItems: "center",
      columnGap: "3",
      px: "3",
      contain: "content",
      cursor: "pointer",
      borderBottom: "1px solid {colors.border}",
    },
    // Beside title, length and problem.
    "& [role=option]:has(img)": { gridTemplateColumns: "auto 4rem minmax(0, 1fr) auto" },
    "& img": { gridRow: "1 / span 2", width: "4rem", height: "2.25rem", objectFit: "cover", borderRadius: "xs" },
    "& [role=option]:has(img) [data-mark]": { gridRow: "1 / span 2" },
    "& [role=option]:has(img) [data-problem]": { gridColumn: "3 / -1" },
    "& [role=option][aria-selected=true]": { bg: "accent.soft" },
    "& [role=option][aria-disabled]": { cursor: "default", color: "fg.muted" },
    "@media (hover: hover)": { "& [role=option]:not([aria-disabled]):hover": { bg: "surface" } },
    "@media (hover: hover) ": { "& [role=option][aria-selected=true]:hover": { bg: "accent.soft" } },
    "&:focus-visible [data-active]": {
      outline: "2px solid {colors.accent.text}",
      outlineOffset: "-3px",
      borderRadius: "md",
    },
    "& [data-mark]": {
      width: "1.25rem",
      height: "1.25rem",
      border: "1.5px solid {colors.edge}",
      borderRadius: "xs",
      bg: "surface",
    },
    "&[aria-multiselectable=false] [data-mark]": { borderRadius: "full" },
    "& [aria-disabled] [data-mark]": { visibility: "hidden" },
    "& [aria-selected=true] [data-mark]": { borderColor: "accent.text", bg: "accent.text" },
    // A tick.
    "& [aria-selected=true] [data-mark]::after": {
      content: '""',
      display: "block",
      width: "0.375rem",
      height: "0.6875rem",
      margin: "0.0625rem auto 0",
      border: "solid {colors.surface}",
      borderWidth: "0 2px 2px 0",
      transform: "rotate(45deg)",
    },
    "& [data-title]": {
      fontSize: "sm",
      fontWeight: 500,
      lineHeight: 1.4,
      overflow: "hidden",
      textOverflow: "ellipsis",
      whiteSpace: "nowrap",
      _rtl: { textAlign: "right" },
    },
    // Below title and length.
    "& [data-problem]": {
      gridColumn: "2 / -1",
      fontSize: "xs",
      lineHeight: 1.35,
      overflow: "hidden",
      textOverflow: "ellipsis",
      whiteSpace: "nowrap",
    },
    "& [data-length]": { fontSize: "xs", color: "fg.muted", fontVariantNumeric: "tabular-nums" },
  },
});

/** @returns the position that a key moves to; undefined for a key that does not move */
function targetOf(key: string, position: number, last: number, perPage: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: position + 1,
    ArrowUp: position < 0 ? 0 : position - 1,
    PageDown: Math.max(position, 0) + perPage,
    PageUp: position - perPage,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(last, target));
}

/**
 * The entries as a list box. Only the rows in view are in the page, and the active one, which screen readers need;
 * the list itself keeps the focus, so that scrolling never loses it.
 */
export function EntryList({ store }: { readonly store: ListStore }) {
  const active = useStore(store, ({ selection, shown }) =>
    selection.active !== null && shown.includes(selection.active) ? selection.active : null,
  );
  const isSingle = useDevice(({ tier }) => isSingleIn(tier));
  const texts = useListTexts();
  const ownId = useId();
  const [list, setList] = useState<HTMLElement | null>(null);
  const idOf = useCallback((index: number) => `${ownId}-${index}`, [ownId]);

  /** @returns whether the key moves */
  function move(element: HTMLElement, key: string, isRange: boolean): boolean {
    const { shown, extendTo, moveTo } = store.getState();
    const view = { ...measureList(element, shown.length), scrollTop: element.scrollTop };
    const position = active === null ? -1 : shown.indexOf(active);
    const target = targetOf(key, position, shown.length - 1, rowsPerPage(view));
    const index = target === undefined ? undefined : shown[target];
    if (target === undefined || index === undefined) return false;
    if (isRange) extendTo(index, true);
    else moveTo(index);
    element.scrollTop = scrollTopFor(target, view);
    // The bar at the lower edge of the window would cover the last rows.
    element.scrollIntoView({ block: "nearest" });
    return true;
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { key, shiftKey, currentTarget } = event;
    const { extendTo, toggle, chooseAll } = store.getState();
    const isCommand = event.ctrlKey || event.metaKey;
    if (key === " " && active !== null) {
      if (shiftKey) extendTo(active, false);
      else toggle(active);
    } else if (isCommand && key.toLowerCase() === "a") {
      if (!isSingle) chooseAll();
    } else if (key === "Enter") {
      currentTarget.closest("form")?.requestSubmit();
    } else if (!move(currentTarget, key, shiftKey)) return;
    event.preventDefault();
  }

  function onClick(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
    if (!row) return;
    const index = Number(row.dataset["index"]);
    const { extendTo, pick } = store.getState();
    if (event.shiftKey && !isSingle) extendTo(index, false);
    else pick(index);
  }

  function onFocus(): void {
    // The keys act on the first entry when the visitor comes with Tab.
    const [first] = store.getState().shown;
    if (active === null && first !== undefined) store.getState().moveTo(first);
  }

  return (
    <List
      ref={setList}
      role="listbox"
      tabIndex={0}
      aria-label={texts.name}
      aria-multiselectable={!isSingle}
      aria-activedescendant={active === null ? undefined : idOf(active)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={onFocus}
    >
      <EntryRows store={store} list={list} idOf={idOf} />
    </List>
  );
}
