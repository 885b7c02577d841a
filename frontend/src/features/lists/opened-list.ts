/** The list that was opened last: coming back to it, the visitor finds it as it was. */
import { listApi } from "../../api/list-api.ts";
import { currentTier } from "../../client/stores.ts";
import { createListStore } from "./list-store.ts";
import type { ListStore } from "./list-store.ts";

let opened: { readonly link: string; readonly store: ListStore } | null = null;

/** @returns the same store for the same link */
export function openList(link: string): ListStore {
  if (opened?.link !== link)
    opened = { link, store: createListStore({ link, load: listApi.readPage, tier: currentTier }) };
  return opened.store;
}
