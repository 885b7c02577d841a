// First of all: schemas look at this when they are made.
import "../platform/no-eval.ts";
import "../theme/base.css";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
import { RouterProvider } from "react-router/dom";
import { live, startOutbox, takeUpBilling } from "../client/client.ts";
import { keepForOffline, reopenWhenOutdated } from "../platform/install.ts";
import { routes } from "./routes.tsx";
import { Providers } from "./Providers.tsx";
import { keptLanguage, restoreLanguage, takeUpLanguage } from "../texts/store.ts";

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
  document.documentElement.dataset["live"] = "";
  startOutbox();
  void live.start();
  keepForOffline();
}

/** Not before the address has been made ready for it. */
let router: ReturnType<typeof createBrowserRouter> | undefined;

async function start(): Promise<void> {
  reopenWhenOutdated(() => {
    const next = router?.state.navigation.location;
    return next && router?.createHref(next);
  });
  // Before the router reads the address.
  takeUpBilling();
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has no #root");
  // In the language of the last visit from the first word on.
  await Promise.all([restoreLanguage(), loadCurrentPage()]);
  await takeUpLanguage(root.querySelector<HTMLSelectElement>("footer select")?.value);
  router = createBrowserRouter(routes);
  const page = (
    <Providers onReady={goLive}>
      <RouterProvider router={router} />
    </Providers>
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
