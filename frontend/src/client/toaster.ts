/** The client's one toasts store with its hook. */
import { createToastsStore } from "../stores/toasts.ts";
import type { Notice } from "../stores/notice.ts";
import { announcer } from "./announcer.ts";
import { hookOf } from "./store-hook.ts";

export const toasts = createToastsStore();

export const useToasts = hookOf(toasts);

/** Closes the toast that is shown, because its message is no longer true. @param about leaves a toast about another thing */
export function closeToast(about?: Notice["about"]): void {
  const { toasts: all, dismiss } = toasts.getState();
  if (all[0] && (about === undefined || all[0].about === about)) dismiss(all[0].id);
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
