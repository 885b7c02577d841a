/** A page before the visitor uses it: it costs only what it shows, and loses nothing of what the visitor does. */
import type { BrowserContext, Page } from "@playwright/test";
import { LANGUAGE_COOKIE } from "../../common/languages.ts";
import { de } from "../src/texts/de.ts";
import { NOT_LOADED } from "../src/texts/not-loaded.ts";
import { violationsOf } from "./axe.ts";
import { expect, Home, test, waitUntilLive, seenText } from "./home.ts";
import { serverOrigin } from "./server.ts";
import { newUser, signIn } from "./users.ts";

test.use({ startsApp: false });

const LINK = "https://youtu.be/aqz-KE-bpKQ";
const OTHER = "https://youtu.be/dQw4w9WgXcQ";

const live = (page: Page) => page.locator("html[data-live]");

/** Resolves when the page has nothing left to do before its first use. */
const untilIdle = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve))));

/** Whether one of the app's scripts has run, or is about to. */
const hasAppStarted = (page: Page) => page.evaluate(() => document.querySelector("link[rel=modulepreload]") !== null);

/** Holds back the scripts of a page, as a slow line does. @returns a function that lets them pass */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Opens a page whose scripts are held back, and waits for its first paint. @returns a function that lets them pass */
async function openPainted(page: Page, path = "/"): Promise<() => void> {
  const release = await holdScripts(page);
  await page.goto(path, { waitUntil: "commit" });
  // The script in the page, which keeps what the visitor does, is at its end.
  await page.waitForFunction(
    () => document.readyState !== "loading" && performance.getEntriesByName("first-contentful-paint").length > 0,
  );
  return release;
}

async function copy(page: Page, context: BrowserContext, text: string): Promise<void> {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
}

/** Counts the conversions that the page requests. */
function countConversions(page: Page): { readonly count: number } {
  const requested = { count: 0 };
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/conversions")) requested.count += 1;
  });
  return requested;
}

test.describe("a first visit", () => {
  for (const path of ["/", "/help"])
    test(`of ${path} fetches the scripts when the page is shown, and runs none of them before the first use`, async ({
      page,
    }) => {
      const requests: string[] = [];
      page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      const fetched = page.waitForResponse(/\/assets\/react-[^/]*\.js$/);
      await page.goto(path);
      await fetched;
      await untilIdle(page);
      expect(await hasAppStarted(page)).toBe(false);
      expect(requests.filter((request) => request.startsWith("/api/"))).toEqual([]);
      expect(await page.evaluate(() => navigator.serviceWorker.getRegistration())).toBeUndefined();
      const scripts = requests.filter((request) => request.endsWith(".js"));
      // A script that is still on its way would be fetched twice.
      await page.waitForFunction(
        (count) => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).length >= count,
        scripts.length,
      );
      const [shownMs = NaN, fetchedMs] = await page.evaluate(() => [
        performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
        performance.getEntriesByType("resource").find(({ name }) => name.endsWith(".js"))?.startTime,
      ]);
      expect(fetchedMs).toBeGreaterThan(shownMs);
      // From the cache: a script is requested once.
      await page.mouse.move(100, 100);
      await expect(live(page)).toBeAttached();
      const names = await page.evaluate(() =>
        performance
          .getEntriesByType("resource")
          .filter((entry): entry is PerformanceResourceTiming => "transferSize" in entry && entry.name.endsWith(".js"))
          .filter(({ transferSize }) => transferSize > 0)
          .map(({ name }) => new URL(name).pathname),
      );
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
      expect(scripts.length).toBeGreaterThan(5);
    });

  test("fetches no scripts ahead for a visitor who saves data", async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "connection", { value: { saveData: true } });
    });
    const scripts: string[] = [];
    page.on("request", (request) => request.resourceType() !== "document" && scripts.push(request.url()));
    await page.goto("/");
    await untilIdle(page);
    expect(scripts.filter((url) => url.endsWith(".js"))).toEqual([]);
    await page.keyboard.press("Tab");
    await expect(live(page)).toBeAttached();
  });

  test("shows the whole page, its address for search engines, and the chosen colours", async ({ page }) => {
    await page.goto("/");
    await page.evaluate(() => localStorage.setItem("tapedeck.scheme", "dark"));
    await page.reload();
    await expect(page.getByText("Nothing here yet")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Pricing" })).toBeVisible();
    await expect(page.getByRole("contentinfo").getByRole("link", { name: "Help" })).toBeVisible();
    await expect(page.getByRole("complementary", { name: /Advertisement/ })).toHaveCount(3);
    await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", `${serverOrigin()}/`);
    await expect(page.getByLabel("Loading your conversions")).toBeHidden();
    expect(await hasAppStarted(page)).toBe(false);
    await waitUntilLive(page);
    await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  });
});

