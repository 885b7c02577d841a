/** The files that the visitor has downloaded on this page, by any link to them. */
import { createStore } from "zustand/vanilla";

/** Paths of the files. */
export type DownloadedStore = ReturnType<typeof createDownloadedStore>;

export function createDownloadedStore() {
  return createStore<{ readonly urls: ReadonlySet<string> }>(() => ({ urls: new Set() }));
}

/**
 * Notes the clicks on links to files.
 * @param browser gets a click after all elements have: one that was prevented downloads nothing
 */
export function noteDownloads(downloaded: DownloadedStore, browser: EventTarget): void {
  browser.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a[download], a[target=_blank]");
    const url = link && link.getAttribute("href");
    if (url && !event.defaultPrevented) downloaded.setState(({ urls }) => ({ urls: new Set([...urls, url]) }));
  });
}
