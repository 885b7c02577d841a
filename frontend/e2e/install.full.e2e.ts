/** Installation, manifest and offline start. */
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { z } from "zod";
import { emptyQueue, waitUntilLive } from "./home.ts";
import { serverOrigin } from "./server.ts";

test.use({ serviceWorkers: "allow" });

const Manifest = z.object({
  name: z.string(),
  start_url: z.literal("/"),
  display: z.literal("standalone"),
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string(), purpose: z.string().optional() })),
  share_target: z.object({
    action: z.literal("/"),
    method: z.literal("GET"),
    params: z.object({ title: z.literal("title"), text: z.literal("text"), url: z.literal("url") }),
  }),
});

/** Resolves when the service worker controls the page, from the second visit on. */
async function visitTwice(page: Page): Promise<void> {
  await page.goto(`${serverOrigin()}/`);
  await waitUntilLive(page);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
      );
  });
}

test("every icon of the manifest exists in its size", async ({ page, request }) => {
  const answer = await request.get(`${serverOrigin()}/manifest.webmanifest`);
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const { icons } = Manifest.parse(await answer.json());
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual(
    expect.arrayContaining([
      ["192x192", undefined],
      ["512x512", undefined],
      ["512x512", "maskable"],
    ]),
  );
  await page.goto(`${serverOrigin()}/`);
  for (const { src, sizes, type } of icons) {
    const file = await request.get(`${serverOrigin()}${src}`);
    expect([file.status(), file.headers()["content-type"]]).toEqual([200, type]);
    if (sizes === "any") continue;
    const size = await page.evaluate(async (address) => {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, src);
    expect(size).toBe(sizes);
  }
});

test("offers the installation while the browser does, once", async ({ page }) => {
  await page.goto(`${serverOrigin()}/`);
  await waitUntilLive(page);
  const install = page.getByRole("button", { name: "Install app" });
  await expect(install).toHaveCount(0);
  await page.evaluate(() => {
    const prompt = () => Promise.resolve((document.body.dataset["prompted"] = "yes"));
    window.dispatchEvent(Object.assign(new Event("beforeinstallprompt"), { prompt }));
  });
  await install.click();
  await expect(install).toHaveCount(0);
  await expect(page.locator("body")).toHaveAttribute("data-prompted", "yes");
  for (const [path, type] of [
    ["/robots.txt", "text/plain"],
    ["/favicon.ico", "image/"],
  ] as const) {
    const answer = await page.request.get(`${serverOrigin()}${path}`);
    expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, expect.stringContaining(type)]);
  }
});

/** Resolves when the page has loaded the language and stored the choice. */
async function chooseLanguage(page: Page, language: string): Promise<void> {
  await page.locator("footer select").selectOption(language);
  await expect(page.locator("html")).toHaveAttribute("lang", language);
}

test("caches only the pages' own files, opens each page offline, and continues when the network is back", async ({
  page,
  context,
}) => {
  await visitTwice(page);
  await page.reload();
  await waitUntilLive(page);
  await expect(emptyQueue(page)).toBeVisible();
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
  });
  expect(cached.names).toEqual([expect.stringMatching(/^tapedeck-[\w-]{12}$/)]);
  expect(cached.paths).toContain("/page.html");
  expect(
    cached.paths.filter(
      (path) => !/^\/(?:assets\/.+\.(?:js|css|woff2)|page\.html|favicon\.svg|manifest\.webmanifest)$/.test(path),
    ),
  ).toEqual([]);

  await context.setOffline(true);
  await page.goto(`${serverOrigin()}/no/such/place`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("404 Page Not Found");
  await page.goto(`${serverOrigin()}/`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paste a link.");
  await expect(page.getByText("You are offline")).toBeVisible();
  // The cached page is in English; the chosen language is in its cookie.
  await chooseLanguage(page, "de");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Link einfügen.");
  await chooseLanguage(page, "en");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paste a link.");
  await context.setOffline(false);
  await expect(emptyQueue(page)).toBeVisible();
});
