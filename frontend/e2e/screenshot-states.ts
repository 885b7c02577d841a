/** The pages and states that screenshots show, by kind of visitor. */
import type { Page } from "@playwright/test";
import { User } from "../../common/api.ts";
import { Follow, FollowList } from "../../common/follows.ts";
import { SPEED_DAYS, type Speed } from "../../common/speed.ts";
import { expect as expectInTests, type Home } from "./home.ts";
import { CARDS, PaymentPage } from "./payment-page.ts";
import { lookAtFollowed, serverOrigin } from "./server.ts";

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

/** A song that the site holds back, for which a tape waits. */
let heldSong = "";

/** Makes a tape of two songs, one of which is held back. */
async function startTape(home: Home): Promise<void> {
  heldSong = await home.sampleLink("held");
  await home.page.route("**/api/lists", async (route) => {
    const answer = await route.fetch();
    const list = (await answer.json()) as { entries: { link: string }[] };
    list.entries.forEach((entry, index) => index === 2 && (entry.link = heldSong));
    await route.fulfill({ response: answer, json: list });
  });
  await openList(home);
  await home.page.getByRole("option", { name: /^Rain, part 3 / }).click();
  await home.page.getByRole("switch", { name: "As one tape too" }).click();
  await home.page.getByRole("button", { name: "Convert", exact: true }).click();
  await expect(home.page.getByText("Waiting for 1 of 2 songs")).toBeVisible();
}

/** Follows a list, of which one new video is converted and another one fails. */
async function followRenewed(home: Home): Promise<void> {
  const { request } = home.page;
  const url = await home.sampleLink("list-renewed");
  const { email } = User.parse(await (await request.get("/api/auth/user")).json());
  await request.post("/api/follows", { headers: { origin: serverOrigin() }, data: { url } });
  await home.releaseHeld(url);
  await lookAtFollowed(email);
  await home.page.reload();
  await expect(home.page.getByRole("link", { name: /^Download/ })).toBeVisible();
  await expect(home.page.getByText("There is no video at this link")).toBeVisible();
}

/** Shows a followed list in each state that it may be in. */
async function showFollowStates({ page }: Home): Promise<void> {
  await page.route("**/api/follows", async (route) => {
    const { follows } = FollowList.parse(await (await route.fetch()).json());
    const [follow] = follows;
    const failure = { code: "unavailable", message: "There is no video at this link any more." };
    const states = (["quiet", "put_off", "failing", "blocked", "needs_pro"] as const).map((state) =>
      Follow.parse({
        ...follow,
        id: state,
        state,
        failure: state === "failing" ? failure : null,
        quietHours: state === "quiet" ? { from: "22:00", to: "07:00", timeZone: "UTC" } : null,
        waiting:
          state === "quiet" ? [{ link: "https://site.example/1", title: "A premiere", problem: "upcoming" }] : [],
        came: [],
      }),
    );
    await route.fulfill({ json: { follows: states } });
  });
  await page.reload();
  await expect(page.getByText("Cannot be read")).toBeVisible();
  await page.getByText("1 video waits").click();
}

/** Shows the figures of a week, which a new server has not. */
async function showSpeed({ page }: Home): Promise<void> {
  const speed: Speed = {
    all: { conversions: 12_345, medianSeconds: 9.4, p90Seconds: 88 },
    shares: { wait: 4, site: 38, line: 41, ours: 17 },
    promise: { conversions: 11_000, medianErrorPercent: 12, keptPercent: 87 },
    days: Array.from({ length: SPEED_DAYS }, (_, index) => ({
      day: `2026-11-${29 - index}`,
      conversions: 1_763 - index,
      medianSeconds: 9.4 + index,
      p90Seconds: 88 + index,
    })),
  };
  await page.route("**/api/speed", (route) => route.fulfill({ json: speed }));
  await page.reload();
  await expect(page.getByRole("table")).toBeVisible();
}

const feedSection = ({ page }: Home) => page.getByRole("region", { name: "My tapes as a podcast" });
const unrouteFollows = (page: Page) => page.unroute("**/api/follows");

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
  { name: "speed-figures", path: "/speed", prepare: showSpeed, restore: (page) => page.unroute("**/api/speed") },
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
  { name: "home", path: "/" },
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
    name: "home-cut",
    path: "/",
    prepare: async (home) => {
      await convertTo(home, "rain", /completed/);
      await current(home)
        .getByRole("button", { name: /^Cut again/ })
        .click();
      await expect(home.page.locator("[data-waveform]")).toBeVisible();
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
  { name: "following-free", path: "/following" },
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
      await home.page.getByRole("switch", { name: "As one tape too" }).click();
    },
  },
  {
    name: "home-tape-waiting",
    path: "/",
    prepare: startTape,
    restore: (page) => page.unroute("**/api/lists"),
  },
  {
    name: "home-tape",
    path: "/",
    prepare: async (home) => {
      await home.releaseHeld(heldSong);
      await expect(home.page.locator("[data-batch]").first()).toContainText("2 of 2 ready");
      await expect(home.row("Sixty times rain").first()).toHaveAttribute("data-status", "completed");
    },
  },
  { name: "dashboard", path: "/dashboard" },
  {
    name: "dashboard-feed",
    path: "/dashboard",
    prepare: async (home) => {
      await feedSection(home).getByRole("button", { name: "Make the address" }).click();
      await expect(feedSection(home).getByRole("textbox")).toBeVisible();
    },
  },
  {
    name: "dashboard-feed-on",
    path: "/dashboard",
    prepare: (home) => feedSection(home).getByRole("button", { name: "Turn off" }).click(),
  },
  { name: "following-empty", path: "/following" },
  {
    name: "following-loading",
    path: "/following",
    prepare: async ({ page }) => {
      await page.route("**/api/follows", () => undefined);
      await page.reload();
      await expect(page.getByRole("status", { name: "Loading what you follow" })).toBeVisible();
    },
    restore: unrouteFollows,
  },
  {
    name: "following-error",
    path: "/following",
    prepare: async ({ page }) => {
      await page.route("**/api/follows", (route) => route.fulfill({ status: 503, body: "" }));
      await page.reload();
      await expect(page.getByText("What you follow could not be loaded.")).toBeVisible();
    },
    restore: unrouteFollows,
  },
  { name: "following", path: "/following", prepare: followRenewed },
  {
    name: "following-refused",
    path: "/following",
    prepare: async ({ page }) => {
      await page.getByLabel("Link of a playlist or channel").fill("https://example.org/not-ours");
      await page.getByRole("button", { name: "Follow", exact: true }).click();
      await expect(page.getByRole("alert").first()).toBeVisible();
    },
  },
  {
    name: "following-settings",
    path: "/following",
    prepare: async ({ page }) => {
      await page.getByRole("button", { name: /^Settings of/ }).click();
      await page.getByLabel("Quiet hours").click();
      await page.getByRole("button", { name: /^Stop following/ }).click();
    },
  },
  {
    name: "following-paused",
    path: "/following",
    prepare: async ({ page }) => {
      await page.getByRole("button", { name: /^Pause/ }).click();
      await expect(page.getByRole("button", { name: /^Resume/ })).toBeVisible();
    },
  },
  { name: "following-states", path: "/following", prepare: showFollowStates, restore: unrouteFollows },
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
