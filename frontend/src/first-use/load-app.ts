/** Loads the app's scripts: into the browser's cache, or to run. */
import { doublingDelay } from "../../../common/doubling-delay.ts";
import { isFirstReload } from "../platform/first-reload.ts";
import { savesData } from "../platform/data-saver.ts";
import { onceStartFailed } from "../platform/start-events.ts";
import { endKeeping, LINK_FIELD, pastedText, submittedForm } from "./kept-actions.ts";

/** Inserted by the build: the app's first scripts, of which the first one runs the others. */
declare const APP_SCRIPTS: readonly [string, ...string[]];

const [ENTRY, ...OTHERS] = APP_SCRIPTS;

/** @returns the scripts, with the texts of the page's language */
function scripts(): string[] {
  return [ENTRY, ...OTHERS, document.documentElement.dataset["catalogue"] ?? []].flat();
}

/** Fetches the scripts without running them, so that the app starts at once when the visitor uses the page. */
export function fetchAppAhead(): void {
  if (savesData()) return;
  // Not as `prefetch` links, which Safari does not have. What fails is fetched again when it is needed.
  for (const url of scripts())
    fetch(url, { priority: "low" }).then(
      (answer) => answer.arrayBuffer(),
      () => undefined,
    );
}

/** Runs the app. If a script is missing, the page says so and tries again; see {@link recover}. */
export async function runApp(): Promise<void> {
  for (const href of scripts()) {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", crossOrigin: "", href }));
  }
  // The entry imports the others, and announces their failure.
  onceStartFailed(onFailed);
  try {
    await import(/* @vite-ignore */ ENTRY);
  } catch (error) {
    onFailed();
    throw error;
  }
}

function onFailed(): void {
  showFailure();
  void recover(isFirstReload(ENTRY));
}

const NOTE_ID = "not-loaded";

/** At the place of a toast, as components/Toasts.tsx does. */
function showFailure(): void {
  const note = document.getElementById(NOTE_ID);
  if (!note) return;
  note.hidden = false;
  document.documentElement.dataset["notice"] = "";
}

/** Not by moves of the pointer: they come all the time. */
const TRIES_AGAIN = ["pointerdown", "keydown", "paste", "online"] as const;

/** Between two tries while the network is said to be there; each is twice as long as the one before. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Opens the page again when the server can be reached, because browsers do not load a module again that has failed,
 * and because a new build may have replaced it.
 * @param isAllowed otherwise only when the visitor uses the page again, or the network is back
 * @param failures how often the server could not be reached since then
 */
async function recover(isAllowed: boolean, failures = 0): Promise<void> {
  const tried = new AbortController();
  const again = (failuresNow = 0): void => {
    if (tried.signal.aborted) return;
    tried.abort();
    void recover(true, failuresNow);
  };
  // Before the server is asked: the network may come back before that request has failed.
  for (const type of TRIES_AGAIN)
    window.addEventListener(type, () => again(), { capture: true, passive: true, signal: tried.signal });
  if (!isAllowed) return;
  const isReachable = await isServerReachable();
  if (tried.signal.aborted) return;
  if (isReachable) {
    // Or a press while the new page is on its way would open it once more.
    tried.abort();
    reopen();
  } else if (navigator.onLine) {
    // A network that has just come back may need a moment more. Without one its return is awaited.
    setTimeout(() => again(failures + 1), doublingDelay(failures, FIRST_PAUSE_MS, LONGEST_PAUSE_MS));
  }
}

async function isServerReachable(): Promise<boolean> {
  try {
    await fetch(ENTRY, { method: "HEAD", cache: "no-store" });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Opens the page again with what the visitor has typed; a submitted form is sent, as without a script. */
function reopen(): void {
  // A form that is submitted while the new page is on its way must not be lost with this page.
  endKeeping();
  const form = submittedForm();
  if (form) return form.submit();
  const field = document.querySelector<HTMLInputElement>(LINK_FIELD);
  const text = field?.value || pastedText();
  if (!text) return window.location.reload();
  const format = document.querySelector<HTMLInputElement>("input[name=format]:checked")?.value ?? "";
  window.location.assign(`/?${String(new URLSearchParams({ text, format }))}`);
}
