/**
 * When a page falls asleep and wakes: left for another place and come back to, locked away with the
 * phone, or frozen to spare the battery. Nothing here listens to `unload`, which would keep the page
 * out of the browser's memory of pages.
 */
export interface PageLife {
  /** Where `pageshow` and `pagehide` are heard. */
  readonly browser: EventTarget;
  /** Where `visibilitychange` and `resume` are heard. */
  readonly page: EventTarget & { readonly visibilityState: DocumentVisibilityState };
  readonly signal: AbortSignal;
  /** The page is left, perhaps to be come back to: an open connection would keep it from being remembered. */
  readonly onHidden: () => void;
  /** The page goes on after it stood still: whatever was open may be gone without a word. */
  readonly onAwake: () => void;
  /** The page is looked at again; it may have gone on all the while. */
  readonly onSeen: () => void;
}

export function listenToLife({ browser, page, signal, onHidden, onAwake, onSeen }: PageLife): void {
  browser.addEventListener("pagehide", onHidden, { signal });
  browser.addEventListener("pageshow", (event) => "persisted" in event && event.persisted === true && onAwake(), {
    signal,
  });
  page.addEventListener("resume", onAwake, { signal });
  page.addEventListener("visibilitychange", () => page.visibilityState === "visible" && onSeen(), { signal });
}
