/** The client's one toasts store with its hook. */
import { useStore } from "zustand";
import { createToastsStore } from "../stores/toasts.ts";
import type { Notice } from "../stores/notice.ts";
import type { ToastsState } from "../stores/toasts.ts";
import { announcer } from "./announcer.ts";

export const toasts = createToastsStore();

export const useToasts = <Part>(select: (state: ToastsState) => Part): Part => useStore(toasts, select);

/** Closes the toast that is shown, because its message is no longer true. */
export function closeToast(): void {
  const { toasts: all, dismiss } = toasts.getState();
  if (all[0]) dismiss(all[0].id);
}

/** Shows a toast that screen readers do not hear, because they hear of the same in other words. */
export function showSilently(notice: Notice): void {
  toasts.getState().show(notice);
}

export function notify(notice: Notice): void {
  showSilently(notice);
  const { kind, title, description } = notice;
  const text = description === undefined ? title : `${title}. ${description}`;
  const { announce, interrupt } = announcer.getState();
  if (kind === "error") interrupt(text);
  else announce([{ about: "toast", text, isEnd: true }]);
}
