import "../theme/base.css";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { live } from "../client/live.ts";
import { outboxScript, startOutbox } from "../client/requests.ts";
import { connection } from "../client/stores.ts";
import { resumeBilling } from "../client/billing.ts";
import { connectStores } from "../client/client.ts";
import { listenForInstallOffer } from "../platform/install-offer.ts";
import { isOnline } from "../platform/runtime.ts";
import { registerServiceWorker, reloadWhenOutdated } from "../platform/install.ts";
import { announceLive } from "../platform/start-events.ts";
import { loadPage, Site } from "./routes.tsx";
import { Providers } from "./Providers.tsx";
import { DEFAULT_LANGUAGE, isLanguage } from "../../../common/languages.ts";
import type { Language } from "../../../common/languages.ts";
import { isPageAt, OPERATOR_PATH } from "../../../common/pages.ts";
import { chosenLanguage } from "../texts/language-choice.ts";
import { currentLanguage, showFirstLanguage } from "../texts/store.ts";

/** Loads the page's own script before hydration, so that the prerendered HTML matches. */
async function loadCurrentPage(): Promise<void> {
  try {
    await loadPage(window.location.pathname);
  } catch (error) {
    // Without a network: the page loads it again and shows the error.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** @returns the language that the server has sent the page in */
function languageOfPage(): Language {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : DEFAULT_LANGUAGE;
}

/** Whether the prerendered page is of another route: unknown to everybody but operators, their page is sent as "not found". */
const isSentAsNotFound = (): boolean => isPageAt(OPERATOR_PATH, window.location.pathname);

/**
 * The page may be in another language than the chosen one: the choice was made before hydration, or stored by an
 * earlier build, or the page is from the browser's cache.
 */
function showChosenLanguage(): void {
  const chosen = chosenLanguage();
  const current = currentLanguage();
  if (chosen !== null && chosen !== current) void showFirstLanguage([chosen, current]);
}

let isStarted = false;
let continueBilling = (): void => undefined;

/** Starts after the first render, because store updates would interrupt the concurrent render. */
function startLiveUpdates(): void {
  if (isStarted) return;
  isStarted = true;
  showChosenLanguage();
  continueBilling();
  // The network may have changed while the page loaded.
  connection.getState().setOnline(isOnline());
  void startOutbox();
  void live.start();
  // What has its own listener may not have come without a network.
  window.addEventListener("online", () => {
    connection.getState().setOnline(true);
    void startOutbox();
  });
  registerServiceWorker();
  announceLive();
}

async function start(): Promise<void> {
  connectStores();
  // Comes while the page is rendered: the first press of Convert needs it.
  void outboxScript.load();
  listenForInstallOffer();
  reloadWhenOutdated();
  // Changes the URL, so it runs before the router reads it.
  continueBilling = await resumeBilling();
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  await loadCurrentPage();
  // Hydration needs the language of the prerendered page. The empty page has no content, but perhaps an older language.
  const hasContent = root.firstElementChild !== null;
  const pageLanguage = languageOfPage();
  const wanted = hasContent ? pageLanguage : (chosenLanguage() ?? pageLanguage);
  const isInPageLanguage = (await showFirstLanguage([wanted, DEFAULT_LANGUAGE])) === pageLanguage;
  const isHydrated = hasContent && isInPageLanguage && !isSentAsNotFound();
  const page = (
    <Providers>
      <BrowserRouter>
        <Site onReady={startLiveUpdates} />
      </BrowserRouter>
    </Providers>
  );
  // A transition renders in slices, so that the page responds to input meanwhile.
  startTransition(() => {
    if (isHydrated) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });
}

/** Rejects when a script is missing that the first render needs. */
export const started: Promise<void> = start();
