/** The pages and states that screenshots show, by kind of visitor. */
import type { Page } from "@playwright/test";
import { expect as expectInTests, type Home } from "./home.ts";
import { CARDS, PaymentPage } from "./payment-page.ts";

/** A longer timeout, for conversions. */
const expect = expectInTests.configure({ timeout: 60_000 });

export interface Screenshot {
  readonly name: string;
  readonly path: string;
  /** Steps before the screenshot, in English. */
  readonly prepare?: (home: Home) => Promise<void>;
  /** The page has a state only on a screen of this width or less. */
  readonly widestScreen?: number;
  /** Undoes what would disturb the next screenshots. */
  readonly restore?: (page: Page) => Promise<unknown>;
}

/**
 * Lets a toast stay: the timers of the page stop. Its clock runs again before the next screenshot. It can only jump ahead,
 * by less than the time of a toast, and it runs until then.
 */
async function stopClock({ page }: Home): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000);
}

async function showToast(home: Home, text: string, cause: () => Promise<unknown>): Promise<void> {
  await cause();
  await expect(home.toast).toContainText(text);
  await stopClock(home);
}

const link = async (home: Home, name: string) => (await home.sampleLink(name)).replace(/\?.*/, "");

async function openMenu({ page }: Home): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Menu", exact: true }).click();
}

const previewOf = (name: string, text: string) => async (home: Home) => {
  await home.field.fill(await link(home, name));
  await expect(home.page.locator("#job-place")).toContainText(text);
};

const current = (home: Home) => home.page.locator("#job-place [data-job]");

async function convertTo(home: Home, name: string, status: RegExp): Promise<void> {
  await home.convert(`${await link(home, name)}?${Math.random()}`);
  await expect(current(home)).toHaveAttribute("data-status", status);
}

/** Lets a conversion end while its row is out of view. */
async function finishElsewhere(home: Home): Promise<void> {
  const held = await home.sampleLink("held");
  await home.convert(held);
  await home.page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await expect(home.page.getByRole("heading", { level: 1, name: "Help" })).toBeVisible();
  await home.releaseHeld(held);
}

/** With a chosen video. */
async function openList(home: Home): Promise<void> {
  await home.field.fill(await link(home, "list-60"));
  await home.page.getByRole("option", { name: /^Rain, part 2 / }).click();
}

