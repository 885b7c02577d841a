/** Registers the service worker, and reloads pages of an outdated build. */
import { ignoreStorageErrors } from "./storage-errors.ts";

/** Registers the service worker when the browser is idle, so that the first visit is not slower. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = (): void => {
    // Rejected in some private windows and on sites without HTTPS; the site works without it.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  };
  const whenIdle = (): void => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(register, { timeout: 10_000 });
    else setTimeout(register, 2_000);
  };
  if (document.readyState === "complete") whenIdle();
  else window.addEventListener("load", whenIdle, { once: true });
}

const RELOADED_KEY = "tapedeck.reopened";

/** @returns true at the first call in this tab and build */
function isFirstReload(): boolean {
  const isFirst = ignoreStorageErrors(() => {
    // The URL of the script changes with every build.
    if (window.sessionStorage.getItem(RELOADED_KEY) === import.meta.url) return false;
    window.sessionStorage.setItem(RELOADED_KEY, import.meta.url);
    return true;
  });
  // Without storage, the page could reload endlessly.
  return isFirst ?? false;
}

/**
 * Reloads the page once when a script of its build is missing, because a new build has replaced it.
 * A second failure is an error of the import.
 * @param pendingAddress URL of a navigation in progress, or undefined
 */
export function reloadWhenOutdated(pendingAddress: () => string | undefined): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (!navigator.onLine || !isFirstReload()) return;
    event.preventDefault();
    const address = pendingAddress();
    if (address === undefined) window.location.reload();
    else window.location.assign(address);
  });
}
