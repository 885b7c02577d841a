/** The client's one toasts store with its hook. */
import { useStore } from "zustand";
import { createToastsStore } from "../stores/toasts.ts";
import type { Notice } from "../stores/notice.ts";
import type { ToastsState } from "../stores/toasts.ts";

export const toasts = createToastsStore();

export const useToasts = <Part>(select: (state: ToastsState) => Part): Part => useStore(toasts, select);

export function notify(notice: Notice): void {
  toasts.getState().show(notice);
}
