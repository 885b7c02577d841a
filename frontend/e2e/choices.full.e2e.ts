/** What may be chosen for a video beside the format. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { parseBuffer } from "music-metadata";
import { violationsOf } from "./axe.ts";
import { chooseByKeys, expect, test } from "./home.ts";
import { SPONSORED_VIDEO } from "./server.ts";
import { newUser, signInAsPro } from "./users.ts";

const opener = (page: Page) => page.getByRole("button", { name: "Choices" });
const panel = (page: Page) => page.getByRole("group", { name: "Choices for this video" });
const openTab = (page: Page, name: string) => panel(page).getByRole("tab", { name }).press("Enter");
const tags = (page: Page) => panel(page).getByRole("group", { name: "Tags in the file" });

test("tags are changed by keyboard alone, without a script for it before a preview, and are in the file", async ({
  page,
  home,
}) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await expect(opener(page)).toHaveCount(0);
  expect(scripts.filter((url) => url.includes("Choices"))).toEqual([]);
  await home.field.fill(await home.sampleLink("rain"));
  await expect(opener(page)).toBeVisible();
  await opener(page).focus();
  await page.keyboard.press("Enter");
  await panel(page).getByRole("tab", { selected: true }).focus();
  await page.keyboard.press("End");
  await expect(tags(page).getByLabel("Title")).toHaveValue("Rain on a tin roof");
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await tags(page).getByLabel("Title").focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Snow");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Nobody");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const date = tags(page).getByLabel("Date");
  await expect(date).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("May");
  await expect(date).toHaveAttribute("aria-invalid", "true");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("1999");
  await expect(date).toHaveAttribute("aria-invalid", "false");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("White");
  await page.keyboard.press("Enter");
  await page.keyboard.type("and cold");
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Snow.mp3");
  const { common, native } = await parseBuffer(await readFile(await download.path()));
  expect(common).toMatchObject({ title: "Snow", artist: "Nobody", year: 1999 });
  expect(native["ID3v2.3"]).toContainEqual({ id: "TXXX:description", value: "White\nand cold" });
});

test("the original sound is one choice with MP3 and MP4, by keyboard, and the row says what it is", async ({
  page,
  home,
}) => {
  await home.field.fill(await home.sampleLink("rain"));
  await opener(page).press("Enter");
  await openTab(page, "Format");
  await panel(page)
    .getByRole("radio", { name: /^Original sound/ })
    .press("Space");
  await expect(page.getByRole("radio", { name: "MP3", exact: true })).not.toBeChecked();
  await home.field.press("Enter");
  const link = page.getByRole("link", { name: /^Download/ });
  await expect(link).toBeVisible();
  await expect(page.locator("[data-job]").filter({ has: link })).toContainText("M4A · original");
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("Rain on a tin roof.m4a");
});

const part = (page: Page) => panel(page).getByRole("group", { name: "A part of it" });

const perChapter = (page: Page) => panel(page).getByRole("checkbox", { name: "One file per chapter" });

test("one file per chapter is chosen by keyboard instead of a part, and is a ZIP", async ({ page }) => {
  const home = await signInAsPro(page, newUser());
  await home.field.fill(await home.sampleLink("chapters"));
  await opener(page).focus();
  await page.keyboard.press("Enter");
  await part(page).getByLabel("Chapter").selectOption({ index: 2 });
  await perChapter(page).focus();
  await page.keyboard.press("Space");
  await expect(perChapter(page)).toBeChecked();
  await expect(part(page).getByLabel("Chapter")).toHaveValue("");
  await part(page).getByLabel("Start of the part").press("ArrowRight");
  await expect(perChapter(page)).not.toBeChecked();
  await perChapter(page).focus();
  await page.keyboard.press("Space");
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await home.field.press("Enter");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("Rain in four parts.zip");
  await expect(page.getByText(/MP3 · 320 kbps · ZIP/).first()).toBeVisible();
});

test("a transcript is chosen by keyboard, in a language and as one kind of file", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("subtitles"));
  await opener(page).focus();
  await page.keyboard.press("Enter");
  await openTab(page, "Format");
  const transcript = panel(page).getByRole("radio", { name: /^Transcript/ });
  await transcript.focus();
  await page.keyboard.press("Space");
  await expect(transcript).toBeChecked();
  await openTab(page, "Subtitles");
  const subtitles = panel(page).getByRole("group", { name: "Subtitles" });
  const language = subtitles.getByRole("combobox", { name: "Subtitles" });
  await language.focus();
  await chooseByKeys(page, language, /^German/);
  const kind = subtitles.getByRole("combobox", { name: "Kind of file" });
  await kind.focus();
  await chooseByKeys(page, kind, /VTT/);
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await home.field.press("Enter");
  const link = page.getByRole("link", { name: /^Download/ });
  await expect(link).toBeVisible();
  await link.focus();
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  expect(download.suggestedFilename()).toMatch(/\.vtt$/);
  expect(await readFile(await download.path(), "utf8")).toMatch(/^WEBVTT\n/);
});

const sponsored = (page: Page) => panel(page).getByRole("combobox", { name: "Sponsored segments" });
const youTubeLink = (videoId: string) => `https://www.youtube.com/watch?v=${videoId}`;

test("sponsored segments are cut out by keyboard alone, and the file is shorter", async ({ page, home }) => {
  await home.field.fill(youTubeLink(SPONSORED_VIDEO.id));
  await expect(opener(page)).toBeVisible();
  await opener(page).focus();
  await page.keyboard.press("Enter");
  await expect(sponsored(page)).toHaveAccessibleDescription("2 segments, 0:04, marked by viewers in SponsorBlock.");
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await sponsored(page).focus();
  await page.keyboard.press("End");
  await expect(sponsored(page)).toHaveValue("cut");
  await home.field.press("Enter");
  const link = page.getByRole("link", { name: /^Download/ });
  await expect(link).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const { format } = await parseBuffer(await readFile(await download.path()), undefined, { duration: true });
  expect(Math.abs((format.duration ?? 0) - 8.5)).toBeLessThan(0.1);
});
