/**
 * Takes screenshots of every page and state: `npm run screenshots -- FOLDER`. Uses the real server with real
 * conversions. The default folder is .data/screenshots. On a phone and a laptop, in English, light and dark; with
 * `--all` on four screens and in all languages, more than 1,500 pictures. `--languages en,de`, `--screens phone,small` and
 * `--colors light` take some of them, `--only follow,feed` those whose name has a word.
 */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import type { BrowserContext, Page } from "@playwright/test";
import { REPOSITORY_ROOT } from "../../backend/dev/repository.ts";
import { DEFAULT_LANGUAGE, LANGUAGE_CODES, type Language } from "../../common/languages.ts";
import playwrightConfig from "../playwright.config.ts";
import { Home, expect as expectInTests, goTo, startAppsIn } from "./home.ts";
import { FREE_USER, OPERATOR, PRO, VISITOR, WORKING_VISITOR, fillQueue, type Screenshot } from "./screenshot-states.ts";
import startServer, { nameOperator, serverOrigin } from "./server.ts";
import { newUser, signIn, signInAsPro } from "./users.ts";

const SCREENS = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } } as const;
const ALL_SCREENS = {
  small: { width: 320, height: 640 },
  phone: SCREENS.phone,
  tablet: { width: 820, height: 1180 },
  laptop: SCREENS.laptop,
} as const;
const COLORS = ["light", "dark"] as const;

/** For a busy machine. */
const expect = expectInTests.configure({ timeout: 60_000 });

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean" },
    languages: { type: "string" },
    screens: { type: "string" },
    colors: { type: "string" },
    only: { type: "string", default: "" },
  },
});

/** @param names separated by commas; undefined: the defaults. @throws Error for a name that there is not */
function chosenOf<Name extends string>(
  names: string | undefined,
  all: readonly Name[],
  defaults: readonly Name[],
): readonly Name[] {
  if (names === undefined) return defaults;
  return names.split(",").map((text) => {
    const name = all.find((known) => known === text);
    if (name === undefined) throw new Error(`${text} is none of ${all.join(", ")}`);
    return name;
  });
}

const folder = path.resolve(positionals[0] ?? path.join(REPOSITORY_ROOT, ".data", "screenshots"));
const SCREEN_NAMES = Object.keys(ALL_SCREENS) as (keyof typeof ALL_SCREENS)[];
const screens = chosenOf(values.screens, SCREEN_NAMES, values.all ? SCREEN_NAMES : ["phone", "laptop"]).map(
  (name) => [name, ALL_SCREENS[name]] as const,
);
const languages = chosenOf(values.languages, LANGUAGE_CODES, values.all ? LANGUAGE_CODES : [DEFAULT_LANGUAGE]);
const colors = chosenOf(values.colors, COLORS, COLORS);

const isWanted = ({ name }: Pick<Screenshot, "name">): boolean =>
  values.only.split(",").some((word) => name.includes(word));

/** Opens each page once and takes all its screenshots. */
async function takeAll(page: Page, screenshots: readonly Screenshot[]): Promise<void> {
  const home = new Home(page);
  // Some states stop the clock.
  await page.clock.install();
  for (const { name, path: pagePath, prepare, widestScreen = Infinity, restore } of screenshots) {
    if (!isWanted({ name })) continue;
    await page.setViewportSize(SCREENS.laptop);
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await page.clock.resume();
    await goTo(page, pagePath);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toBeVisible();
    if (name !== "not-found" && (await heading.textContent())?.startsWith("404"))
      throw new Error(`${name}: page not found`);
    await expect(page.locator("[data-phase=loading]")).toHaveCount(0);
    await expect(page.getByRole("status", { name: /^Loading/ })).toHaveCount(0);
    await prepare?.(home);
    for (const language of languages) {
      if (languages.length > 1) await showIn(page, language);
      for (const [screen, viewport] of screens)
        if (viewport.width <= widestScreen) {
          await page.setViewportSize(viewport);
          await take(page, `${name}-${screen}${languages.length > 1 ? `-${language}` : ""}`);
        }
    }
    if (languages.length > 1) await showIn(page, DEFAULT_LANGUAGE);
    await restore?.(page);
    process.stdout.write(`${name}\n`);
  }
}

async function showIn(page: Page, language: Language): Promise<void> {
  await page.locator("select[name=language]").selectOption(language);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
}

async function take(page: Page, name: string): Promise<void> {
  for (const colorScheme of colors) {
    await page.emulateMedia({ colorScheme });
    const file = path.join(folder, `${name}-${colorScheme}.png`);
    await page.screenshot({ path: file, fullPage: true, animations: "disabled" });
  }
}

async function takeEverything(newVisitor: () => Promise<BrowserContext>): Promise<void> {
  const newPage = async () => (await newVisitor()).newPage();
  if (VISITOR.some(isWanted)) await takeAll(await newPage(), VISITOR);
  if (WORKING_VISITOR.some(isWanted)) {
    const busy = new Home(await newPage());
    await busy.open();
    await fillQueue(busy);
    await takeAll(busy.page, WORKING_VISITOR);
  }
  if (FREE_USER.some(isWanted)) {
    const account = await newPage();
    await signIn(account, newUser());
    await takeAll(account, FREE_USER);
  }
  if (PRO.some(isWanted)) {
    const pro = await signInAsPro(await newPage(), newUser("Grace"));
    await fillQueue(pro);
    await takeAll(pro.page, PRO);
  }
  // After the others, whose jobs it shows.
  if (OPERATOR.some(isWanted)) {
    const operator = await newPage();
    const alan = newUser("Alan");
    await signIn(operator, alan);
    await nameOperator(alan.email);
    await takeAll(operator, OPERATOR);
  }
}

await mkdir(folder, { recursive: true });
const stop = await startServer();
try {
  const { launchOptions } = playwrightConfig.use ?? {};
  await using browser = await chromium.launch(launchOptions);
  await takeEverything(async () => {
    const context = await browser.newContext({
      baseURL: serverOrigin(),
      serviceWorkers: "block",
      viewport: SCREENS.laptop,
    });
    await startAppsIn(context);
    return context;
  });
  process.stdout.write(`The screenshots are in ${folder}\n`);
} finally {
  await stop();
}
