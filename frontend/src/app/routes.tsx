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
  laterPage("/plans", () => import("../pages/PlansPage.tsx"), "PlansPage"),
  laterPage("/subscribe", () => import("../pages/SubscribePage.tsx"), "SubscribePage"),
  laterPage("/login", () => import("../pages/LoginPage.tsx"), "LoginPage"),
  laterPage("/dashboard", () => import("../pages/account-pages.ts"), "DashboardPage"),
  laterPage("/following", () => import("../pages/account-pages.ts"), "FollowingPage"),
  laterPage("/pro", () => import("../pages/ProPage.tsx"), "ProPage"),
  laterPage("/help", () => import("../pages/HelpPage.tsx"), "HelpPage"),
  laterPage("/speed", () => import("../pages/SpeedPage.tsx"), "SpeedPage"),
  laterPage("/api", () => import("../pages/ApiPage.tsx"), "ApiPage"),
  laterPage("/contact", () => import("../pages/ContactPage.tsx"), "ContactPage"),
  laterPage("/privacy", () => import("../pages/PrivacyPage.tsx"), "PrivacyPage"),
  laterPage("/terms", () => import("../pages/TermsPage.tsx"), "TermsPage"),
  laterPage("/operator", () => import("../pages/OperatorPage.tsx"), "OperatorPage"),
];
const NOT_FOUND = laterPage("*", () => import("../pages/NotFoundPage.tsx"), "NotFoundPage");

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
