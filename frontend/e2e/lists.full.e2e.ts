/** Choosing videos from a playlist, a channel or a podcast. */
import type { Page } from "@playwright/test";
import { TIERS } from "../../common/tiers.ts";
import { LONG_PLAYLIST_ID, PLAYLIST_ID } from "../../backend/dev/stand-ins/youtube-site/video-lists.ts";
import { shown } from "../src/testing/shown-limits.ts";
import { expectAccessible, violationsOf } from "./axe.ts";
import { Home, expect, startAppsIn, test } from "./home.ts";
import { changeTier, serverOrigin } from "./server.ts";
import { newUser, signIn, signInAsPro } from "./users.ts";

const BATCH = TIERS.pro.batchSize;

const picker = (page: Page) => page.getByRole("group", { name: "Videos of the list" });
const bar = (page: Page) => page.locator("[data-convert-bar]");
const list = (page: Page) => page.getByRole("listbox", { name: "Videos of the list" });
const option = (page: Page, name: string | RegExp) => list(page).getByRole("option", { name });
const chosen = (page: Page) => list(page).locator("[aria-selected=true]");
const isCreate = (request: { method: () => string; url: () => string }) =>
  request.method() === "POST" && request.url().endsWith("/api/conversions");

test("opens 5,000 entries of which only some are in the page; a visitor chooses one by keyboard alone and converts it", async ({
  page,
  home,
}) => {
  await home.field.fill(await home.sampleLink("list-5000"));
  await expect(picker(page)).toContainText("Five thousand times rain");
  await expect(picker(page)).toContainText("5,000 entries");
  await expect(bar(page)).toContainText("0 of 5,000 chosen");
  await expect(picker(page)).toContainText("Your plan converts one video at a time.");
  await expect(picker(page).getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
  await expect(picker(page).getByRole("button", { name: "All" })).toHaveCount(0);
  await expect(option(page, /^Rain, part 1 /)).toHaveAttribute("aria-setsize", "5000");
  expect(await list(page).getByRole("option").count()).toBeLessThan(40);

  await picker(page).getByLabel("Search titles").focus();
  await page.keyboard.press("Tab");
  if (!(await list(page).evaluate((element) => element === document.activeElement))) await page.keyboard.press("Tab");
  await expect(list(page)).toBeFocused();
  // The end is there when all pages have been read.
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(option(page, /^Rain, part 5000 /)).toBeInViewport({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press("Space");
  await expect(bar(page)).toContainText("1 of 5,000 chosen");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Space");
  await expect(chosen(page)).toHaveText(/Rain, part 2/);
  await expect(bar(page)).toContainText("1 of 5,000 chosen");
  const created = page.waitForRequest(isCreate);
  await page.keyboard.press("Enter");
  expect((await created).postDataJSON()).toEqual({ youtubeUrl: expect.stringMatching(/\?part=2$/), format: "mp3" });
  await expect(picker(page)).toHaveCount(0);
  await expect(home.field).toHaveValue("");
  await expect(home.rows.first().getByRole("link", { name: /^Download/ })).toBeVisible();
});

test("is accessible, and shows what cannot be converted with the reason", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("list-mixed"));
  await expect(option(page, /On another site/)).toContainText("On a site that is not supported.");
  await expect(option(page, /free plan/)).toContainText(`Longer than ${shown.free.length}; Pro takes it.`);
  await expect(option(page, /any plan/)).toContainText(`Longer than ${shown.pro.length}.`);
  await expect(option(page, /any plan/)).toHaveAttribute("aria-disabled", "true");
  await option(page, /any plan/).click({ force: true });
  await expect(chosen(page)).toHaveCount(0);
  await option(page, /tin roof/).click();
  await expect(chosen(page)).toHaveCount(1);
  await expectAccessible(page, "a list");
});

test("searches in titles", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("list-60"));
  const field = picker(page).getByLabel("Search titles");
  await field.fill("PART 17");
  await expect(list(page).getByRole("option")).toHaveCount(1);
  await field.press("Enter");
  await expect(home.toast).toHaveCount(0);
  await field.fill("snow");
  await expect(picker(page)).toContainText("No title has these words.");
  await field.fill("");
  await expect(list(page).getByRole("option").first()).toContainText("Rain, part 1");
});

