/**
 * The only script of a page until the visitor uses it; the build writes it into the prerendered pages. It starts the
 * app at the first sign of use, or at once where the page needs it, and keeps what the visitor does until it runs.
 * Each kilobyte here delays the first paint: it must import neither a library nor a store.
 */
import { whenIdle } from "../platform/when-idle.ts";
import { onceLive } from "../platform/start-events.ts";
import { HAS_JOBS_KEY } from "../platform/storage-keys.ts";
import { doKeptActions, keepActions } from "./kept-actions.ts";
import { fetchAppAhead, runApp } from "./load-app.ts";
import { isAppNeededAtOnce } from "./needed-at-once.ts";

/** Assistive technology sends `focusin` or `click` alone. */
const SIGNS_OF_USE = [
  "pointermove",
  "pointerdown",
  "touchstart",
  "wheel",
  "scroll",
  "keydown",
  "focusin",
  "input",
  "click",
  "paste",
  "dragenter",
] as const;

const started = new AbortController();
const { signal } = started;

function start(): void {
  if (signal.aborted) return;
  started.abort();
  // React hydrates the whole page, so all of it must be there.
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void runApp());
  else void runApp();
}

/** A hidden page is not painted. */
function startAfterPaint(): void {
  document.addEventListener("visibilitychange", start, { signal });
  if (document.hidden) start();
  else requestAnimationFrame(() => setTimeout(start));
}

/** Calls a function once the page is on the screen: until then the browser needs the line and the processor for that. */
function onceShown(work: () => void): void {
  const observer = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName("first-contentful-paint").length === 0) return;
    observer.disconnect();
    work();
  });
  observer.observe({ type: "paint", buffered: true });
}

/** The prerendered footer shows no choice of colours. */
function showChosenScheme(): void {
  const { classList } = document.documentElement;
  const scheme = ["light", "dark"].find((name) => classList.contains(name));
  const button = scheme && document.querySelector<HTMLInputElement>(`input[name=scheme][value=${scheme}]`);
  if (button) button.checked = true;
}

/** The browser's offer comes once; the app listens for it too. */
function keepInstallOffer(): void {
  let offer: Event | undefined;
  window.addEventListener("beforeinstallprompt", (event) => (offer = event), { once: true });
  onceLive(() => offer && window.dispatchEvent(offer));
}

keepActions();
keepInstallOffer();
onceLive(() => void doKeptActions());
for (const type of SIGNS_OF_USE) window.addEventListener(type, start, { capture: true, passive: true, signal });
// The visitor starts a job in another window, or returns from another page, where anything may have happened.
window.addEventListener("storage", ({ key }) => key === HAS_JOBS_KEY && start(), { signal });
window.addEventListener("pageshow", ({ persisted }) => persisted && start(), { signal });
document.addEventListener(
  "DOMContentLoaded",
  () => {
    showChosenScheme();
    if (isAppNeededAtOnce()) startAfterPaint();
  },
  { once: true },
);
whenIdle(() => onceShown(() => !signal.aborted && fetchAppAhead()));
