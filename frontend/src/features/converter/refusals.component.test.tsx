/** Why the server has refused a link: told in the place of its preview, where the visitor looks. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { SENTENCES } from "../../../../common/errors.ts";
import { takeTaps, press } from "../../testing/actions.ts";
import { fakeApi, json, refusal, unanswered } from "../../testing/fake-api.ts";
import { convert, field, rows, stage } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makePreview, makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";
import { expectToastShown } from "../../testing/toasts.ts";
import { violationsOfPage } from "../../testing/violations.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import type { Language } from "../../texts/languages.ts";
import { currentTexts, showLanguage } from "../../texts/store.ts";

const LINK = "https://video.example/watch/rain";

/** Sends a link whose preview has no answer yet, and whose conversion is refused. */
async function sendRefused(code: keyof typeof SENTENCES, width = 390, status = 422): Promise<void> {
  await page.viewport(width, 664);
  fakeApi.answer("POST /api/preview", unanswered);
  fakeApi.answer("POST /api/conversions", () => refusal(status, code, SENTENCES[code]));
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
}

/** The page may scroll meanwhile. */
const convertBelowField = () =>
  convert.element().getBoundingClientRect().top - field.element().getBoundingClientRect().top;

const styleOf = async (text: string) => {
  const { color, fontWeight } = getComputedStyle(await stage.getByText(text).findElement());
  return { color, fontWeight };
};

it("stands in the place of the preview in every language, beside the toast", async () => {
  await sendRefused("private");
  await expect.element(field).toHaveAccessibleDescription(SENTENCES.private);
  await expectToastShown(`Conversion Failed ${SENTENCES.private}`);
  const place = convertBelowField();
  const styles = [await styleOf(SENTENCES.private)];
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await showLanguage(language);
    const sentence = language === "en" ? SENTENCES.private : currentTexts().errors.private;
    await expect.element(page.getBySelector("[data-preview]")).toHaveTextContent(sentence);
    expect(document.querySelector("[data-preview]")?.scrollWidth).toBeLessThanOrEqual(390);
  }
  await showLanguage("en");
  expect(convertBelowField()).toBe(place);
  await expect.element(convert).toHaveAttribute("aria-disabled", "true");
  await expect.poll(violationsOfPage).toEqual([]);

  await field.fill("");
  await press(field, "{Enter}");
  styles.push(await styleOf("Please enter a YouTube URL"));
  expect(styles[1]).toEqual(styles[0]);
});

it("stands there beside the toast of a wide window", async () => {
  await sendRefused("queue_full", 1280, 503);
  await expect.element(stage).toHaveTextContent(SENTENCES.queue_full);
  await expectToastShown(`Conversion Failed ${SENTENCES.queue_full}`);
});

it("has Pro as the way out where Pro helps, until the link is another", async () => {
  await sendRefused("too_long");
  const upgrade = page.getBySelector("#converter").getByRole("link", { name: "Upgrade to Pro" });
  await expect.element(upgrade).toBeVisible();
  await field.fill(`${LINK}-short`);
  await expect.element(upgrade).not.toBeInTheDocument();
  await expect.element(convert).not.toHaveAttribute("aria-disabled", "true");
});

it("is over once the same link is taken", async () => {
  await sendRefused("rate_limited", 390, 429);
  await expect.element(stage).toHaveTextContent(SENTENCES.rate_limited);
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  takeTaps(document.querySelector("main"));
  await press(field, "{Enter}");
  await expect.element(rows).toMatchTextContent("Waiting");
  await expect.element(field).toHaveAccessibleDescription("128 kbps · Pro makes it 320");
});

it("says what to do where the server has given no reason", async () => {
  fakeApi.answer("POST /api/preview", unanswered);
  fakeApi.answer("POST /api/conversions", () => new Response("", { status: 500 }));
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
  await expectToastShown("Conversion Failed Failed to start conversion");
  await expect.element(stage).toHaveTextContent(SENTENCES.internal);
});

it("opens the list of a link that is refused because it is one", async () => {
  await sendRefused("playlist");
  await expect.element(page.getBySelector("[data-list]")).toBeVisible();
});

it("takes the place of the sizes of a video that is shown", async () => {
  await page.viewport(390, 664);
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  fakeApi.answer("POST /api/conversions", () => refusal(503, "queue_full", SENTENCES.queue_full));
  await openPage("/");
  await field.fill(LINK);
  await expect.element(stage).toMatchTextContent("Rain on a tin roof");
  const place = convertBelowField();
  await press(field, "{Enter}");
  await expect.element(stage).toMatchTextContent(`Rain on a tin roof${SENTENCES.queue_full}`);
  await expect.element(field).toHaveAccessibleDescription(SENTENCES.queue_full);
  await expect.element(convert).toBeEnabled();
  expect(convertBelowField()).toBe(place);
  await page.getByText("MP4", { exact: true }).first().click();
  await expect.element(stage.getBySelector("[data-estimate=mp4]")).toBeVisible();
});

async function sendBatch(text: string, answer: Response): Promise<void> {
  await page.viewport(390, 664);
  fakeApi.answer("POST /api/batch-conversions", () => answer);
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  await page.getByText("Batch", { exact: true }).click();
  await page.getByLabelText("Video links, one a line").fill(text);
  await page.getByRole("button", { name: "Convert all" }).click();
}

it("of a whole batch stands beside its lines until they are changed", async () => {
  await sendBatch(LINK, refusal(503, "queue_full", SENTENCES.queue_full));
  const lines = page.getByLabelText("Video links, one a line");
  await expect.element(lines).toHaveAccessibleDescription(SENTENCES.queue_full);
  await lines.fill(`${LINK}-other`);
  await expect.element(lines).toHaveAccessibleDescription(/^320 kbps/);
});

it("of one of several links comes into view below them", async () => {
  const refused = [{ line: 2, url: `${LINK}-private`, code: "private", message: SENTENCES.private }];
  const jobs = [makeJob({ batchId: "many" })];
  await sendBatch(`${LINK}\n${LINK}-private`, json({ batchId: "many", jobs, refused }, 201));
  const region = await page.getByRole("region", { name: "Refused links" }).findElement();
  expect(region.textContent).toContain(`Line 2: ${LINK}-private${SENTENCES.private}`);
  expect(region.getBoundingClientRect().bottom).toBeLessThanOrEqual(664);
});
