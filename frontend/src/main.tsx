// First of all: schemas look at this when they are made.
import "./no-eval.ts";
import "./base.css";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { live, startOutbox, takeUpBilling } from "./app.ts";
import { keepForOffline, reopenWhenOutdated } from "./install.ts";
import { routes } from "./routes.tsx";
import { Surround } from "./Surround.tsx";
import { keptLanguage, restoreLanguage } from "./texts/store.ts";

/** The page's own script is waited for, so that what was drawn at build time is taken over as it is. */
async function loadCurrentPage(): Promise<void> {
  for (const { route } of matchRoutes(routes, window.location) ?? []) {
    if (typeof route.lazy !== "function") continue;
    try {
      Object.assign(route, { lazy: undefined, ...(await route.lazy()) });
    } catch (error) {
      // Without a network: the router tries once more, and says what is wrong.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

let isLive = false;

/** Not before the page stands: what comes from the server would break off the slices. */
function goLive(): void {
  if (isLive) return;
  isLive = true;
  startOutbox();
  void live.start();
  keepForOffline();
}

async function start(): Promise<void> {
  reopenWhenOutdated();
  // Before the router reads the address.
  takeUpBilling();
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  // In the language of the last visit from the first word on.
  await Promise.all([restoreLanguage(), loadCurrentPage()]);
  const page = (
    <Surround onReady={goLive}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </Surround>
  );
  // Pages are drawn in English at build time; another language starts over, and until now was not shown.
  const isDrawn = root.firstElementChild !== null && keptLanguage() === "en";
  if (!isDrawn) root.replaceChildren();
  delete document.documentElement.dataset["awaits"];
  // In slices, so that whoever types meanwhile is not kept waiting.
  startTransition(() => {
    if (isDrawn) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });
}

void start();
