/** The page before its scripts have run, and its hydration. */
import { expect, test, type Page } from "@playwright/test";
import { directionOf, LANGUAGE_CODES, LANGUAGE_COOKIE, type Language } from "../../common/languages.ts";
import { ar } from "../src/texts/ar.ts";
import { de } from "../src/texts/de.ts";
import { en } from "../src/texts/en.ts";
import { es } from "../src/texts/es.ts";
import { hi } from "../src/texts/hi.ts";
import { emptyQueue, isCausedByTests, waitUntilLive } from "./home.ts";
import { changeTier, serverOrigin } from "./server.ts";
import { newUser, signIn } from "./users.ts";

const CATALOGUES = { en, de, es, hi, ar };

// A blocked service worker would log an error to the console.
test.use({ serviceWorkers: "allow" });

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the styled home page", async ({ page }) => {
    await page.goto(`${serverOrigin()}/`);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toContainText("Paste a link.");
    await expect(page.getByLabel("Video link")).toBeVisible();
    expect(await heading.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThan(
      30,
    );
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(250, 248, 243)");
  });
});

const choose = (page: Page, language: Language) =>
  page.context().addCookies([{ name: LANGUAGE_COOKIE, value: language, url: serverOrigin() }]);

/** Marks the heading and the field of a page as they are before hydration. */
const markPrerendered = (page: Page) =>
  page.addInitScript(() =>
    document.addEventListener("DOMContentLoaded", () => {
      for (const element of document.querySelectorAll("h1, input[name=link]"))
        element.setAttribute("data-prerendered", "");
    }),
  );

/** @returns what the page logs from now on: all of it, or only errors and warnings */
function collectMessages(page: Page, types?: readonly string[]): string[] {
  const messages: string[] = [];
  page.on("console", (message) => {
    if (isCausedByTests(message.text())) return;
    if (types?.includes(message.type()) ?? true) messages.push(message.text());
  });
  page.on("pageerror", (error) => messages.push(error.message));
  return messages;
}

/** Holds back the scripts of all pages. @returns a function that lets them and all later ones pass */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test("hydration does not change the prerendered page", async ({ page }) => {
  const messages = collectMessages(page);
  await markPrerendered(page);
  await page.goto(`${serverOrigin()}/`);
  await waitUntilLive(page);
  await expect(emptyQueue(page)).toBeVisible();
  await expect(page.locator("h1")).toHaveAttribute("data-prerendered", "");
  await expect(page.getByLabel("Video link")).toHaveAttribute("data-prerendered", "");
  expect(messages).toEqual([]);
});

test.describe("in every language", () => {
  // Held scripts must not come from the service worker's cache.
  test.use({ serviceWorkers: "block", locale: "es-MX" });

  test("the home page is painted before its scripts arrive, and hydration does not change it", async ({ page }) => {
    const messages = collectMessages(page);
    await markPrerendered(page);
    for (const language of LANGUAGE_CODES)
      await test.step(language, async () => {
        // Spanish by the browser's languages, the others by the visitor's choice.
        await page.context().clearCookies({ name: LANGUAGE_COOKIE });
        if (language !== "es") await choose(page, language);
        const release = await holdScripts(page);
        await page.goto(`${serverOrigin()}/`, { waitUntil: "commit" });
        await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
        const { home, queue } = CATALOGUES[language];
        await expect(page.locator("h1")).toHaveText(`${home.title.first} ${home.title.second}`, {
          useInnerText: true,
        });
        await expect(page.locator("html")).toHaveAttribute("lang", language);
        await expect(page.locator("html")).toHaveAttribute("dir", directionOf(language));
        release();
        await waitUntilLive(page);
        await expect(emptyQueue(page, queue.empty.title)).toBeVisible();
        await expect(page.locator("h1")).toHaveAttribute("data-prerendered", "");
        await expect(page.locator("input[name=link]")).toHaveAttribute("data-prerendered", "");
        await page.unrouteAll();
      });
    expect(messages).toEqual([]);
  });
});

/** Marks what is visible of these elements. @returns their texts and their places in the window */
const markPlaces = (page: Page, selector: string) =>
  page.evaluate((selected) => {
    const shown = [...document.querySelectorAll(selected)].filter((element) =>
      element.checkVisibility({ visibilityProperty: true }),
    );
    return shown.map((element, index) => {
      element.setAttribute("data-place-before", String(index));
      const { x, y, width, height } = element.getBoundingClientRect();
      return { text: (element.textContent || element.tagName).slice(0, 30), place: [x, y, width, height] };
    });
  }, selector);

/** @returns the places of the same elements now */
const placesOfMarked = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[data-place-before]")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    }),
  );

