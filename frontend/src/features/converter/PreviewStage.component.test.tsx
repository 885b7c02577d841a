/** The preview of a link before its conversion. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { TYPING_PAUSE_MS } from "../../stores/preview.ts";
import { press, stopClock } from "../../testing/actions.ts";
import { broken, fakeApi, json, unanswered } from "../../testing/fake-api.ts";
import { convert, field, stage } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makePreview } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";
import { violationsOfPage } from "../../testing/violations.ts";

const LINK = "https://video.example/watch/rain";
/** For longer than a request without an answer is repeated. */
const TRIED_MS = 10_000;
const previews = () => fakeApi.bodies("POST /api/preview");
const picture = stage.getBySelector("img");

it("shows a link with picture, length and sizes, and moves nothing", async () => {
  const held = Promise.withResolvers<Response>();
  fakeApi.answer("POST /api/preview", () => held.promise);
  await openPage("/");
  await expect.element(stage).toMatchTextContent("Paste a link anywhere on this page");
  await field.fill(LINK);
  await expect.element(stage).toHaveAttribute("data-preview", "loading");
  const place = convert.element().getBoundingClientRect().top;
  held.resolve(json(makePreview()));
  await expect.element(stage).toMatchTextContent("Rain on a tin roof");
  await expect.element(picture).toHaveAttribute("src", expect.stringMatching(/^data:image\/jpeg/));
  await expect
    .element(stage.getBySelector("[data-estimate=mp3]"))
    .toMatchTextContent(/^MP3 · 128 kbps\s*about [\d.]+ MB$/);
  await expect.element(stage.getBySelector("[data-estimate=mp4]")).toMatchTextContent(/^MP4 · 480p\s*about [\d.]+ MB$/);
  await expect.element(page.getByText(/^Rain on a tin roof, \d+ seconds\.$/)).toBeInTheDocument();
  await page.getByText("MP4", { exact: true }).first().click();
  await expect.element(stage.getBySelector("[data-chosen]")).toMatchTextContent("MP4");
  expect(document.documentElement.scrollWidth).toBe(1280);
  await expect.poll(violationsOfPage).toEqual([]);
  expect(convert.element().getBoundingClientRect().top).toBe(place);
  await field.fill("");
  await expect.element(stage).toHaveAttribute("data-preview", "none");
});

it("shows the newest link when the text changes while an older one is read", async () => {
  fakeApi.answer("POST /api/preview", (call) =>
    JSON.stringify(call.body).includes("slow") ? unanswered(call) : json(makePreview()),
  );
  await openPage("/");
  await field.fill(`${LINK}?slow`);
  await expect.poll(previews).toHaveLength(1);
  await field.fill(LINK);
  await expect.element(stage).toMatchTextContent("Rain on a tin roof");
  expect(fakeApi.aborted).toEqual(["POST /api/preview"]);
});

it("requests one preview after a pause in typing", async () => {
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  await openPage("/");
  await expect.element(field).toBeVisible();
  stopClock();
  await press(field, LINK);
  await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS - 1);
  expect(previews()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await expect.element(stage).toMatchTextContent("Rain on a tin roof");
  expect(previews()).toEqual([{ youtubeUrl: LINK, thumbnail: true }]);
});

it("a video that fits in the other format only is taken in that one", async () => {
  const { estimates } = makePreview();
  const mp4 = { ...estimates.mp4, sizeBytes: null, fits: false };
  fakeApi.answer("POST /api/preview", () => json(makePreview({ estimates: { ...estimates, mp4 } })));
  await openPage("/");
  await page.getByText("MP4", { exact: true }).first().click();
  await field.fill(LINK);
  await expect.element(convert).toHaveAttribute("aria-disabled", "true");
  await page.getBySelector("#converter").getByRole("button", { name: "As MP3" }).click();
  await expect.element(page.getByRole("radio", { name: "MP3", exact: true })).toBeChecked();
  await expect.element(convert).not.toHaveAttribute("aria-disabled", "true");
  expect(fakeApi.bodies("POST /api/conversions")).toEqual([]);
});

it("shows its own text and Retry when the preview has no answer, and blocks nothing", async () => {
  fakeApi.answer("POST /api/preview", broken);
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  await openPage("/");
  await expect.element(field).toBeVisible();
  stopClock();
  await field.fill(LINK);
  await vi.advanceTimersByTimeAsync(TYPING_PAUSE_MS + TRIED_MS);
  vi.useRealTimers();
  const retry = page.getBySelector("#converter").getByRole("button", { name: "Retry" });
  await expect.element(stage).toMatchTextContent("This link cannot be shown beforehand.");
  await expect.poll(violationsOfPage).toEqual([]);
  await expect.element(convert).not.toHaveAttribute("aria-disabled", "true");
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  await retry.click();
  await expect.element(stage).toMatchTextContent("Rain on a tin roof");
  await expect.element(retry).not.toBeInTheDocument();
});

it("the row of a previewed link has title, picture and length at once", async () => {
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  // The response has the job without metadata, and no newer version arrives.
  fakeApi.answer("POST /api/conversions", () => json(makeJob({ id: "unseen", title: LINK })));
  await openPage("/");
  await field.fill(LINK);
  await expect.element(stage).toMatchTextContent("Rain on a tin roof");
  await press(field, "{Enter}");
  const row = page.getBySelector("[data-job=unseen]");
  await expect.element(row.getByRole("heading")).toHaveTextContent("Rain on a tin roof");
  await expect.element(row.getBySelector("img")).toHaveAttribute("src", expect.stringMatching(/^data:image\/jpeg/));
  await expect.element(row).toMatchTextContent("Waiting");
  await expect.element(stage).not.toBeInTheDocument();
});

it("shows each error in one style", async () => {
  const error = { code: "private", message: "This video is private." };
  await openPage("/");
  const colorOf = async (text: string) => {
    const { color, fontWeight } = getComputedStyle(await stage.getByText(text).findElement());
    return [color, fontWeight];
  };
  await press(field, "{Enter}");
  const ofField = await colorOf("Please enter a YouTube URL");
  fakeApi.answer("POST /api/preview", () => json(error, 422));
  await field.fill(LINK);
  expect(await colorOf(error.message)).toEqual(ofField);
  const tooLong = { quality: "128kbps", sizeBytes: null, fits: false, note: null } as const;
  const estimates = { mp3: tooLong, mp4: tooLong };
  fakeApi.answer("POST /api/preview", () => json(makePreview({ estimates })));
  await field.fill(`${LINK}-long`);
  expect(await colorOf("Beyond what your plan allows.")).toEqual(ofField);
});