export const VISITOR: readonly Screenshot[] = [
  { name: "home-empty", path: "/" },
  { name: "menu", path: "/", widestScreen: 600, prepare: openMenu },
  {
    name: "home-invalid",
    path: "/",
    prepare: (home) => showToast(home, "Invalid URL", () => home.field.press("Enter")),
  },
  {
    name: "toast-info",
    path: "/",
    prepare: (home) =>
      showToast(home, "Nothing Pasted", () => home.page.getByRole("button", { name: "Paste", exact: true }).click()),
  },
  { name: "home-preview", path: "/", prepare: previewOf("rain", "about") },
  { name: "home-refused", path: "/", prepare: previewOf("three-hours", "Longer than") },
  { name: "home-too-long", path: "/", prepare: previewOf("lecture", "Pro takes up to") },
  { name: "home-gone", path: "/", prepare: previewOf("gone", "There is no video") },
  {
    name: "home-preview-failed",
    path: "/",
    prepare: async (home) => {
      await home.page.route("**/api/preview", (route) => route.abort());
      await previewOf("rain", "cannot be shown beforehand")(home);
      await expect(home.page.locator("#converter").getByRole("button", { name: "Retry" })).toBeVisible();
    },
    restore: (page) => page.unroute("**/api/preview"),
  },
  {
    name: "home-choices",
    path: "/",
    prepare: async (home) => {
      await previewOf("rain", "about")(home);
      await home.page.getByRole("button", { name: "Choices" }).click();
      await expect(home.page.getByRole("group", { name: "Choices for this video" })).toBeVisible();
    },
  },
  { name: "home-list", path: "/", prepare: openList },
  { name: "login", path: "/login" },
  { name: "login-failed", path: "/login?error=expired" },
  { name: "plans", path: "/plans" },
  {
    name: "help",
    path: "/help",
    prepare: async ({ page }) => {
      await page.locator("summary").first().click();
      await page.locator("#anywhere summary").first().click();
    },
  },
  {
    name: "contact",
    path: "/contact",
    prepare: async ({ page }) => {
      const send = page.getByRole("button", { name: "Send message" });
      if ((await send.count()) > 0) await send.click();
    },
  },
  {
    name: "api",
    path: "/api",
    prepare: async ({ page }) => {
      await expect(page.locator(".swagger-ui").first()).toBeVisible();
    },
  },
  { name: "privacy", path: "/privacy" },
  { name: "terms", path: "/terms" },
  { name: "speed", path: "/speed" },
  { name: "not-found", path: "/no/such/place" },
  // Last, because the socket stays closed.
  {
    name: "home-list-failed",
    path: "/",
    prepare: async ({ page }) => {
      await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
      await page.route(/\/(api|socket\.io)\//, (route) => route.fulfill({ status: 503, body: "" }));
      await page.reload();
      await page.mouse.move(50, 50);
      await expect(page.locator("section [role=alert]")).toBeVisible();
    },
    restore: (page) => page.unrouteAll(),
  },
];

export const WORKING_VISITOR: readonly Screenshot[] = [
  { name: "home-working", path: "/", prepare: (home) => convertTo(home, "slow", /processing/) },
  { name: "home-failed", path: "/", prepare: (home) => convertTo(home, "forbidden-media", /failed/) },
  { name: "home-ready", path: "/", prepare: (home) => convertTo(home, "rain", /completed/) },
  {
    name: "home-to-phone",
    path: "/",
    prepare: async (home) => {
      await convertTo(home, "rain", /completed/);
      await current(home).locator("[aria-haspopup=dialog]").click();
      await expect(home.page.locator("dialog svg[role=img]")).toBeVisible();
    },
  },
  {
    name: "home-canceled",
    path: "/",
    prepare: async (home) => {
      await convertTo(home, "slow", /processing|pending|queued/);
      await current(home)
        .getByRole("button", { name: /^Cancel/ })
        .click();
      await expect(current(home)).toHaveAttribute("data-status", "canceled");
    },
  },
  { name: "toast-ready", path: "/", prepare: (home) => showToast(home, "Ready", () => finishElsewhere(home)) },
  { name: "home-queue", path: "/" },
  {
    name: "home-offline",
    path: "/",
    prepare: async (home) => {
      await home.page.context().setOffline(true);
      await home.field.fill("https://youtu.be/dQw4w9WgXcQ");
      await home.field.press("Enter");
      await expect(home.page.locator("[data-kept]").first()).toBeVisible();
    },
    restore: (page) => page.context().setOffline(false),
  },
  {
    name: "home-undo",
    path: "/",
    prepare: async (home) => {
      await stopClock(home);
      await home.page
        .getByRole("button", { name: /^Remove/ })
        .first()
        .click();
    },
  },
  // Last, because the page's clock stays ahead of the server's.
  {
    name: "home-expired",
    path: "/",
    prepare: async ({ page }) => {
      await page.clock.fastForward("02:00:00");
      await expect(page.getByText("Expired").first()).toBeVisible();
    },
  },
];

export const FREE_USER: readonly Screenshot[] = [
  { name: "subscribe", path: "/subscribe" },
  {
    name: "subscribe-declined",
    path: "/subscribe?plan=yearly",
    prepare: (home) => showToast(home, "Your card was declined", () => new PaymentPage(home.page).pay(CARDS.declined)),
  },
  {
    name: "subscribe-lost",
    path: "/subscribe?plan=yearly",
    prepare: async (home) => {
      await home.page.route("**/browser/confirm", (route) => route.abort());
      await showToast(home, "Payment Failed", () => new PaymentPage(home.page).pay());
    },
    restore: (page) => page.unroute("**/browser/confirm"),
  },
  {
    name: "subscribe-no-form",
    path: "/subscribe?plan=yearly",
    prepare: async ({ page }) => {
      await page.route("**/stripe.js", (route) => route.abort());
      await page.reload();
      await expect(page.getByText("The card form could not be loaded")).toBeVisible();
    },
    restore: (page) => page.unroute("**/stripe.js"),
  },
  { name: "dashboard-empty", path: "/dashboard" },
];

export const PRO: readonly Screenshot[] = [
  {
    name: "home-pro-batch",
    path: "/",
    prepare: async (home) => {
      await home.page.getByText("Batch", { exact: true }).click();
      await home.page.locator("textarea").fill(`${await link(home, "rain")}\n${await link(home, "snow")}\nnot a link`);
    },
  },
  {
    name: "home-pro-refused",
    path: "/",
    prepare: async (home) => {
      await home.page.getByText("Batch", { exact: true }).click();
      await home.page.locator("textarea").fill(`${await link(home, "rain")}\nhttps://evil.example/?youtu.be`);
      await home.page.getByRole("button", { name: "Convert all" }).click();
      await expect(home.page.getByRole("region", { name: "Refused links" })).toBeVisible();
    },
  },
  {
    name: "toast-success",
    path: "/",
    prepare: async (home) => {
      await home.page.getByText("Batch", { exact: true }).click();
      await home.page.locator("textarea").fill(`${await link(home, "rain")}\n${await link(home, "snow")}`);
      const start = home.page.getByRole("button", { name: "Convert all" });
      await showToast(home, "Batch Started", () => start.click());
    },
  },
  {
    name: "home-pro-list",
    path: "/",
    prepare: async (home) => {
      await openList(home);
      await home.page.getByRole("button", { name: "First 20" }).click();
    },
  },
  { name: "dashboard", path: "/dashboard" },
  {
    name: "dashboard-feed",
    path: "/dashboard",
    prepare: async ({ page }) => {
      const section = page.getByRole("region", { name: "My tapes as a podcast" });
      await section.getByRole("button", { name: "Make the address" }).click();
      await expect(section.getByRole("textbox")).toBeVisible();
    },
  },
  { name: "pro", path: "/pro" },
  { name: "plans-pro", path: "/plans" },
];

export const OPERATOR: readonly Screenshot[] = [
  {
    name: "operator",
    path: "/operator",
    prepare: async ({ page }) => {
      await expect(page.getByText("Live ·")).toBeVisible();
      await expect(page.locator("canvas")).toBeVisible();
    },
  },
];

/** Creates completed, failed, processing and waiting jobs. */
export async function fillQueue(home: Home): Promise<void> {
  const ended = [await home.convertUnseen(await link(home, "three-hours"))];
  for (const [name, format] of [
    ["observatory", "mp4"],
    ["rain", "mp3"],
  ] as const)
    ended.push(await home.convert(await link(home, name), format));
  for (const job of ended) await expect(home.rowOf(job)).toHaveAttribute("data-status", /completed|failed/);
  const working = await home.convert(await link(home, "slow"));
  await home.convert(`${await link(home, "slow")}?another`, "mp4");
  await expect(home.rows.getByRole("progressbar")).toHaveCount(2);
  await home.convert(await link(home, "lanterns"));
  await expectInTests.poll(() => home.percent(home.rowOf(working)), { timeout: 60_000 }).toBeGreaterThan(20);
}
