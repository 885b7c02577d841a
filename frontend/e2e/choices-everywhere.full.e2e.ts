/** The list picker and the choices: by keyboard alone, by touch, on a phone, and from right to left. */
import type { Browser, Locator, Page } from "@playwright/test";
import { Preview } from "../../common/api.ts";
import { LANGUAGE_COOKIE } from "../../common/languages.ts";
import { CreateSelection } from "../../common/lists.ts";
import { TIERS } from "../../common/tiers.ts";
import { ar } from "../src/texts/ar.ts";
import { ar as choicesAr } from "../src/texts/choices/ar.ts";
import { en as choicesEn } from "../src/texts/choices/en.ts";
import { en } from "../src/texts/en.ts";
import { ar as listsAr } from "../src/texts/lists/ar.ts";
import { expectAccessible } from "./axe.ts";
import { cutTexts } from "./cut-texts.ts";
import { Home, chooseByKeys, expect, scrollWidthOf, startAppsIn, test } from "./home.ts";
import { changeTier, serverOrigin } from "./server.ts";
import { newUser, signIn, signInAsPro } from "./users.ts";

const BATCH = TIERS.pro.batchSize;

const opener = (page: Page) => page.getByRole("button", { name: "Choices" });
const panel = (page: Page) => page.getByRole("group", { name: "Choices for this video" });
const part = (page: Page) => panel(page).getByRole("group", { name: "A part of it" });
const title = (page: Page) =>
  panel(page).getByRole("group", { name: "Tags in the file" }).getByLabel("Title", { exact: true });
const isPostTo = (path: string) => (request: { method: () => string; url: () => string }) =>
  request.method() === "POST" && request.url().endsWith(path);

/** More than a page has elements that take the focus. */
const MOST_TABS = 80;

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

/** Opens a tab of the choices by keyboard alone, from a tab before it. */
async function openTab(page: Page, name: string): Promise<void> {
  const tabs = page.getByRole("tab");
  await tabTo(page, page.getByRole("tab", { selected: true }));
  const [selected, wanted] = await tabs.evaluateAll(
    (elements, text) => [
      elements.findIndex((element) => element.ariaSelected === "true"),
      elements.findIndex(({ textContent }) => textContent === text),
    ],
    name,
  );
  for (let n = (selected ?? 0) + 1; n <= (wanted ?? 0); n += 1) {
    await page.keyboard.press("ArrowRight");
    // The focus moves in the next frame.
    await expect(tabs.nth(n)).toBeFocused();
  }
  await expect(page.getByRole("tab", { name, selected: true })).toBeFocused();
}

/** Writes a link into the field, which has the focus on a new page, as a paste does. */
async function paste(page: Page, home: Home, link: string): Promise<void> {
  await home.field.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(link);
}

test("a part is chosen by keyboard alone: by handles, by fields and by chapter", async ({ page, home }) => {
  await paste(page, home, await home.sampleLink("chapters"));
  await tabTo(page, opener(page));
  await page.keyboard.press("Enter");
  const [start, end] = [part(page).getByLabel("Start", { exact: true }), part(page).getByLabel("End", { exact: true })];

  await test.step("handles", async () => {
    await tabTo(page, part(page).getByLabel("Start of the part"));
    for (let n = 0; n < 5; n += 1) await page.keyboard.press("ArrowRight");
    await tabTo(page, part(page).getByLabel("End of the part"));
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(start).toHaveValue("0:05");
    await expect(end).toHaveValue("0:28");
  });

  await test.step("fields", async () => {
    await tabTo(page, start);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("0:02.5");
    await page.keyboard.press("Enter");
    await tabTo(page, end);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("12");
    await page.keyboard.press("Tab");
    await expect(part(page).getByLabel("Start of the part")).toHaveValue("2");
    await expect(part(page).locator("[data-chosen-length]")).toContainText("chosen");
    await expect(end).toHaveValue("0:12");
  });

  await test.step("a chapter, and the file of it", async () => {
    await tabTo(page, part(page).getByLabel("Chapter"));
    await chooseByKeys(page, part(page).getByLabel("Chapter"), /^0:07/);
    await expect(start).toHaveValue("0:06.5");
    await expect(end).toHaveValue("0:15");
    await openTab(page, "Tags");
    await tabTo(page, title(page));
    const sent = page.waitForRequest(isPostTo("/api/conversions"));
    await page.keyboard.press("Enter");
    expect((await sent).postDataJSON()).toMatchObject({ choices: { part: { startSeconds: 6.5, endSeconds: 15 } } });
    await tabTo(page, page.getByRole("link", { name: /^Download/ }));
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(download.suggestedFilename()).toMatch(/\(0\.07-0\.15\)\.mp3$/);
  });
});

