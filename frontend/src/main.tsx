// First of all: schemas look at this when they are made.
import "./no-eval.ts";
import "./base.css";
import { ChakraProvider } from "@chakra-ui/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Outlet, ScrollRestoration, createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { live } from "./app.ts";
import { Failure } from "./components/Failure.tsx";
import { Toasts } from "./components/Toasts.tsx";
import { Ways } from "./features/account/ways.tsx";
import { DashboardPage } from "./pages/DashboardPage.tsx";
import { HomePage } from "./pages/HomePage.tsx";
import { LoginPage } from "./pages/LoginPage.tsx";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { ProPage } from "./pages/ProPage.tsx";
import { PageLocale } from "./texts/PageLocale.tsx";
import { restoreLanguage } from "./texts/store.ts";
import { system } from "./theme.ts";

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
      { path: "/login", element: <LoginPage /> },
      { path: "/dashboard", element: <DashboardPage /> },
      { path: "/pro", element: <ProPage /> },
      { path: "*", element: <NotFoundPage /> },
    ],
  },
]);

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// In the language of the last visit from the first word on.
await restoreLanguage();
createRoot(root).render(
  <StrictMode>
    <ChakraProvider value={system}>
      <PageLocale>
        <RouterProvider router={router} />
        <Toasts />
      </PageLocale>
    </ChakraProvider>
  </StrictMode>,
);

void live.start();
