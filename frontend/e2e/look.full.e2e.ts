import { emptyQueue, expect, Home, test } from "./home.ts";

const SCREENS = [
  { name: "phone", viewport: { width: 390, height: 844 } },
  { name: "laptop", viewport: { width: 1280, height: 800 } },
];

for (const { name, viewport } of SCREENS) {
  test.describe(name, () => {
    test.use({ viewport, reducedMotion: "reduce" });

    test("touch targets are at least 44 px high", async ({ page, home }) => {
      await expect(page.getByRole("heading", { name: "Pricing" })).toBeVisible();
      await expect(home.field).toBeVisible();
      const heights = await page
        .locator("a:visible, button:visible, label:visible, input[name=link]")
        .evaluateAll((all) =>
          all.map((element) => [element.textContent, Math.round(element.getBoundingClientRect().height)] as const),
        );
      expect(heights.filter(([, height]) => height < 44)).toEqual([]);
    });
  });
}

test.describe("with a service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("the page violates no content security policy and logs nothing", async ({ page }) => {
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    page.on("pageerror", (error) => messages.push(error.message));
    const home = new Home(page);
    await home.open();
    const job = await home.convert(await home.sampleLink("rain"));
    await expect(home.rowOf(job)).toHaveAttribute("data-status", "completed");
    expect(messages).toEqual([]);
  });
});

/** @returns the contrast of two computed colours of elements, as WCAG defines it */
function contrastOf([one, other]: readonly [string, string]): number {
  const luminanceOf = (color: string) => {
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Runs in the page. @returns the edges of the link's field and of the chosen format, each with the colour behind it */
function edgesOf(): [string, string][] {
  const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
  const behind = style("#converter").backgroundColor;
  return [
    [style("div:has(> input[name=link])").borderTopColor, behind],
    [
      style("label:has(input[name=format]:checked)").outlineColor,
      style("div:has(> label > [name=format])").backgroundColor,
    ],
  ];
}

test("the colours follow the system without a reload, and edges and focus are visible in both schemes", async ({
  page,
}) => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const home = new Home(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await home.open();
  for (const [colorScheme, color] of [
    ["dark", "rgb(19, 18, 16)"],
    ["light", "rgb(250, 248, 243)"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(background).toBe(color);
    // Polls, because colours may change slowly.
    const tooPale = async () => (await page.evaluate(edgesOf)).map(contrastOf).filter((contrast) => contrast < 3);
    await expect.poll(tooPale).toEqual([]);
    await home.field.focus();
    await expect.poll(tooPale).toEqual([]);
    await home.field.blur();
  }
});

test("reserves the place of the first list while it loads for a visitor with jobs", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("tapedeck.has-jobs", "yes"));
  await page.route("**/api/conversions", () => undefined);
  await new Home(page).open();
  await expect(page.getByLabel("Loading your conversions")).toBeVisible();
  await expect(page.getByLabel("Video link")).toBeEditable();
});

test("a long list shows 50 rows, and all on request", async ({ page }) => {
  const jobs = Array.from({ length: 60 }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();
    const fields = { title: `Clip ${index}`, format: "mp3", quality: "128kbps", progress: 0, attempt: 1 };
    return { ...fields, id: `clip-${index}`, status: "canceled", createdAt: time, updatedAt: time };
  });
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  await page.route(/\/socket\.io\//, (route) => route.abort());
  await page.route("**/api/conversions", (route) => route.fulfill({ json: jobs }));
  const home = new Home(page);
  await home.open();
  await expect(home.rows).toHaveCount(50);
  await expect(home.rows.first()).toContainText("Clip 59");
  await page.getByRole("button", { name: "Show all 60" }).click();
  await expect(home.rows).toHaveCount(60);
});

test("a failed list shows an error and loads after a retry", async ({ page }) => {
  await page.route(/\/socket\.io\//, (route) => route.abort());
  await page.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  await page.route("**/api/conversions", (route) => route.fulfill({ status: 503, body: "" }));
  await new Home(page).open();
  await expect(page.getByText("Your conversions could not be loaded")).toBeVisible();
  await page.unroute("**/api/conversions");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(emptyQueue(page)).toBeVisible();
});

test("the reels turn only while a job is active", async ({ page, home }) => {
  const turning = page.locator("header [data-turning]");
  await expect(turning).toHaveCount(0);
  const job = await home.convert(await home.sampleLink("held"));
  await expect(turning).toHaveCount(2);
  await home
    .rowOf(job)
    .getByRole("button", { name: /^Cancel/ })
    .click();
  await expect(turning).toHaveCount(0);
});

test("a new visitor sees how to start, and the prices and limits of the shared table", async ({ page, home }) => {
  await expect(emptyQueue(page)).toBeVisible();
  await expect(home.rows).toHaveCount(0);
  const pricing = page.locator("#pricing");
  await expect(pricing).toContainText("$9");
  await expect(pricing).toContainText("a month, or $90 a year (save $18)");
  await expect(pricing).toContainText("up to 20 minutes and 50 MB");
  await expect(pricing).toContainText("up to 2 hours and 500 MB, 20 links at once");
  await expect(pricing.getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
});
