/** Installation, manifest and offline start. */
import { expect, test } from "@playwright/test";
import type { Page } from "@playwright/test";
import { z } from "zod";
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

test("the service worker caches only the pages' own files", async ({ page }) => {
  await visitTwice(page);
  await page.reload();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
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
});

test("opens offline with a hint and continues when the network is back", async ({ page, context }) => {
  await visitTwice(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Paste a link.");
  await expect(page.getByText("You are offline")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("Nothing here yet")).toBeVisible();
});

test("opens another page offline", async ({ page, context }) => {
  await visitTwice(page);
  await context.setOffline(true);
  await page.goto(`${serverOrigin()}/no/such/place`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("404 Page Not Found");
});
