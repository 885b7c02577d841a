/** What the stores listen to: the browser's own, or silence while pages are drawn at build time. */

/** Where `online` and `offline` are heard. */
export const browser: EventTarget = typeof window === "undefined" ? new EventTarget() : window;

/** Where `visibilitychange` is heard. */
export const page: EventTarget & { readonly visibilityState: DocumentVisibilityState } =
  typeof document === "undefined" ? Object.assign(new EventTarget(), { visibilityState: "visible" as const }) : document;
