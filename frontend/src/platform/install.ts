/** Registers the service worker, and reloads pages of an outdated build. */
import { isFirstReload } from "./first-reload.ts";
import { whenIdle } from "./when-idle.ts";

/** Registers the service worker when the browser is idle. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  whenIdle(() => {
    // Rejected in some private windows and on sites without HTTPS; the site works without it.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  });
}

/**
 * Reloads the page once when a script of its build is missing, because a new build has replaced it. The address is
 * already that of the page that was asked for. A second failure is an error of the import.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (!navigator.onLine || !isFirstReload(import.meta.url)) return;
    event.preventDefault();
    window.location.reload();
  });
}
