/** What the app tells the script before it (`first-use`). */

const LIVE = "tapedeck:live";
const FAILED = "tapedeck:start-failed";

/** The app handles the visitor's actions from now on. */
export function announceLive(): void {
  document.documentElement.dataset["live"] = "";
  window.dispatchEvent(new Event(LIVE));
}

/** One of the app's scripts is missing. */
export function announceStartFailure(): void {
  window.dispatchEvent(new Event(FAILED));
}

export function onceLive(listener: () => void): void {
  window.addEventListener(LIVE, listener, { once: true });
}

export function onceStartFailed(listener: () => void): void {
  window.addEventListener(FAILED, listener, { once: true });
}
