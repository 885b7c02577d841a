/** Links that arrive outside of the field: pasted anywhere, dropped, shared, several at once. */
import type { BrowserContext, Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { emptyQueue, expect, goTo, Home, test, waitUntilLive } from "./home.ts";

const LINK = "https://youtu.be/aqz-KE-bpKQ";
const stage = (page: Page) => page.getByRole("group", { name: "Preview" });

/** Copies a text and pastes it by keyboard at the current focus. */
async function paste(page: Page, context: BrowserContext, text: string): Promise<void> {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press("ControlOrMeta+V");
}

/** Dispatches the events of a drag from another window. */
async function drag(
  page: Page,
  event: "dragenter" | "dragover" | "drop" | "dragleave",
  data: Record<string, string>,
  target = "body",
): Promise<void> {
  const dataTransfer = await page.evaluateHandle((parts) => {
    const transfer = new DataTransfer();
    for (const [type, text] of Object.entries(parts)) transfer.setData(type, text);
    return transfer;
  }, data);
  await page.dispatchEvent(target, event, { dataTransfer });
}

test("a link pasted anywhere fills the field, and Enter starts it", async ({ page, home, context }) => {
  const link = await home.sampleLink("rain");
  await page.getByRole("heading", { level: 1 }).click();
  await paste(page, context, `Watch this: ${link}`);
  await expect(home.field).toHaveValue(link);
  await expect(home.field).toBeFocused();
  await expect(stage(page)).toContainText("Rain on a tin roof");
  await page.keyboard.press("Enter");
  await expect(home.row("Rain on a tin roof")).toHaveAttribute("data-status", "completed");
});

test("takes a paste on a button or the format, but no text without a link and not into another field", async ({
  page,
  home,
  context,
}) => {
  await page.getByRole("radio", { name: "MP4" }).focus();
  await paste(page, context, LINK);
  await expect(home.field).toHaveValue(LINK);
  await home.field.blur();
  await paste(page, context, "nothing to see\nhere");
  await expect(home.field).toHaveValue(LINK);
  await page.goto("/contact");
  await page.getByLabel("First name").focus();
  await paste(page, context, LINK);
  await expect(page.getByLabel("First name")).toHaveValue(LINK);
});

test("accepts a dropped link or text anywhere on the page, and ignores the page's own links", async ({
  page,
  home,
}) => {
  const area = page.locator("[data-drop-area]");
  await drag(page, "dragenter", { "text/uri-list": `# a remark\n${LINK}` });
  await expect(area).toHaveText("Drop the link here");
  await drag(page, "dragleave", {}, "[data-drop-area]");
  await expect(area).toHaveCount(0);
  await drag(page, "dragenter", { "text/uri-list": LINK });
  await drag(page, "drop", { "text/uri-list": `# a remark\n${LINK}` }, "[data-drop-area]");
  await expect(area).toHaveCount(0);
  await expect(home.field).toHaveValue(LINK);
  await expect(home.field).toBeFocused();

  // A real drag, of the page's own link.
  await page.getByRole("link", { name: "Pricing" }).first().hover();
  await page.mouse.down();
  await page.mouse.move(600, 500, { steps: 5 });
  await expect(page.locator("[data-drop-area]")).toHaveCount(0);
  await page.mouse.up();
  await home.field.fill("");
  await drag(page, "dragenter", { "text/plain": `see ${LINK}.` });
  await drag(page, "drop", { "text/plain": `see ${LINK}.` }, "[data-drop-area]");
  await expect(home.field).toHaveValue(LINK);
});

test("a link shared by another app fills the field once", async ({ page, home }) => {
  await page.goto(
    `/?title=${encodeURIComponent("A fine video")}&text=${encodeURIComponent(`Look: ${LINK}`)}&plan=kept`,
  );
  await expect(home.field).toHaveValue(LINK);
  await expect(home.field).toBeFocused();
  await expect(page).toHaveURL("/?plan=kept");
  await page.reload();
  await expect(home.rows.or(emptyQueue(page))).toBeVisible();
  await expect(home.field).toHaveValue("");
  // Android puts the link into the text and leaves the URL out.
  await page.goto(`/?text=${encodeURIComponent(LINK)}`);
  await expect(home.field).toHaveValue(LINK);
  await page.goto(`/?url=${encodeURIComponent(await home.sampleLink("rain"))}`);
  await expect(stage(page)).toContainText("Rain on a tin roof");
  await page.keyboard.press("Enter");
  await expect(home.row("Rain on a tin roof")).toHaveAttribute("data-status", "completed");
});

test("our name before an address opens its preview, in the format that is asked for, and starts nothing", async ({
  page,
  home,
}) => {
  const link = await home.sampleLink("rain");
  await page.goto(`/${link}&f=mp4`);
  await expect(stage(page)).toContainText("Rain on a tin roof");
  await expect(home.field).toHaveValue(link);
  await expect(page.getByRole("radio", { name: "MP4" })).toBeChecked();
  await expect(page).toHaveURL("/");
  await expect(home.rows).toHaveCount(0);
  const answer = await page.goto("/https://other.example/watch");
  expect(answer?.status()).toBe(404);
});

test("help has a bookmark to drag, which opens the converter with the link of a page and its preview", async ({
  page,
  home,
  context,
}) => {
  const link = await home.sampleLink("rain");
  await goTo(page, "/help");
  const bookmark = page.getByRole("link", { name: "Convert with Tapedeck" });
  const dragged = page.evaluate(
    () =>
      new Promise<string>((resolve) =>
        window.addEventListener("dragstart", ({ dataTransfer }) =>
          resolve(dataTransfer?.getData("text/uri-list") ?? ""),
        ),
      ),
  );
  await bookmark.hover();
  await page.mouse.down();
  await page.mouse.move(600, 300, { steps: 5 });
  const code = await dragged;
  await page.mouse.up();
  expect(code).toMatch(/^javascript:/);
  await bookmark.click();
  await expect(page.getByText("Drag this to your bookmarks bar")).toBeVisible();
  await page.getByText("From the share button of an iPhone or iPad").click();
  await expect(page.getByText(`GET ${new URL(page.url()).origin}/api/conversions/ID`).first()).toBeVisible();
  await expectAccessible(page, "the ways to convert from anywhere");

  await page.goto(link);
  const opened = context.waitForEvent("page");
  await page.evaluate(decodeURI(code.replace(/^javascript:/, "")));
  const converter = new Home(await opened);
  await expect(converter.field).toHaveValue(link);
  await expect(stage(converter.page)).toContainText("Rain on a tin roof");
  await expect(emptyQueue(converter.page)).toBeVisible();
});

test.describe("before hydration", () => {
  /** Opens the prerendered page; its scripts load when the given promise resolves. */
  async function openWithoutScripts(page: Page, until: Promise<void>): Promise<void> {
    await page.route("**/assets/*.js", async (route) => {
      await until;
      await route.fallback();
    });
    await page.goto("/", { waitUntil: "commit" });
  }

  test("keeps the typed text", async ({ page, home }) => {
    const scripts = Promise.withResolvers<void>();
    await openWithoutScripts(page, scripts.promise);
    await home.field.fill(await home.sampleLink("rain"));
    scripts.resolve();
    await expect(stage(page)).toContainText("Rain on a tin roof");
    await expect(home.field).toHaveValue(/rain/);
  });

  test("a form that the browser sends itself starts the typed link in the chosen format, once", async ({
    page,
    home,
  }) => {
    const scripts = Promise.withResolvers<void>();
    await openWithoutScripts(page, scripts.promise);
    await page.getByText("MP4", { exact: true }).click();
    await home.field.fill(await home.sampleLink("tide"));
    // As where no script runs.
    await page.locator("#converter form").evaluate((form) => form instanceof HTMLFormElement && form.submit());
    await page.waitForURL(/link=/, { waitUntil: "commit" });
    scripts.resolve();
    await expect(home.rows).toHaveCount(1);
    await expect(page).toHaveURL("/");
    await expect(home.field).toHaveValue("");
    await page.reload();
    await waitUntilLive(page);
    await expect(home.rows).toHaveCount(1);
    await expect(home.rows).toContainText("MP4");
  });

  test("a link from another site fills the field and starts nothing", async ({ page, home }) => {
    let requestCount = 0;
    page.on(
      "request",
      (request) =>
        void (request.method() === "POST" && request.url().endsWith("/api/conversions") && (requestCount += 1)),
    );
    await page.goto(`/?link=${encodeURIComponent(LINK)}&format=mp4`, { referer: "https://elsewhere.example/" });
    await expect(home.field).toHaveValue(LINK);
    await expect(page.getByRole("radio", { name: "MP4" })).toBeChecked();
    await waitUntilLive(page);
    await expect(page).toHaveURL("/");
    expect(requestCount).toBe(0);
    await expect(emptyQueue(page)).toBeVisible();
  });
});
