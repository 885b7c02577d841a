/** Users with accounts, who sign in. */
import { randomUUID } from "node:crypto";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import { Home, expect, startAppsIn } from "./home.ts";
import { changeTier, serverOrigin } from "./server.ts";

export interface TestUser {
  readonly email: string;
  readonly firstName: string;
}

export function newUser(firstName = "Ada"): TestUser {
  return { email: `${firstName.toLowerCase()}-${randomUUID()}@example.org`, firstName };
}

/** Fills in the identity provider's page and waits for the return to the site. */
export async function signInAtProvider(page: Page, { email, firstName }: TestUser): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("First name").fill(firstName);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => url.origin === serverOrigin() && !/oidc|identity|interaction/.test(url.pathname));
}

/** As browsers send it when the visitor follows a link of our pages. */
const NAVIGATION = { accept: "text/html", "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" };

/**
 * Signs in with the requests that the pages make, but without showing them, which takes most of the time. The session
 * cookie is in the page's browser context afterwards; the page itself stays where it is.
 */
export async function signIn(page: Page, user: TestUser): Promise<void> {
  const { request } = page.context();
  const form = await request.get(`${serverOrigin()}/api/login`, { headers: NAVIGATION });
  const end = await request.post(form.url(), {
    headers: { ...NAVIGATION, origin: serverOrigin() },
    form: { email: user.email, firstName: user.firstName },
  });
  expect([end.status(), end.url()]).toEqual([200, `${serverOrigin()}/`]);
}

/** Signs in through the login page. */
export async function signInThroughPages(page: Page, user: TestUser): Promise<void> {
  // The script's first request shows that the prerendered page is hydrated.
  const configured = page.waitForResponse((answer) => answer.url().endsWith("/api/config"));
  await page.goto("/login");
  await configured;
  await page.getByRole("button", { name: "Sign in as Pro User" }).click();
  await signInAtProvider(page, user);
  await expect(page.getByRole("banner").getByRole("button", { name: "Account" })).toBeVisible();
}

/** Signs in a user with Pro. @returns the open home page */
export async function signInAsPro(page: Page, user: TestUser): Promise<Home> {
  await signIn(page, user);
  await changeTier(user.email, "pro");
  const home = new Home(page);
  await home.open();
  await expect(page.getByText(`Pro User · ${user.firstName}`)).toBeVisible();
  return home;
}

/** Goes to the dashboard from the menu of the account. */
export async function openDashboard(page: Page): Promise<void> {
  const banner = page.getByRole("banner");
  await banner.getByRole("button", { name: "Account" }).click();
  await banner.getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /^Welcome/ })).toBeVisible();
}

export async function newBrowser(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: serverOrigin() });
  await startAppsIn(context);
  return context;
}
