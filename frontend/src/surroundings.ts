/** What the stores listen to: the browser's own, or silence while pages are drawn at build time. */
import type { PageViewer } from "../../common/api.ts";
import { readPageViewer } from "./page-viewer.ts";

/** Whom the page was handed out to; pages drawn at build time are for whom nobody knows. */
export const viewer: PageViewer | null = typeof document === "undefined" ? { tier: "free", authenticated: false } : readPageViewer(document);

/** Where `online` and `offline` are heard. */
export const browser: EventTarget = typeof window === "undefined" ? new EventTarget() : window;

/** Where `visibilitychange` is heard. */
export const page: EventTarget & { readonly visibilityState: DocumentVisibilityState } =
  typeof document === "undefined" ? Object.assign(new EventTarget(), { visibilityState: "visible" as const }) : document;

/** What is kept for the life of the tab. */
export const session: Pick<Storage, "getItem" | "setItem" | "removeItem"> =
  typeof sessionStorage === "undefined" ? { getItem: () => null, setItem: () => undefined, removeItem: () => undefined } : sessionStorage;