test("subtitles and language of the sound of an MP4 are chosen by keyboard alone", async ({ page, home }) => {
  await page.route("**/api/preview", async (route) => {
    const answer = await route.fetch();
    const preview = Preview.parse(await answer.json());
    const details = { ...(preview.details as object), soundLanguages: ["fr", "en", "de"] };
    await route.fulfill({ json: { ...preview, details } });
  });
  await paste(page, home, await home.sampleLink("subtitles"));
  await tabTo(page, page.getByRole("radio", { name: "MP3", exact: true }));
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "MP4", exact: true })).toBeChecked();
  await tabTo(page, opener(page));
  await page.keyboard.press("Enter");
  await openTab(page, "Format");
  const sound = panel(page).getByRole("combobox", { name: "Language of the sound" });
  await tabTo(page, sound);
  await chooseByKeys(page, sound, /^English/);
  await openTab(page, "Subtitles");
  const subtitles = panel(page).getByRole("group", { name: "Subtitles" }).getByRole("combobox");
  await tabTo(page, subtitles);
  await chooseByKeys(page, subtitles, /^German/);
  await openTab(page, "Tags");
  await tabTo(page, title(page));
  const sent = page.waitForRequest(isPostTo("/api/conversions"));
  await page.keyboard.press("Enter");
  expect((await sent).postDataJSON()).toMatchObject({
    format: "mp4",
    choices: { soundLanguage: "en", subtitles: { language: "de" } },
  });
});

test("Pro: a file for each chapter, and the first 20 of a list, by keyboard alone", async ({ page }) => {
  const home = await signInAsPro(page, newUser());

  await test.step("chapters as one ZIP", async () => {
    await paste(page, home, await home.sampleLink("chapters"));
    await tabTo(page, opener(page));
    await page.keyboard.press("Enter");
    await tabTo(page, panel(page).getByRole("checkbox", { name: "One file per chapter" }));
    await page.keyboard.press("Space");
    await openTab(page, "Tags");
    await tabTo(page, title(page));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("link", { name: /^Download/ }));
    const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
  });

  await test.step("first 20, and Convert", async () => {
    // They wait, so that they can be canceled.
    await page.route("**/api/lists", async (route) => {
      const answer = await route.fetch();
      const held = await home.sampleLink("held");
      const list = (await answer.json()) as { entries: { link: string }[] };
      list.entries.forEach((entry, index) => (entry.link = `${held}-${index}`));
      await route.fulfill({ response: answer, json: list });
    });
    await paste(page, home, await home.sampleLink("list-60"));
    const picker = page.getByRole("group", { name: "Videos of the list" });
    await tabTo(page, picker.getByRole("button", { name: `First ${BATCH}` }));
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-convert-bar]")).toContainText(`${BATCH} of 60 chosen`);
    await tabTo(page, page.getByRole("button", { name: "Convert", exact: true }));
    const sent = page.waitForRequest(isPostTo("/api/selections"));
    await page.keyboard.press("Enter");
    expect(CreateSelection.parse((await sent).postDataJSON()).urls).toHaveLength(BATCH);
    const batch = page.locator("[data-batch]");
    await expect(batch).toContainText(`0 of ${BATCH} ready`);
    await tabTo(page, batch.getByRole("button", { name: "Cancel all" }));
    // The page shows the end of the jobs before the server knows of it; jobs that go on would hold up other tests.
    const canceled = page.waitForResponse((answer) => answer.request().method() === "DELETE");
    await page.keyboard.press("Enter");
    expect((await canceled).status()).toBe(200);
    await expect(batch).toContainText(`${BATCH} canceled`);
  });
});

test("Pro: several links have choices in common", async ({ page }) => {
  const home = await signInAsPro(page, newUser());
  const links = [await home.sampleLink("subtitles"), await home.sampleLink("subtitles")];
  await home.field.fill(await home.sampleLink("rain"));
  await opener(page).click();
  await page.getByRole("tab", { name: "Tags" }).click();
  await title(page).fill("Only of this video");
  await page.getByText("Batch", { exact: true }).click();
  await page.getByLabel("Video links, one a line").fill(links.join("\n"));
  await expect(opener(page)).toHaveAttribute("aria-expanded", "false");
  await opener(page).press("Enter");
  const choices = page.getByRole("group", { name: "Choices", exact: true });
  await choices.getByRole("tab", { name: "Cut" }).click();
  await expect(choices.getByRole("combobox", { name: "Sponsored segments" })).toBeVisible();
  await choices.getByRole("tab", { name: "Format" }).click();
  const sound = choices.getByRole("combobox", { name: "Language of the sound" });
  await expect(sound).toHaveAccessibleDescription("A video without this language fails; the others go on.");
  await choices.getByRole("radio", { name: /^Transcript/ }).check();
  await expect(sound).toHaveCount(0);
  await choices.getByRole("tab", { name: "Subtitles" }).click();
  await choices.getByRole("combobox", { name: "Subtitles" }).selectOption({ label: "German" });
  await choices.getByRole("combobox", { name: "Kind of file" }).selectOption("txt");
  await expectAccessible(page, "the choices of a batch");
  const sent = page.waitForRequest(isPostTo("/api/batch-conversions"));
  await page.getByRole("button", { name: "Convert all" }).click();
  expect((await sent).postDataJSON()).toEqual({
    urls: links,
    format: "transcript",
    choices: { subtitles: { language: "de", as: "txt" } },
  });
  await expect(page.locator("[data-batch]")).toContainText("2 done");
});

