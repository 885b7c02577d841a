import { expect, Home, test } from "./home.ts";

const SCREENS = [
  { name: "phone", viewport: { width: 390, height: 844 } },
  { name: "laptop", viewport: { width: 1280, height: 800 } },
];

for (const { name, viewport } of SCREENS) {
  test.describe(name, () => {
    test.use({ viewport });

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