test.describe("starts the app at once", () => {
  test.use({ reducedMotion: "no-preference" });

  test("for a visitor with jobs, whose queue is not shown as empty", async ({ page }) => {
    const home = new Home(page);
    await home.open();
    const job = await home.convert(await home.sampleLink("rain"));
    await expect(home.rowOf(job)).toBeVisible();
    const release = await openPainted(page);
    await expect(page.getByLabel("Loading your conversions")).toBeVisible();
    await expect(page.getByText("Nothing here yet")).toBeHidden();
    await expect(page.getByRole("contentinfo")).toBeHidden();
    release();
    await expect(home.rowOf(job)).toBeVisible();
    await expect(page.getByRole("contentinfo")).toBeVisible();
    await home.expectNoLayoutShift();
  });

  test("when another window gets the first job", async ({ page, context }) => {
    await page.goto("/");
    await untilIdle(page);
    expect(await hasAppStarted(page)).toBe(false);
    const other = new Home(await context.newPage());
    await other.open();
    const job = await other.convert(await other.sampleLink("rain"));
    await expect(page.locator(`[data-job="${job.id}"]`)).toBeVisible();
  });

  test("for a signed-in visitor", async ({ page }) => {
    const ada = newUser();
    await signIn(page, ada);
    await page.goto("/");
    await expect(page.getByText(`Free User · ${ada.firstName}`)).toBeVisible();
  });

  test("for a request that was made offline", async ({ page }) => {
    const home = new Home(page);
    await page.goto("/");
    const entry = {
      key: "kept",
      kind: "convert",
      youtubeUrl: await home.sampleLink("rain"),
      format: "mp3",
      madeAtMs: Date.now(),
      madeBy: null,
      isKept: true,
    };
    await page.evaluate((text) => localStorage.setItem("tapedeck.requests", text), JSON.stringify([entry]));
    await page.reload();
    await expect(home.rows).toHaveCount(1);
  });

  test("for a payment that the server has not confirmed yet, a query, and a page that is not prerendered", async ({
    page,
  }) => {
    await page.goto("/help");
    await page.evaluate(() => sessionStorage.setItem("tapedeck.activation-began-at", String(Date.now())));
    await page.reload();
    await expect(live(page)).toBeAttached();
    await page.evaluate(() => sessionStorage.clear());
    for (const path of ["/?logged_out=true", "/dashboard"]) {
      await page.goto(path);
      await expect(live(page)).toBeAttached();
    }
  });

  test("for a language that was chosen on another page", async ({ page, context }) => {
    await page.route("/help", async (route) => {
      // As from the browser's cache.
      const answer = await route.fetch({ headers: { ...route.request().headers(), cookie: "" } });
      await route.fulfill({ response: answer });
    });
    await context.addCookies([{ name: LANGUAGE_COOKIE, value: "de", url: serverOrigin() }]);
    await page.goto("/help");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(de.footer.help);
  });
});

