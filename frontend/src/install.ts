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

/** A page left open while a new build came asks for parts that are gone; opened anew it has them. */
export function reopenWhenOutdated(): void {
  window.addEventListener("vite:preloadError", (event) => {
    // Without a network opening it anew would not help; whoever asked for the part says so.
    if (!navigator.onLine) return;
    event.preventDefault();
    window.location.reload();
  });
}