test("says that nothing is chosen, that a list is empty, and what went wrong", async ({ page, home }) => {
  const convert = page.getByRole("button", { name: "Convert", exact: true });

  await test.step("nothing chosen", async () => {
    await home.field.fill(await home.sampleLink("list-60"));
    await expect(list(page)).toBeVisible();
    await convert.click();
    await home.expectToastShown("Nothing Chosen");
  });

  await test.step("no list after all", async () => {
    const unlisted = { code: "playlist", message: "A list." };
    await page.route("**/api/lists", (route) => route.fulfill({ status: 422, json: unlisted }), { times: 1 });
    await home.field.fill(await home.sampleLink("two-videos"));
    await expect(picker(page).getByRole("alert")).toContainText("The videos behind this link cannot be listed.");
    await expect(convert).toBeDisabled();
  });

  await test.step("a post with two videos", async () => {
    await home.field.fill(`${await home.sampleLink("two-videos")}?again`);
    await expect(list(page).getByRole("option")).toHaveCount(2);
  });

  await test.step("an empty list", async () => {
    await page.route("**/api/preview", (route) =>
      route.fulfill({ status: 422, json: { code: "playlist", message: "A list." } }),
    );
    await home.field.fill(await home.sampleLink("list-empty"));
    await expect(picker(page)).toContainText("Nothing recorded yet");
    await expect(picker(page)).toContainText("There is no video in this list.");
    await expect.poll(() => violationsOf(page)).toEqual([]);
  });

  await test.step("the site is busy, and then answers", async () => {
    await home.field.fill(await home.sampleLink("list-busy"));
    await expect(picker(page).getByRole("alert")).toContainText("The video site is refusing us");
    await expect.poll(() => violationsOf(page)).toEqual([]);
    await picker(page).getByRole("button", { name: "Try again" }).click();
    await expect(list(page).getByRole("option")).toHaveCount(3);
  });

  await test.step("a failure half way keeps what is there", async () => {
    let isFailing = true;
    await page.route("**/api/lists", (route) => {
      const { offset } = route.request().postDataJSON() as { offset: number };
      if (offset === 0 || !isFailing) return route.fallback();
      return route.fulfill({ status: 422, json: { code: "network", message: "The connection broke." } });
    });
    await home.field.fill(await home.sampleLink("list-5000"));
    await expect(picker(page).getByRole("alert")).toContainText("The rest of the list could not be read.");
    await option(page, /^Rain, part 3 /).click();
    isFailing = false;
    await picker(page).getByRole("button", { name: "Try again" }).click();
    await expect(picker(page).getByRole("alert")).toHaveCount(0);
    await expect(chosen(page)).toHaveText(/Rain, part 3/);
    await list(page).focus();
    await expect(async () => {
      await page.keyboard.press("End");
      await expect(option(page, /^Rain, part 5000 /)).toBeInViewport({ timeout: 1_000 });
    }).toPass();
  });
});

test("Pro: all that a search shows are chosen, what follows is shown, and is canceled with the rest", async ({
  page,
}) => {
  const home = await signInAsPro(page, newUser());
  // They wait, so that more than the first batch is never queued.
  await page.route("**/api/lists", async (route) => {
    const answer = await route.fetch();
    const held = await home.sampleLink("held");
    const list = (await answer.json()) as { entries: { link: string }[] };
    list.entries.forEach((entry, index) => (entry.link = `${held}-${index}`));
    await route.fulfill({ response: answer, json: list });
  });
  await home.field.fill(await home.sampleLink("list-60"));
  await picker(page)
    .getByRole("button", { name: `First ${BATCH}` })
    .click();
  await expect(bar(page)).toContainText(`${BATCH} of 60 chosen`);
  await picker(page).getByRole("button", { name: "None" }).click();
  await expect(bar(page)).toContainText("0 of 60 chosen");
  await picker(page).getByLabel("Search titles").fill("part 1");
  await picker(page).getByRole("button", { name: "All" }).click();
  await expect(bar(page)).toContainText("15 of 60 chosen");
  await picker(page).getByLabel("Search titles").fill("");
  await picker(page).getByRole("button", { name: "All" }).click();
  await expect(bar(page)).toContainText(`60 videos: 3 batches of up to ${BATCH}, one after the other.`);
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  const batch = page.locator("[data-batch]");
  await expect(batch).toContainText("0 of 60 ready");
  await expect(batch).toContainText(`${60 - BATCH} more follow`);
  await page.reload();
  await expect(batch).toContainText(`${60 - BATCH} more follow`);
  // The page shows the end of the jobs before the server knows of it; jobs that go on would hold up other tests.
  const canceled = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await batch.getByRole("button", { name: "Cancel all" }).click();
  expect((await canceled).status()).toBe(200);
  await expect(batch).toContainText(`0 of ${BATCH} ready`);
  await expect(batch).toContainText(`${BATCH} canceled`);
  await expect(batch.getByRole("button", { name: "Cancel all" })).toHaveCount(0);
  await batch.getByRole("button", { name: "Sixty times rain" }).click();
  await batch
    .getByRole("button", { name: /^Remove/ })
    .first()
    .click();
  await expect(batch).toContainText(`0 of ${BATCH - 1} ready`);
  await expect(batch).toContainText("1 no longer shown");
});

