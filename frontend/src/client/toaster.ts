/** The client's one toasts store with its hook. */
import { useStore } from "zustand";
import { createToastsStore } from "../stores/toasts.ts";
import type { Notice } from "../stores/notice.ts";
import type { ToastsState } from "../stores/toasts.ts";

export const toasts = createToastsStore();

export const useToasts = <Part>(select: (state: ToastsState) => Part): Part => useStore(toasts, select);

/** Closes the toast that is shown, because its message is no longer true. */
export function closeToast(): void {
  const { toasts: all, dismiss } = toasts.getState();
  if (all[0]) dismiss(all[0].id);
}

export function notify(notice: Notice): void {
  toasts.getState().show(notice);
}
