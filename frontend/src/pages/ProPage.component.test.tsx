import { beforeEach, expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "../testing/actions.ts";
import { fakeApi, json } from "../testing/fake-api.ts";
import { filledButtons } from "../testing/filled-buttons.ts";
import { field } from "../testing/home.ts";
import { openPage } from "../testing/open-page.tsx";
import { makePreview, makeUser } from "../testing/sample-answers.ts";
import { makeReadyJob } from "../testing/sample-jobs.ts";

const LINK = "https://video.example/watch/rain";
const user = makeUser({ tier: "pro" });

beforeEach(() => fakeApi.answer("POST /api/preview", () => json(makePreview())));

it("fills the Download in the converter alone, though the list has the same job", async () => {
  const [made, older] = [makeReadyJob("made", 9), makeReadyJob("older", 8)];
  fakeApi.answer("POST /api/conversions", () => json(made));
  await openPage("/pro", { user, jobs: [older] });
  await expect.poll(filledButtons).toEqual(["Download Tape older"]);
  await field.fill(LINK);
  await expect.poll(filledButtons).toEqual(["Convert"]);
  await press(field, "{Enter}");
  const downloads = page.getByRole("link", { name: "Download Tape made" });
  await expect.poll(() => downloads.elements()).toHaveLength(2);
  await expect.poll(filledButtons).toEqual(["Download Tape made"]);
  expect(page.getBySelector("#job-place").element().contains(downloads.first().element())).toBe(true);
  await downloads.first().click();
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.poll(filledButtons).toEqual(["Download Tape older"]);
});

it("fills Convert all, and no Download, while the batch has lines", async () => {
  await openPage("/pro", { user, jobs: [makeReadyJob("one", 8)] });
  await page.getByText("Batch", { exact: true }).click();
  await expect.poll(filledButtons).toEqual(["Download Tape one"]);
  await page.getByLabelText("Video links, one a line").fill(LINK);
  await expect.poll(filledButtons).toEqual(["Convert all"]);
});