test.describe("keeps until the app runs", () => {
  test("a typed link, its format and Enter, pressed twice: one conversion", async ({ page }) => {
    const home = new Home(page);
    const conversions = countConversions(page);
    const link = await home.sampleLink("tide");
    const release = await openPainted(page);
    await page.getByText("MP4", { exact: true }).click();
    await home.field.click();
    await page.keyboard.insertText(link);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    // No script has arrived yet.
    const submit = page.locator("#converter [type=submit]");
    await expect(submit).toHaveAttribute("aria-busy", "true");
    expect(await submit.evaluate((button) => getComputedStyle(button, "::after").content)).toBe('"Starting…"');
    await expect(home.field).toHaveValue(link);
    release();
    await expect(home.rows).toHaveCount(1);
    await expect(home.rows).toContainText("MP4");
    await expect(home.field).toHaveValue("");
    await expect(page).toHaveURL("/");
    await expect(home.row("The tide comes in at dusk")).toHaveAttribute("data-status", "completed");
    expect(conversions.count).toBe(1);
    await expect(page.getByRole("button", { name: "Convert" })).toHaveAttribute("aria-busy", "false");
  });

  test("a typed link and Enter while React begins, and leaves its work in slices", async ({ page }) => {
    const home = new Home(page);
    await page.addInitScript(() => {
      function pressAll(): void {
        const field = document.querySelector<HTMLInputElement>("input[name=link]");
        field?.focus();
        document.execCommand("insertText", false, "https://youtu.be/aqz-KE-bpKQ");
        for (const type of ["keydown", "keypress"])
          field?.dispatchEvent(new KeyboardEvent(type, { key: "Enter", bubbles: true }));
        field?.dispatchEvent(new Event("change", { bubbles: true }));
        const submit = field?.form?.querySelector<HTMLElement>("[type=submit]");
        for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup"])
          submit?.dispatchEvent(new PointerEvent(type, { bubbles: true }));
        submit?.click();
        const isWaiting = document.documentElement.dataset["live"] === undefined;
        document.body.dataset["pressed"] = `${submit?.ariaBusy}, ${isWaiting ? "in slices" : "at once"}`;
      }
      // React listens at the root right before it schedules its work.
      document.addEventListener("DOMContentLoaded", () => {
        const root = document.getElementById("root");
        if (!root) throw new Error("the page has no root");
        const listen = root.addEventListener.bind(root);
        root.addEventListener = (...args: Parameters<typeof listen>) => {
          listen(...args);
          if (args[0] !== "keydown") return;
          root.addEventListener = listen;
          queueMicrotask(pressAll);
        };
      });
    });
    await page.route("**/api/conversions", (route) => route.abort());
    await page.goto("/");
    const sent = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/api/conversions"),
    );
    await page.mouse.move(100, 100);
    await expect(page.locator("body")).toHaveAttribute("data-pressed", "true, in slices");
    expect((await sent).postDataJSON()).toMatchObject({ youtubeUrl: "https://youtu.be/aqz-KE-bpKQ" });
    await expect(home.field).toHaveValue("");
  });

  test("a click on Convert, and what a wrong link is told", async ({ page }) => {
    const home = new Home(page);
    const conversions = countConversions(page);
    const release = await openPainted(page);
    await page.getByRole("button", { name: "Convert" }).click();
    release();
    await home.expectToastShown("Please enter a YouTube URL");
    await expect(page.locator("#converter")).toContainText("Please enter a YouTube URL");
    expect(conversions.count).toBe(0);
  });

  test("a link that is pasted anywhere, and the first of several in the field", async ({ page, context }) => {
    const home = new Home(page);
    const release = await openPainted(page);
    await copy(page, context, `Watch this: ${LINK}`);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("ControlOrMeta+V");
    release();
    await expect(home.field).toHaveValue(LINK);
    await expect(home.field).toBeFocused();

    const releaseAgain = await openPainted(page);
    await copy(page, context, `${LINK}\n${OTHER}`);
    await home.field.focus();
    await page.keyboard.press("ControlOrMeta+V");
    releaseAgain();
    await expect(seenText(page, "The first of 2 links is in the field.")).toBeVisible();
    await expect(home.field).toHaveValue(LINK);
  });

  test("a press on Paste, with what the clipboard holds then", async ({ page, context }) => {
    const home = new Home(page);
    const release = await openPainted(page);
    await copy(page, context, LINK);
    await page.getByRole("button", { name: "Paste" }).click();
    await copy(page, context, OTHER);
    release();
    await expect(home.field).toHaveValue(LINK);
    await expect(home.field).toBeFocused();

    const releaseAgain = await openPainted(page);
    await copy(page, context, "no link in here");
    await page.getByRole("button", { name: "Paste" }).click();
    releaseAgain();
    await home.expectToastShown("Nothing Pasted");
  });

  test("a link that is dropped onto the page", async ({ page }) => {
    const home = new Home(page);
    const release = await openPainted(page);
    const dataTransfer = await page.evaluateHandle((link) => {
      const transfer = new DataTransfer();
      transfer.setData("text/uri-list", link);
      return transfer;
    }, LINK);
    for (const type of ["dragenter", "dragover", "drop"]) await page.dispatchEvent("main", type, { dataTransfer });
    release();
    await expect(home.field).toHaveValue(LINK);
  });

  test("the browser's offer to install the app", async ({ page }) => {
    const release = await openPainted(page);
    await page.evaluate(() => {
      const prompt = () => Promise.resolve((document.body.dataset["prompted"] = "yes"));
      window.dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt }));
    });
    release();
    await waitUntilLive(page);
    await page.getByRole("button", { name: "Install app" }).click();
    await expect(page.locator("body")).toHaveAttribute("data-prompted", "yes");
  });

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true });

    test("a tap on the menu, and a second one by an impatient visitor", async ({ page }) => {
      const release = await openPainted(page);
      const menu = page.getByRole("button", { name: "Menu" });
      await menu.tap();
      await menu.tap();
      await expect(menu).toHaveAttribute("aria-busy", "true");
      release();
      await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
      await expect(menu).not.toHaveAttribute("aria-busy");
    });
  });
});