test("Pro: what is chosen without a network is kept, and sent once it is back", async ({ page, context }) => {
  const home = await signInAsPro(page, newUser());
  await home.field.fill(await home.sampleLink("list-60"));
  await option(page, /^Rain, part 2 /).click();
  await option(page, /^Rain, part 3 /).click();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await expect(page.locator("[data-kept]")).toContainText("Sixty times rain");
  await context.setOffline(false);
  await expect(page.locator("[data-kept]")).toHaveCount(0);
  await expect(page.locator("[data-batch]")).toContainText(/of 2 ready/);
  await expect(page.locator("[data-batch]")).toHaveCount(1);
});

test("a finger chooses a range with two taps", async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: serverOrigin(),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await startAppsIn(context);
  const page = await context.newPage();
  const user = newUser();
  await signIn(page, user);
  await changeTier(user.email, "pro");
  const home = new Home(page);
  await home.open();
  await home.field.fill(await home.sampleLink("list-60"));
  await picker(page).getByRole("button", { name: "Choose a range" }).tap();
  await expect(picker(page)).toContainText("Tap the first video.");
  await option(page, /^Rain, part 2 /).tap();
  await expect(picker(page)).toContainText("Now tap the last one.");
  await list(page).evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }));
  await option(page, /^Rain, part 33 /).tap();
  await expect(bar(page)).toContainText("32 of 60 chosen");
  await option(page, /^Rain, part 33 /).tap();
  await expect(bar(page)).toContainText("31 of 60 chosen");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await context.close();
});

test("a video in a list is shown as usual, and its list at the press of a button", async ({ page, home }) => {
  const stage = page.getByRole("group", { name: "Preview" });
  await home.field.fill(`https://www.youtube.com/watch?v=plain-00002&list=${PLAYLIST_ID}&index=2`);
  await expect(stage).toHaveAttribute("data-preview", "ready");
  await expect(stage).toContainText("This video is in a list.");
  await expect(stage.getByRole("button")).toHaveCount(1);
  await stage.getByRole("button", { name: "Choose from the list" }).press("Enter");
  await expect(picker(page)).toContainText("A playlist");
  await expect(list(page).getByRole("option")).toHaveCount(3);
  await expect(stage.getByRole("button", { name: "Only this video" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(list(page)).toHaveCount(0);
  const created = page.waitForRequest(isCreate);
  await home.field.press("Enter");
  expect((await created).postDataJSON()).toMatchObject({ youtubeUrl: expect.stringContaining("v=plain-00002") });
});

test("a playlist of YouTube says of each video that cannot be converted why", async ({ page, home }) => {
  await home.field.fill(`https://www.youtube.com/playlist?list=${LONG_PLAYLIST_ID}`);
  await expect(picker(page)).toContainText("A long playlist");
  await expect(picker(page)).toContainText(/entries/);
  await picker(page).getByLabel("Search titles").fill("o");
  for (const [title, reason] of [
    [/For members/, "Only for paying members of the channel."],
    [/On air/, "Live now: come back when it has ended."],
    [/Tomorrow/, "This video has not begun yet."],
  ] as const) {
    await picker(page).getByLabel("Search titles").fill(title.source);
    await expect(option(page, title)).toContainText(reason);
  }
});
