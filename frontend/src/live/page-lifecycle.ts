export interface PageLifecycle {
  /** Target of the events `pageshow` and `pagehide`. */
  readonly browser: EventTarget;
  /** Target of the events `visibilitychange` and `resume`. */
  readonly page: EventTarget & { readonly visibilityState: DocumentVisibilityState };
  readonly signal: AbortSignal;
  /** The visitor left the page; an open connection would keep it out of the back/forward cache. */
  readonly onHidden: () => void;
  /** The page runs again after it was frozen; open connections may be dead without an event. */
  readonly onResumed: () => void;
  /** The page is visible again; it may have run in the background all the time. */
  readonly onVisible: () => void;
}

/** Reports when the page is frozen and resumed. Does not use `unload`, which would disable the back/forward cache. */
export function listenToPageLifecycle({ browser, page, signal, onHidden, onResumed, onVisible }: PageLifecycle): void {
  browser.addEventListener("pagehide", onHidden, { signal });
  browser.addEventListener("pageshow", (event) => "persisted" in event && event.persisted === true && onResumed(), {
    signal,
  });
  page.addEventListener("resume", onResumed, { signal });
  page.addEventListener("visibilitychange", () => page.visibilityState === "visible" && onVisible(), { signal });
}
