// Must be first: zod reads this setting when schemas are created.
import "../platform/no-eval.ts";
import "../theme/base.css";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { live, startOutbox, resumeBilling } from "../client/client.ts";
import { registerServiceWorker, reloadWhenOutdated } from "../platform/install.ts";
import { routes } from "./routes.tsx";
import { Providers } from "./Providers.tsx";
import { storedLanguage, restoreLanguage, applyEarlyLanguage } from "../texts/store.ts";

/** Loads the page's own script before hydration, so that the prerendered HTML matches. */
async function loadCurrentPage(): Promise<void> {
  for (const { route } of matchRoutes(routes, window.location) ?? []) {
    if (typeof route.lazy !== "function") continue;
    try {
      Object.assign(route, { lazy: undefined, ...(await route.lazy()) });
    } catch (error) {
      // Without a network: the router loads it again and shows the error.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

let isStarted = false;

/** Starts after the first render, because store updates would interrupt the concurrent render. */
function startLiveUpdates(): void {
  if (isStarted) return;
  isStarted = true;
  document.documentElement.dataset["live"] = "";
  startOutbox();
  void live.start();
  registerServiceWorker();
}

/** Created after the billing parameters are removed from the URL. */
let router: ReturnType<typeof createBrowserRouter> | undefined;

async function start(): Promise<void> {
  reloadWhenOutdated(() => {
    const next = router?.state.navigation.location;
    return next && router?.createHref(next);
  });
  // Changes the URL, so it runs before the router reads it.
  resumeBilling();
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  // The first render uses the language of the last visit.
  await Promise.all([restoreLanguage(), loadCurrentPage()]);
  await applyEarlyLanguage(root.querySelector<HTMLSelectElement>("footer select")?.value);
  router = createBrowserRouter(routes);
  const page = (
    <Providers onReady={startLiveUpdates}>
      <RouterProvider router={router} />
    </Providers>
  );
  // Pages are prerendered in English; for another language they are hidden until now and rendered again.
  const isPrerendered = root.firstElementChild !== null && storedLanguage() === "en";
  if (!isPrerendered) root.replaceChildren();
  delete document.documentElement.dataset["awaits"];
  // A transition renders in slices, so that the page responds to input meanwhile.
  startTransition(() => {
    if (isPrerendered) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });
}

void start();
