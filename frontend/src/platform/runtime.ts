/** What the stores listen to: the browser's own, or silence while pages are drawn at build time. */
import type { PageViewer } from "../../../common/api.ts";
import { readPageViewer } from "./page-viewer.ts";

/** Whom the page was handed out to; pages drawn at build time are for whom nobody knows. */
export const viewer: PageViewer | null =
  typeof document === "undefined" ? { tier: "free", authenticated: false } : readPageViewer(document);

/** Where `online`, `offline`, `pageshow`, `pagehide` and `storage` are heard. */
export const browser: EventTarget = typeof window === "undefined" ? new EventTarget() : window;

/** Where `visibilitychange` and `resume` are heard. */
export const page: EventTarget & { readonly visibilityState: DocumentVisibilityState } =
  typeof document === "undefined"
    ? Object.assign(new EventTarget(), { visibilityState: "visible" as const })
    : document;

/** What is kept for the life of the tab; nothing while pages are drawn, and in browsers that keep nothing. */
export const session: KeptTexts = openStorage(() => window.sessionStorage);

/** What the browser keeps across visits; nothing while pages are drawn, and in browsers that keep nothing. */
export const storage: KeptTexts = openStorage(() => window.localStorage);

type KeptTexts = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function openStorage(open: () => Storage): KeptTexts {
  const nothing = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  if (typeof window === "undefined") return nothing;
  try {
    return open();
  } catch (error) {
    if (error instanceof DOMException) return nothing;
    throw error;
  }
}

/** Whether the browser believes to have a network. */
export const isOnline = (): boolean => typeof window === "undefined" || window.navigator.onLine;