/** @returns a page on a phone with a touch screen */
async function openPhone(browser: Browser, language: "en" | "ar"): Promise<Page> {
  const context = await browser.newContext({
    baseURL: serverOrigin(),
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: "reduce",
  });
  await startAppsIn(context);
  await context.addCookies([{ name: LANGUAGE_COOKIE, value: language, url: serverOrigin() }]);
  return await context.newPage();
}

async function expectToFit(page: Page): Promise<void> {
  await expect.poll(() => scrollWidthOf(page)).toBe(390);
  await expect.poll(() => page.evaluate(cutTexts)).toEqual([]);
}

test("picker and choices fit a phone from right to left, and are accessible in both themes", async ({ browser }) => {
  const page = await openPhone(browser, "ar");
  const user = newUser();
  await signIn(page, user);
  await changeTier(user.email, "pro");
  const home = new Home(page);
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  const field = page.getByLabel(ar.converter.link);
  const button = page.getByRole("button", { name: choicesAr.button });

  await test.step("the picker, with entries that cannot be converted", async () => {
    await field.fill(await home.sampleLink("list-mixed"));
    const list = page.getByRole("listbox", { name: listsAr.name });
    await expect(list.getByRole("option").first()).toBeVisible();
    await page.getByRole("button", { name: listsAr.range }).tap();
    await expect(page.locator("[data-list]")).toContainText(listsAr.rangeFirst);
    await expectToFit(page);
    await expectAccessible(page, "the picker");
    const mark = await list.getByRole("option").first().locator("[data-mark]").boundingBox();
    const box = await list.boundingBox();
    // The marks are at the right edge.
    expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeGreaterThan((box?.x ?? Infinity) + (box?.width ?? 0) - 32);
  });

  await test.step("the choices for several videos", async () => {
    await button.tap();
    await expect(page.getByRole("group", { name: choicesAr.button })).toBeVisible();
    await expectToFit(page);
    await expectAccessible(page, "the choices for a list");
  });

  for (const name of ["chapters", "subtitles"])
    await test.step(`the choices for a video with ${name}`, async () => {
      await field.fill(await home.sampleLink(name));
      await button.tap();
      const choices = page.getByRole("group", { name: choicesAr.name });
      const tabs = choices.getByRole("tab");
      await expect(tabs).toHaveCount(4);
      for (const tab of (await tabs.all()).slice(1)) {
        await tab.tap();
        await expectToFit(page);
        await expectAccessible(page, `a tab of ${name}`);
      }
      await expect(choices.getByLabel(choicesAr.tags.description)).toBeVisible();
      await tabs.first().tap();
      if (name === "chapters") {
        const start = choices.getByLabel(choicesAr.part.start, { exact: true });
        await start.fill("soon");
        await start.blur();
        await expect(choices).toContainText(choicesAr.part.problems.time);
      }
      await expectToFit(page);
      await expectAccessible(page, `choices with ${name}`);
    });
  await page.context().close();
});

/** Radius of a handle: its middle is as far from the end of the line when it is at an end. */
const HANDLE_RADIUS = 14;

/** Drags a handle with a finger. @param from, to shares of the time line, from its start in the direction of reading */
async function drag(page: Page, handle: Locator, isRightToLeft: boolean, from: number, to: number): Promise<void> {
  await handle.scrollIntoViewIfNeeded();
  const box = await handle.boundingBox();
  if (!box) throw new Error("the handle is not in the page");
  const xAt = (share: number): number => {
    const along = HANDLE_RADIUS + share * (box.width - 2 * HANDLE_RADIUS);
    return isRightToLeft ? box.x + box.width - along : box.x + along;
  };
  const session = await page.context().newCDPSession(page);
  const y = box.y + box.height / 2;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", share?: number): Promise<unknown> =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: share === undefined ? [] : [{ x: xAt(share), y }] });
  await touch("touchStart", from);
  for (let step = 1; step <= 10; step += 1) await touch("touchMove", from + ((to - from) * step) / 10);
  await touch("touchEnd");
}

for (const language of ["en", "ar"] as const)
  test(`a finger moves both handles of the time line (${language})`, async ({ browser }) => {
    const page = await openPhone(browser, language);
    const texts = { en: choicesEn, ar: choicesAr }[language];
    const home = new Home(page);
    await page.goto("/");
    await page.getByLabel({ en, ar }[language].converter.link).fill(await home.sampleLink("rain"));
    await page.getByRole("button", { name: texts.button }).tap();
    const [start, end] = [page.getByLabel(texts.part.startHandle), page.getByLabel(texts.part.endHandle)];
    await drag(page, start, language === "ar", 0, 0.5);
    await expect(start).toHaveValue("15");
    await drag(page, end, language === "ar", 1, 0.75);
    await expect(end).toHaveValue(/^2[23]$/);
    // A handle stops a second before the other one, and can be taken back from there.
    await drag(page, start, language === "ar", 0.5, 1);
    await expect(start).toHaveValue(/^2[12]$/);
    await drag(page, start, language === "ar", Number(await start.inputValue()) / 30, 0.1);
    await expect(start).toHaveValue("3");
    await page.context().close();
  });