test.describe("for a signed-in user", () => {
  // Held scripts must not come from the service worker's cache.
  test.use({ serviceWorkers: "block" });
  const PLACES =
    "header a[href='/'], header a[href='/dashboard'], header a[href='/plans'], header a[href='/api/logout'], " +
    "header button, h1, #converter, #converter fieldset, [role=radiogroup], input[name=link], " +
    "#converter [type=submit], aside, section h2, [data-phase]";

  for (const tier of ["free", "pro"] as const)
    test(`the page is right for the plan before its scripts arrive, and nothing moves then: ${tier}`, async ({
      page,
    }) => {
      const ada = newUser();
      await signIn(page, ada);
      if (tier === "pro") await changeTier(ada.email, "pro");
      const messages = collectMessages(page, ["error", "warning"]);
      for (const [width, language] of [
        [390, "de"],
        [1280, "en"],
      ] as const)
        await test.step(`${width} px, ${language}`, async () => {
          await page.setViewportSize({ width, height: 800 });
          await choose(page, language);
          const release = await holdScripts(page);
          await page.goto(`${serverOrigin()}/`, { waitUntil: "commit" });
          await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0);
          await page.locator("[data-phase]").waitFor();
          const { ads, home, nav, queue } = CATALOGUES[language];
          await expect(page.locator("h1")).toContainText(home.title.first);
          await expect(page.getByRole("link", { name: nav.login }).locator("visible=true")).toHaveCount(0);
          await expect(page.getByText(queue.empty.title)).toHaveCount(0);
          await expect(page.getByRole("complementary")).toHaveCount(tier === "pro" ? 0 : 1);
          if (tier === "free") await expect(page.getByRole("complementary")).toHaveAccessibleName(ads.names.header);
          await page.evaluate(() => document.fonts.ready.then(() => undefined));
          const before = await markPlaces(page, PLACES);
          expect(before.length).toBeGreaterThan(7);
          release();
          await waitUntilLive(page);
          await expect(emptyQueue(page, queue.empty.title)).toBeVisible();
          expect(await placesOfMarked(page)).toEqual(before.map(({ place }) => place));
          await page.unrouteAll();
        });
      expect(messages).toEqual([]);
    });

  test("each page is prerendered, and hydration does not change it", async ({ page }) => {
    const ada = newUser();
    await signIn(page, ada);
    await changeTier(ada.email, "pro");
    const messages = collectMessages(page, ["error", "warning"]);
    await page.addInitScript(() =>
      document.addEventListener("DOMContentLoaded", () =>
        document.querySelector("header")?.setAttribute("data-prerendered", ""),
      ),
    );
    for (const [path, language] of [
      ["/plans", "de"],
      ["/subscribe", "es"],
      ["/help", "ar"],
      ["/api", "hi"],
      ["/contact", "de"],
      ["/privacy", "es"],
      ["/terms", "ar"],
      ["/dashboard", "hi"],
      ["/pro", "en"],
      ["/no/such/place", "de"],
    ] as const) {
      await choose(page, language);
      await page.goto(`${serverOrigin()}${path}`);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await waitUntilLive(page);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      // A page that loads the account shows another one afterwards.
      if (!["/subscribe", "/dashboard", "/pro"].includes(path))
        await expect(page.locator("header")).toHaveAttribute("data-prerendered", "");
    }
    expect(messages.filter((message) => !message.includes("status of 404"))).toEqual([]);
  });
});

const PLANS_TITLES = { en: "Plans", de: "Tarife", es: "Planes", hi: "प्लान", ar: "الخطط" };

/** Checks the title of a prerendered page, which is its heading where no other is named. */
function expectTitle(html: string, language: Language, title: "API" | "plans" | "subscribe" | null): void {
  const heading = /<h1[^>]*>([^<]+)</.exec(html)?.[1];
  const named = { API: "API", plans: PLANS_TITLES[language], subscribe: CATALOGUES[language].nav.upgrade };
  const expected = title === null ? heading : named[title];
  expect(html).toContain(`<title>${expected} · Tapedeck</title>`);
}

/** Each page with its heading in English, and another language in which its hydration is checked too. */
const PRERENDERED_PAGES = [
  ["/plans", "plans", "Choose your plan.", "hi"],
  ["/help", null, "Help", "ar"],
  ["/speed", null, "How long it takes", "hi"],
  ["/contact", null, "Contact", "de"],
  ["/privacy", null, "Privacy", "de"],
  ["/terms", null, "Terms", "es"],
] as const;
for (const [path, title, heading, other] of PRERENDERED_PAGES) {
  test(`${path} is prerendered with its metadata, and hydration does not change it`, async ({ page, request }) => {
    const descriptions = new Set<string>();
    for (const language of LANGUAGE_CODES) {
      const headers = { cookie: `${LANGUAGE_COOKIE}=${language}` };
      const html = await (await request.get(`${serverOrigin()}${path}`, { headers })).text();
      expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}"`);
      expectTitle(html, language, title);
      descriptions.add(/<meta name="description" content="([^"]{20,})"/.exec(html)?.[1] ?? "");
    }
    expect([descriptions.size, descriptions.has("")]).toEqual([LANGUAGE_CODES.length, false]);

    // Only errors and warnings: the browser logs a hint about the form's password field.
    const messages = collectMessages(page, ["error", "warning"]);
    await markPrerendered(page);
    for (const language of ["en", other] as const) {
      await choose(page, language);
      // This request shows that the script runs.
      const configured = page.waitForResponse((answer) => answer.url().endsWith("/api/config"));
      await page.goto(`${serverOrigin()}${path}`);
      if (language === "en") await expect(page.locator("h1")).toContainText(heading);
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await waitUntilLive(page);
      await configured;
      await expect(page.locator("h1")).toHaveAttribute("data-prerendered", "");
    }
    expect(messages).toEqual([]);
  });
}

