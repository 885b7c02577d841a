/** Makes the site one that opens without a network. */

/** After everything else: the first visit is not slowed by what later visits need. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = (): void => {
    // Not every browser that has them allows them: private windows, or a site without a certificate.
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined);
  };
  const whenIdle = (): void => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(register, { timeout: 10_000 });
    else setTimeout(register, 2_000);
  };
  if (document.readyState === "complete") whenIdle();
  else window.addEventListener("load", whenIdle, { once: true });
}

const REOPENED_KEY = "tapedeck.reopened";

/** Whether this build has not been opened anew yet; from now on it has. */
function isFirstReopening(): boolean {
  try {
    // The script's own name changes with every build.
    if (window.sessionStorage.getItem(REOPENED_KEY) === import.meta.url) return false;
    window.sessionStorage.setItem(REOPENED_KEY, import.meta.url);
    return true;
  } catch (error) {
    // A browser that keeps nothing cannot tell, and must not go round in circles.
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/**
 * A page left open while a new build came asks for parts that are gone; opened anew it has them. Once:
 * a part that is missing then as well, or that the line lost, is an error of whoever asked for it.
 * @param goingTo the address that was asked for with a click and is not there yet; undefined: none
 */
export function reopenWhenOutdated(goingTo: () => string | undefined): void {
  window.addEventListener("vite:preloadError", (event) => {
    if (!navigator.onLine || !isFirstReopening()) return;
    event.preventDefault();
    const address = goingTo();
    if (address === undefined) window.location.reload();
    else window.location.assign(address);
  });
}
