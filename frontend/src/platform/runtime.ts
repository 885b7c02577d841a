/** Runtime dependencies of the client: those of the browser, or inactive ones while pages are prerendered. */
import type { PageViewer } from "../../../common/api.ts";
import { readPageViewer } from "./page-viewer.ts";
import { openStorage } from "./text-storage.ts";
import type { TextStorage } from "./text-storage.ts";

/** The page's viewer; a signed-out one while pages are prerendered. */
export const viewer: PageViewer | null =
  typeof document === "undefined" ? { tier: "free", authenticated: false } : readPageViewer(document);

/** Target of the events `online`, `offline`, `pageshow`, `pagehide` and `storage`. */
export const browser: EventTarget = typeof window === "undefined" ? new EventTarget() : window;

/** Target of the events `visibilitychange` and `resume`. */
export const page: EventTarget & { readonly visibilityState: DocumentVisibilityState } =
  typeof document === "undefined"
    ? Object.assign(new EventTarget(), { visibilityState: "visible" as const })
    : document;

const NOTHING: TextStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

/** Storage for the life of the tab; stores nothing during prerendering and in browsers that refuse storage. */
export const session = openStorage(() => (typeof window === "undefined" ? NOTHING : window.sessionStorage));

/** Storage across visits; stores nothing during prerendering and in browsers that refuse storage. */
export const storage = openStorage(() => (typeof window === "undefined" ? NOTHING : window.localStorage));

/** Whether the browser reports a network connection; true during prerendering. */
export const isOnline = (): boolean => typeof window === "undefined" || window.navigator.onLine;

/** Whether the page is visible and has the focus. */
export const isLooking = (): boolean =>
  typeof document === "undefined" || (document.visibilityState === "visible" && document.hasFocus());