test("/login, /subscribe, /api and unknown paths are prerendered, with what is right for them", async ({
  page,
  request,
}) => {
  const PAGES = [
    ["/login", null, 200, null],
    ["/subscribe?plan=monthly", "subscribe", 200, "noindex"],
    ["/api", "API", 200, null],
    ["/no/such/place", null, 404, "noindex"],
  ] as const;
  for (const [path, title, status, robots] of PAGES)
    for (const language of LANGUAGE_CODES) {
      const headers = { cookie: `${LANGUAGE_COOKIE}=${language}` };
      const answer = await request.get(`${serverOrigin()}${path}`, { headers });
      const html = await answer.text();
      expect([answer.status(), /<meta name="robots" content="([^"]*)"/.exec(html)?.[1] ?? null]).toEqual([
        status,
        robots,
      ]);
      expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}"`);
      expectTitle(html, language, title);
      expect(html).toMatch(/<div id="root">.*<header/);
    }
  // The browser logs the status of an unknown path.
  const messages = collectMessages(page, ["error", "warning"]);
  await markPrerendered(page);
  for (const [path, language] of [
    ["/login", "ar"],
    ["/login?error=expired", "de"],
    ["/api", "hi"],
    ["/no/such/place", "es"],
  ] as const) {
    await choose(page, language);
    await page.goto(`${serverOrigin()}${path}`);
    await waitUntilLive(page);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    // The viewer of the API has a title of its own.
    await expect(page.locator("h1").first()).toHaveAttribute("data-prerendered", "");
    if (path.endsWith("expired")) await expect(page.getByRole("alert")).toBeVisible();
  }
  expect(messages.filter((message) => !message.includes("status of 404"))).toEqual([]);
  // It waits for the app, which opens the sign-in, without any use of the page.
  await page.goto(`${serverOrigin()}/subscribe`);
  await expect(page).toHaveURL(/\/login$/);
});

test.describe("a choice made before hydration", () => {
  test.use({ colorScheme: "light", serviceWorkers: "block" });

  test("holds on the next page, on which it is hydrated, and after it", async ({ page }) => {
    const messages = collectMessages(page);
    const release = await holdScripts(page);
    await page.goto(`${serverOrigin()}/help`, { waitUntil: "domcontentloaded" });
    // By a key, because fonts that come late may move the button away from the pointer.
    await page.locator("footer input[value=dark]").press("Space");
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(19, 18, 16)");
    await page.locator("footer select").selectOption("de");
    // The scripts never arrive on this page.
    await page.goto(`${serverOrigin()}/terms`, { waitUntil: "domcontentloaded" });
    await expect(page.locator("h1")).toHaveText("Nutzungsbedingungen");
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(19, 18, 16)");
    await page.locator("footer input[value=light]").press("Space");
    await page.locator("footer select").selectOption("es");
    release();
    await expect(page.locator("h1")).toHaveText("Condiciones del servicio");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    await expect(page.locator("footer select")).toHaveValue("es");
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(250, 248, 243)");
    await expect(page.getByRole("radio", { name: es.footer.colors.light })).toBeChecked();
    await page.reload();
    await expect(page.locator("html")).toHaveCSS("background-color", "rgb(250, 248, 243)");
    await expect(page.locator("h1")).toHaveText("Condiciones del servicio");
    expect(messages).toEqual([]);
  });
});

test("a language that an earlier build has stored is shown, and is in the cookie from then on", async ({ page }) => {
  await page.goto(`${serverOrigin()}/manifest.webmanifest`);
  await page.evaluate(() => localStorage.setItem("tapedeck.language", "de"));
  await page.goto(`${serverOrigin()}/help`);
  await expect(page.locator("h1")).toHaveText("Hilfe");
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === LANGUAGE_COOKIE)).toMatchObject({ value: "de", sameSite: "Lax" });
  expect(await page.evaluate(() => localStorage.getItem("tapedeck.language"))).toBeNull();
});
