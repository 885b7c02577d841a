/** Routes of the site. The home page is part of the first script; the other pages load on navigation. */
import { Outlet, ScrollRestoration } from "react-router";
import type { Location, RouteObject } from "react-router";
import { FocusOnNavigation } from "./FocusOnNavigation.tsx";
import { Failure } from "../components/Failure.tsx";
import { SignInRedirects } from "../features/account/SignInRedirects.tsx";
import { HomePage } from "../pages/HomePage.tsx";

const FIRST_PLACE = String(performance.timeOrigin);

/**
 * React Router gives the first place of every page load the key "default", and would scroll a page that was opened anew
 * to where the page before it was left.
 */
const scrollKeyOf = ({ key }: Location): string => (key === "default" ? FIRST_PLACE : key);

export const routes: RouteObject[] = [
  {
    element: (
      <>
        <Outlet />
        <SignInRedirects />
        <FocusOnNavigation />
        <ScrollRestoration getKey={scrollKeyOf} />
      </>
    ),
    errorElement: <Failure />,
    // Shown while a page's script loads.
    HydrateFallback: () => null,
    children: [
      { path: "/", element: <HomePage /> },
      { path: "/plans", lazy: async () => ({ Component: (await import("../pages/PlansPage.tsx")).PlansPage }) },
      {
        path: "/subscribe",
        lazy: async () => ({ Component: (await import("../pages/SubscribePage.tsx")).SubscribePage }),
      },
      { path: "/login", lazy: async () => ({ Component: (await import("../pages/LoginPage.tsx")).LoginPage }) },
      {
        path: "/dashboard",
        lazy: async () => ({ Component: (await import("../pages/DashboardPage.tsx")).DashboardPage }),
      },
      { path: "/pro", lazy: async () => ({ Component: (await import("../pages/ProPage.tsx")).ProPage }) },
      { path: "/help", lazy: async () => ({ Component: (await import("../pages/HelpPage.tsx")).HelpPage }) },
      { path: "/api", lazy: async () => ({ Component: (await import("../pages/ApiPage.tsx")).ApiPage }) },
      { path: "/contact", lazy: async () => ({ Component: (await import("../pages/ContactPage.tsx")).ContactPage }) },
      { path: "/privacy", lazy: async () => ({ Component: (await import("../pages/PrivacyPage.tsx")).PrivacyPage }) },
      { path: "/terms", lazy: async () => ({ Component: (await import("../pages/TermsPage.tsx")).TermsPage }) },
      {
        path: "/operator",
        lazy: async () => ({ Component: (await import("../pages/OperatorPage.tsx")).OperatorPage }),
      },
      { path: "*", lazy: async () => ({ Component: (await import("../pages/NotFoundPage.tsx")).NotFoundPage }) },
    ],
  },
];
