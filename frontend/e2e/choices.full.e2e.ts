/** What may be chosen for a video beside the format. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { parseBuffer } from "music-metadata";
import { Preview } from "../../common/api.ts";
import { violationsOf } from "./axe.ts";
import { chooseByKeys, expect, test } from "./home.ts";
import { SPONSORED_VIDEO, UNKNOWN_VIDEO_ID } from "./server.ts";
import { newUser, signInAsPro } from "./users.ts";

// A smooth scroll to the focused field may still go on when Enter starts the job, and would move the job out of view.
test.use({ contextOptions: { reducedMotion: "reduce" } });

const stage = (page: Page) => page.getByRole("group", { name: "Preview" });
const opener = (page: Page) => page.getByRole("button", { name: "Choices" });
const panel = (page: Page) => page.getByRole("group", { name: "Choices for this video" });
const tags = (page: Page) => panel(page).getByRole("group", { name: "Tags in the file" });

test("a link and Enter need no choice, and no script for them before a preview", async ({ page, home }) => {
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await expect(opener(page)).toHaveCount(0);
  expect(scripts.filter((url) => url.includes("Choices"))).toEqual([]);
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/conversions"));
  await home.field.fill(await home.sampleLink("rain"));
  await expect(opener(page)).toHaveAttribute("aria-expanded", "false");
  await home.field.press("Enter");
  expect((await sent).postDataJSON()).toEqual({ youtubeUrl: expect.any(String), format: "mp3" });
});

test("tags are changed by keyboard alone, and are in the file", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("rain"));
  await expect(opener(page)).toBeVisible();
  await opener(page).focus();
  await page.keyboard.press("Enter");
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

test("formats of Pro are named to free visitors, and cannot be chosen", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("observatory"));
  await opener(page).click();
  await expect(panel(page).locator("[data-format=original]")).toContainText(/about [\d.]+ MB/);
  await panel(page)
    .getByRole("radio", { name: /^Original sound/ })
    .check();
  await expect(stage(page).locator("[data-estimate]")).toHaveText(/^original sound\s*about [\d.]+ MB$/);
  for (const name of ["FLAC", "WAV"]) await expect(panel(page).getByLabel(name)).toBeDisabled();
  await expect(panel(page).locator("[data-format=flac]")).toContainText("with Pro");
  await expect(panel(page).getByRole("link", { name: "Upgrade to Pro" })).toHaveAttribute("href", "/plans");
});

const part = (page: Page) => panel(page).getByRole("group", { name: "A part of it" });
const length = (page: Page) => part(page).locator("[data-chosen-length]");

test("a chapter is taken as the part", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("chapters"));
  await opener(page).click();
  await expect(part(page).locator("[data-chapter]")).toHaveCount(3);
  await part(page).getByLabel("Chapter").selectOption({ label: "0:07 On the tin roof" });
  await expect(part(page).getByLabel("Start", { exact: true })).toHaveValue("0:06.5");
  await expect(part(page).getByLabel("End", { exact: true })).toHaveValue("0:15");
  await part(page).getByLabel("Start of the part").press("ArrowRight");
  await expect(part(page).getByLabel("Chapter")).toHaveValue("");
  await expect.poll(() => violationsOf(page)).toEqual([]);
});

const perChapter = (page: Page) => panel(page).getByRole("checkbox", { name: "One file per chapter" });

test("one file per chapter is named to free visitors where there are chapters, and cannot be chosen", async ({
  page,
  home,
}) => {
  await home.field.fill(await home.sampleLink("chapters"));
  await opener(page).click();
  await expect(perChapter(page)).toBeDisabled();
  await expect(panel(page).locator("[data-chapter-files]")).toContainText("with Pro");
  await home.field.fill(await home.sampleLink("rain"));
  await opener(page).click();
  await expect(tags(page)).toBeVisible();
  await expect(perChapter(page)).toHaveCount(0);
});

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

test("a link with a moment begins there once the choices are open, and Enter alone takes the whole", async ({
  page,
  home,
}) => {
  const link = `${await home.sampleLink("rain")}#t=12`;
  await home.field.fill(link);
  await opener(page).click();
  await expect(length(page)).toHaveText("0:18 chosen");
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/conversions"));
  await home.field.fill("");
  await home.field.fill(link);
  await expect(opener(page)).toBeVisible();
  await home.field.press("Enter");
  expect((await sent).postDataJSON()).toEqual({ youtubeUrl: link, format: "mp3" });
});

test("subtitles are for an MP4, and the preview says where there are none", async ({ page, home }) => {
  const subtitles = panel(page).getByRole("group", { name: "Subtitles" });
  await home.field.fill(await home.sampleLink("rain"));
  await opener(page).click();
  await expect(subtitles).toContainText("This video has no subtitles.");
  await home.field.fill(await home.sampleLink("subtitles"));
  await opener(page).click();
  const language = subtitles.getByRole("combobox");
  await expect(language).toBeDisabled();
  await expect(language).toHaveAccessibleDescription(
    "Choose MP4 to add them, or Transcript for a file of their own: other formats take none.",
  );
  await page.getByRole("radio", { name: "MP4", exact: true }).press("Space");
  await language.focus();
  await chooseByKeys(page, language, /^German/);
  await expect.poll(() => violationsOf(page)).toEqual([]);
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/conversions"));
  await home.field.press("Enter");
  expect((await sent).postDataJSON()).toMatchObject({ format: "mp4", choices: { subtitles: { language: "de" } } });
  await expect(page.getByRole("link", { name: /^Download/ })).toBeVisible();
});

test("a transcript is chosen by keyboard, in a language and as one kind of file", async ({ page, home }) => {
  await home.field.fill(await home.sampleLink("subtitles"));
  await opener(page).focus();
  await page.keyboard.press("Enter");
  const transcript = panel(page).getByRole("radio", { name: /^Transcript/ });
  await transcript.focus();
  await page.keyboard.press("Space");
  await expect(transcript).toBeChecked();
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

test("the language of the sound is the original one, or a chosen one", async ({ page, home }) => {
  await page.route("**/api/preview", async (route) => {
    const answer = await route.fetch();
    const preview = Preview.parse(await answer.json());
    await route.fulfill({ json: { ...preview, details: { soundLanguages: ["fr", "en", "de"] } } });
  });
  await home.field.fill(await home.sampleLink("rain"));
  await opener(page).click();
  const language = panel(page).getByRole("combobox", { name: "Language of the sound" });
  await expect(language.locator("option")).toHaveText(["French (original)", "English", "German"]);
  await expect.poll(() => violationsOf(page)).toEqual([]);
  await language.focus();
  await chooseByKeys(page, language, /^German/);
  const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/conversions"));
  await home.field.press("Enter");
  expect((await sent).postDataJSON()).toMatchObject({ choices: { soundLanguage: "de" } });
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

test("a row says that nothing was known of sponsored segments, in the language of the page", async ({ page, home }) => {
  // They were known when the visitor chose.
  await page.route("**/api/conversions", async (route) => {
    const body: unknown = route.request().postDataJSON();
    const postData = { ...(body as object), choices: { sponsored: "mark" } };
    await (route.request().method() === "POST" ? route.continue({ postData }) : route.continue());
  });
  const row = home.rowOf(await home.convert(youTubeLink(UNKNOWN_VIDEO_ID)));
  await expect(row).toContainText("sponsored segments unknown: left as they are");
  await page.getByLabel("Language").selectOption("es");
  await expect(row).toContainText("segmentos patrocinados desconocidos: sin cambios");
});
