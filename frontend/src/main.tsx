// First of all: schemas look at this when they are made.
import "./no-eval.ts";
import "./base.css";
import { ChakraProvider } from "@chakra-ui/react";
import { StrictMode, Suspense, lazy } from "react";
import { createRoot } from "react-dom/client";
import { Outlet, ScrollRestoration, createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { live, takeUpBilling } from "./app.ts";
import { Failure } from "./components/Failure.tsx";
import { Toasts } from "./components/Toasts.tsx";
import { Ways } from "./features/account/ways.tsx";
import { SettingUp } from "./features/billing/SubscribeStates.tsx";
import { DashboardPage } from "./pages/DashboardPage.tsx";
import { HomePage } from "./pages/HomePage.tsx";
import { LoginPage } from "./pages/LoginPage.tsx";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { PlansPage } from "./pages/PlansPage.tsx";
import { ProPage } from "./pages/ProPage.tsx";
import { system } from "./theme.ts";

// Before the router reads the address.
takeUpBilling();

/** The one page that knows the payment provider; everybody else is spared its code. */
const SubscribePage = lazy(async () => ({ default: (await import("./pages/SubscribePage.tsx")).SubscribePage }));

const router = createBrowserRouter([
  {
    element: (
      <>
        <Outlet />
        <Ways />
        <ScrollRestoration />
      </>
    ),
    errorElement: <Failure />,
    children: [
      { path: "/", element: <HomePage /> },
      { path: "/plans", element: <PlansPage /> },
      {
        path: "/subscribe",
        element: (
          <Suspense fallback={<SettingUp />}>
            <SubscribePage />
          </Suspense>
        ),
      },
      { path: "/login", element: <LoginPage /> },
      { path: "/dashboard", element: <DashboardPage /> },
      { path: "/pro", element: <ProPage /> },
      { path: "*", element: <NotFoundPage /> },
    ],
  },
]);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <ChakraProvider value={system}>
      <RouterProvider router={router} />
      <Toasts />
    </ChakraProvider>
  </StrictMode>,
);

void live.start();