test("the keyboard alone starts the app and opens the menu, which works without a wait afterwards", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 });
  const release = await openPainted(page);
  const menu = page.getByRole("button", { name: "Menu" });
  for (let presses = 0; presses < 12; presses += 1) {
    if (await menu.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press("Tab");
  }
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  release();
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
  await expect(menu).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeHidden();
});

test("links, sections, colours and language work before the app runs", async ({ page }) => {
  await openPainted(page);
  await page.getByRole("banner").getByRole("link", { name: "Pricing" }).click();
  await expect(page).toHaveURL("/#pricing");
  await expect(page.getByRole("heading", { name: "Pricing" })).toBeInViewport();
  await page.getByRole("contentinfo").locator("[data-tip=Dark]").click();
  await expect(page.locator("html")).toHaveCSS("background-color", "rgb(19, 18, 16)");
  await page.getByRole("contentinfo").getByRole("combobox").selectOption("de");
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(de.footer.help);
  await expect(live(page)).toHaveCount(0);
});

test.describe("a script that cannot be loaded", () => {
  const note = (page: Page) => page.getByRole("alert").filter({ hasText: NOT_LOADED.en.title });

  test("is told, and the page comes back with the typed link and the format when the network does", async ({
    page,
    context,
  }) => {
    const home = new Home(page);
    const link = await home.sampleLink("rain");
    await page.goto("/");
    await context.setOffline(true);
    // What was fetched ahead is lost.
    await page.route("**/assets/*.js", (route) => route.abort("internetdisconnected"));
    await page.getByText("MP4", { exact: true }).click();
    await home.field.fill(link);
    await expect(note(page)).toBeVisible();
    await page.unrouteAll();
    // The network is said to be back a moment before it is.
    await page.route("**/assets/*.js", (route) => route.abort("internetdisconnected"), { times: 1 });
    await context.setOffline(false);
    await expect(live(page)).toBeAttached();
    await expect(home.field).toHaveValue(link);
    await expect(page.getByRole("radio", { name: "MP4" })).toBeChecked();
    await expect(page).toHaveURL("/");
    await expect(note(page)).toBeHidden();
    await expect(home.rows).toHaveCount(0);
  });

  /** Lets the scripts of the first opened page fail once the returned function is called. */
  async function failScriptsOnce(page: Page): Promise<{ readonly opened: () => number; readonly fail: () => void }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let opened = 0;
    page.on("request", (request) => void (request.isNavigationRequest() && (opened += 1)));
    await page.route("**/assets/*.js", async (route) => {
      if (opened > 1) return route.fallback();
      await promise;
      return route.fulfill({ status: 404 });
    });
    return { opened: () => opened, fail: resolve };
  }

  test("of an old build: the new page does what was submitted, once", async ({ page }) => {
    const home = new Home(page);
    const link = await home.sampleLink("rain");
    const scripts = await failScriptsOnce(page);
    await page.goto("/", { waitUntil: "commit" });
    await home.field.fill(link);
    await home.field.press("Enter");
    scripts.fail();
    await expect(home.rows).toHaveCount(1);
    await expect(home.row("Rain on a tin roof")).toHaveAttribute("data-status", "completed");
    await expect(page).toHaveURL("/");
    expect(scripts.opened()).toBe(2);
  });

  test("of an old build: what is submitted while the new page is on its way is done once", async ({ page }) => {
    const home = new Home(page);
    const link = await home.sampleLink("rain");
    const scripts = await failScriptsOnce(page);
    await page.goto("/", { waitUntil: "commit" });
    const reopening = page.waitForRequest(
      (request) => request.isNavigationRequest() && request.url().includes("text="),
    );
    await page.route(/[?]text=/, () => new Promise(() => undefined));
    await home.field.fill(link);
    scripts.fail();
    await reopening;
    // A locator would wait for the new page.
    await page.keyboard.press("Enter");
    await expect(home.rows).toHaveCount(1);
    await expect(home.row("Rain on a tin roof")).toHaveAttribute("data-status", "completed");
    await expect(page).toHaveURL("/");
  });

  test("in the new build too is told without a reload loop", async ({ page }) => {
    let opened = 0;
    let loaded = 0;
    page.on("request", (request) => void (request.isNavigationRequest() && (opened += 1)));
    page.on("domcontentloaded", () => void (loaded += 1));
    await page.route("**/assets/*.js", (route) => route.fulfill({ status: 404 }));
    await page.goto("/?from=elsewhere");
    // The first page says it too, until the second one has come.
    await expect.poll(() => loaded).toBe(2);
    await expect(note(page)).toBeVisible();
    await untilIdle(page);
    expect(opened).toBe(2);
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await page.unrouteAll();
    await page.keyboard.press("a");
    await expect(live(page)).toBeAttached();
  });
});
