/**
 * Takes screenshots of every page on a phone and a laptop, light and dark: `npm run screenshots -- FOLDER`.
 * Uses the real server with real conversions. The default folder is .data/screenshots.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { chromium } from "@playwright/test";
import type { BrowserContext, Page } from "@playwright/test";
import { REPOSITORY_ROOT } from "../../backend/dev/repository.ts";
import playwrightConfig from "../playwright.config.ts";
import { Home, expect } from "./home.ts";
import { signIn, signInAsPro, newUser } from "./users.ts";
import startServer, { serverOrigin } from "./server.ts";

const SCREENS = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } } as const;
const COLORS = ["light", "dark"] as const;

/** A longer timeout, for conversions. */
const expectSoon = expect.configure({ timeout: 60_000 });

interface Screenshot {
  readonly name: string;
  readonly path: string;
  /** Steps before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const VISITOR_PAGES: readonly Screenshot[] = [
  { name: "home-empty", path: "/" },
  { name: "login", path: "/login" },
  { name: "plans", path: "/plans" },
  { name: "help", path: "/help", prepare: (page) => page.locator("summary").first().click() },
  { name: "contact", path: "/contact", prepare: (page) => page.getByRole("button", { name: "Send message" }).click() },
  { name: "privacy", path: "/privacy" },
  { name: "terms", path: "/terms" },
  { name: "not-found", path: "/no/such/place" },
];

const BUSY_VISITOR_PAGES: readonly Screenshot[] = [{ name: "home", path: "/" }];
const FREE_USER_PAGES: readonly Screenshot[] = [
  { name: "subscribe", path: "/subscribe" },
  { name: "dashboard-empty", path: "/dashboard" },
];
const PRO_PAGES: readonly Screenshot[] = [
  { name: "home-pro", path: "/", prepare: (page) => page.getByText("Batch", { exact: true }).click() },
  { name: "dashboard", path: "/dashboard" },
  { name: "pro", path: "/pro" },
];

/** Creates completed, failed, processing and waiting jobs. */
async function convertAll(home: Home): Promise<void> {
  const link = async (name: string) => (await home.sampleLink(name)).replace(/\?.*/, "");
  const ended = [await home.convert(await link("three-hours"))];
  for (const [name, format] of [
    ["observatory", "mp4"],
    ["rain", "mp3"],
  ] as const)
    ended.push(await home.convert(await link(name), format));
  for (const job of ended) await expectSoon(home.rowOf(job)).toHaveAttribute("data-status", /completed|failed/);
  const working = await home.convert(await link("slow"));
  await home.convert(`${await link("slow")}?another`, "mp4");
  await expectSoon(home.rows.getByRole("progressbar")).toHaveCount(2);
  await home.convert(await link("lanterns"));
  await expect.poll(() => home.percent(home.rowOf(working)), { timeout: 60_000 }).toBeGreaterThan(20);
}

/** Opens each page once and takes its four screenshots. */
async function takeAll(page: Page, screenshots: readonly Screenshot[], folder: string): Promise<void> {
  for (const { name, path: pagePath, prepare } of screenshots) {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.goto(pagePath);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toBeVisible();
    if (name !== "not-found" && (await heading.textContent())?.startsWith("404")) {
      process.stdout.write(`${name}: page not found\n`);
      continue;
    }
    await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
    await prepare?.(page);
    for (const [screen, viewport] of Object.entries(SCREENS)) {
      await page.setViewportSize(viewport);
      for (const colorScheme of COLORS) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: path.join(folder, `${name}-${screen}-${colorScheme}.png`),
          fullPage: true,
          animations: "disabled",
        });
      }
    }
    process.stdout.write(`${name}\n`);
  }
}

async function takeEverything(newVisitor: () => Promise<BrowserContext>, folder: string): Promise<void> {
  const visitor = await (await newVisitor()).newPage();
  await takeAll(visitor, VISITOR_PAGES, folder);
  const busy = new Home(await (await newVisitor()).newPage());
  await busy.open();
  await convertAll(busy);
  await takeAll(busy.page, BUSY_VISITOR_PAGES, folder);
  const account = await (await newVisitor()).newPage();
  await signIn(account, newUser());
  await takeAll(account, FREE_USER_PAGES, folder);
  const pro = await signInAsPro(await (await newVisitor()).newPage(), newUser("Grace"));
  await convertAll(pro);
  await takeAll(pro.page, PRO_PAGES, folder);
}

const folder = path.resolve(process.argv[2] ?? path.join(REPOSITORY_ROOT, ".data", "screenshots"));
await mkdir(folder, { recursive: true });
const stop = await startServer();
try {
  const { launchOptions } = playwrightConfig.use ?? {};
  await using browser = await chromium.launch(launchOptions);
  await takeEverything(
    () => browser.newContext({ baseURL: serverOrigin(), serviceWorkers: "block", viewport: SCREENS.laptop }),
    folder,
  );
  process.stdout.write(`The screenshots are in ${folder}\n`);
} finally {
  await stop();
}
