/** Set-up of component tests: each begins with an empty page, new stores and a server that knows nobody. */
import { afterEach, beforeEach, vi } from "vitest";
import { commands, locators, page } from "vitest/browser";
import type { Locator } from "vitest/browser";
import "./page-head.ts";
import "../theme/base.css";
import { announcer } from "../client/announcer.ts";
import { connectStores } from "../client/client.ts";
import { outboxScript } from "../client/requests.ts";
import { connection } from "../client/stores.ts";
import { closeToast } from "../client/toaster.ts";
import { toastSheets } from "../components/Toasts.tsx";
import { EMPTY } from "../features/contact/check.ts";
import { keepDraft } from "../features/contact/kept-draft.ts";
import { jobViews } from "../features/queue/use-job-views.ts";
import { QUIET_MS } from "../stores/announcer.ts";
import { showLanguage } from "../texts/store.ts";
import { stopClock } from "./actions.ts";
import { fakeApi } from "./fake-api.ts";
import { closePage } from "./open-page.tsx";
import { forgetToasts, noteToasts } from "./toasts.ts";
import { resetStores } from "./stores.ts";

declare module "vitest/browser" {
  interface LocatorSelectors {
    /** For what visitors do not see, such as `data-` attributes. */
    getBySelector(selector: string): Locator;
  }
  interface BrowserCommands {
    /** Moves the pointer away from all that a page shows; it would stay where the last test, or file, has left it. */
    restPointer(): Promise<void>;
  }
}

locators.extend({ getBySelector: (selector) => selector });

window.fetch = fakeApi.fetch;
noteToasts();
connectStores();

/**
 * Ends what waits in closures beside the stores, whose timers may be those of a stopped clock that is gone: the quiet time
 * of the announcer with the lines that wait for its end, and the patience with a lost connection.
 */
function endTimers(): void {
  if (vi.isFakeTimers()) vi.runOnlyPendingTimers();
  else stopClock();
  announcer.getState().interrupt("");
  // A line that has waited begins a quiet time of its own.
  vi.advanceTimersByTime(2 * QUIET_MS);
  const { connected, listReceived } = connection.getState();
  connected();
  listReceived();
  vi.useRealTimers();
}

beforeEach(async () => {
  // New stores have forgotten them. A part that is not loaded yet answers no key.
  await Promise.all([jobViews.load(), toastSheets.load(), outboxScript.load(), showLanguage("en")]);
  // Words of the font that stands in are wider, and their rows higher.
  await Promise.all([...document.fonts].map((font) => font.load()));
});

afterEach(async () => {
  // A toast that has the focus keeps the next ones open.
  closeToast();
  closePage();
  endTimers();
  // What comes of an answer would meet the stores of the next test.
  await fakeApi.settle();
  resetStores();
  keepDraft(EMPTY);
  fakeApi.reset();
  forgetToasts();
  window.localStorage.clear();
  window.sessionStorage.clear();
  const { dataset } = document.documentElement;
  for (const name of Object.keys(dataset)) delete dataset[name];
  await page.viewport(1280, 800);
  await commands.restPointer();
});
