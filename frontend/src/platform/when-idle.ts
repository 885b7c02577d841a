/** Calls a function when the page has loaded and the browser is idle, so that the first visit is not slower. */
export function whenIdle(work: () => void): void {
  const wait = (): void => {
    if ("requestIdleCallback" in window) window.requestIdleCallback(work, { timeout: 10_000 });
    // Safari.
    else setTimeout(work, 2_000);
  };
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
}
