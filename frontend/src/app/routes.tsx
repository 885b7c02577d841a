/** Routes of the site. The home page is part of the first script; the other pages load on navigation. */
import { Suspense, useEffect } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { useLocation } from "react-router";
import { isPageAt } from "../../../common/pages.ts";
import { Failure } from "../components/Failure.tsx";
import { SignInRedirects } from "../features/account/SignInRedirects.tsx";
import { HomePage } from "../pages/HomePage.tsx";
import { laterPage } from "./later-page.tsx";
import type { SiteRoute } from "./later-page.tsx";
import { Navigation } from "./Navigation.tsx";

const ROUTES: SiteRoute[] = [
  { path: "/", element: <HomePage /> },
  laterPage("/plans", async () => (await import("../pages/PlansPage.tsx")).PlansPage),
  laterPage("/subscribe", async () => (await import("../pages/SubscribePage.tsx")).SubscribePage),
  laterPage("/login", async () => (await import("../pages/LoginPage.tsx")).LoginPage),
  laterPage("/dashboard", async () => (await import("../pages/DashboardPage.tsx")).DashboardPage),
  laterPage("/pro", async () => (await import("../pages/ProPage.tsx")).ProPage),
  laterPage("/help", async () => (await import("../pages/HelpPage.tsx")).HelpPage),
  laterPage("/speed", async () => (await import("../pages/SpeedPage.tsx")).SpeedPage),
  laterPage("/api", async () => (await import("../pages/ApiPage.tsx")).ApiPage),
  laterPage("/contact", async () => (await import("../pages/ContactPage.tsx")).ContactPage),
  laterPage("/privacy", async () => (await import("../pages/PrivacyPage.tsx")).PrivacyPage),
  laterPage("/terms", async () => (await import("../pages/TermsPage.tsx")).TermsPage),
  laterPage("/operator", async () => (await import("../pages/OperatorPage.tsx")).OperatorPage),
];
const NOT_FOUND = laterPage("*", async () => (await import("../pages/NotFoundPage.tsx")).NotFoundPage);

const routeAt = (path: string): SiteRoute => ROUTES.find((route) => isPageAt(route.path, path)) ?? NOT_FOUND;

/**
 * Loads a page's own script, so that its first render is whole.
 * @param path URL path
 * @throws TypeError when the script cannot be loaded
 */
export async function loadPage(path: string): Promise<void> {
  await routeAt(path).load?.();
}

function Ready({ onReady }: { onReady: (() => void) | undefined }) {
  useEffect(() => onReady?.(), [onReady]);
  return null;
}

/**
 * The page of the address, with what every page does.
 * @param onReady called when the page can be used; not called during prerendering
 */
export function Site({ onReady }: { onReady?: () => void }) {
  const { key, pathname } = useLocation();
  return (
    <ErrorBoundary fallback={<Failure />} resetKeys={[key]}>
      <Suspense>
        {routeAt(pathname).element}
        {/* Beside the page: React hydrates the inside of Suspense later than what is around it. */}
        <Ready onReady={onReady} />
      </Suspense>
      <SignInRedirects />
      <Navigation />
    </ErrorBoundary>
  );
}
