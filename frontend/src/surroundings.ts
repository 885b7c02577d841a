/** What the stores listen to: the browser's own, or silence while pages are drawn at build time. */

/** Where `online`, `offline`, `pageshow`, `pagehide` and `storage` are heard. */
export const browser: EventTarget = typeof window === "undefined" ? new EventTarget() : window;

/** Where `visibilitychange` and `resume` are heard. */
export const page: EventTarget & { readonly visibilityState: DocumentVisibilityState } =
  typeof document === "undefined" ? Object.assign(new EventTarget(), { visibilityState: "visible" as const }) : document;

/** What the browser keeps across visits; nothing while pages are drawn, and in browsers that keep nothing. */
export const storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> = openStorage();

function openStorage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const nothing = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  if (typeof window === "undefined") return nothing;
  try {
    return window.localStorage;
  } catch (error) {
    if (error instanceof DOMException) return nothing;
    throw error;
  }
}

/** Whether the browser believes to have a network. */
export const isOnline = (): boolean => typeof window === "undefined" || window.navigator.onLine;
