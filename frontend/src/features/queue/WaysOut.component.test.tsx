/** What helps after a job has failed, or its file has expired, wherever the job is shown. */
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { press } from "../../testing/actions.ts";
import { fakeApi, json } from "../../testing/fake-api.ts";
import { convert, field } from "../../testing/home.ts";
import { goTo, openPage } from "../../testing/open-page.tsx";
import { makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";

const LINK = "https://video.example/watch/rain";
const LATER = "2099-01-01T00:00:00.000Z";
const posts = () => fakeApi.bodies("POST /api/conversions");
const again = page.getByRole("button", { name: "Convert again: A clip" });
const choices = { part: { startSeconds: 1, endSeconds: 9 } };
const expired = makeJob({ status: "completed", choices, updatedAt: LATER });

it("an expired file is made again, with its choices, also after another visit and on the dashboard", async () => {
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  const { push } = await openPage("/", { user: makeUser() });
  await field.fill(LINK);
  await press(field, "{Enter}");
  await expect.poll(posts).toHaveLength(1);
  push("job", expired);
  fakeApi.answer("POST /api/conversions", () => json(makeJob({ id: "two" })));
  await again.click();
  await expect.poll(posts).toMatchObject([{}, { youtubeUrl: LINK, format: "mp3", choices }]);
  // Another visit: the tab's own storage is empty.
  window.sessionStorage.clear();
  goTo("/dashboard");
  await page.getBySelector("[data-job=one]").getByRole("button", { name: "Convert again: A clip" }).click();
  await expect.poll(posts).toMatchObject([{}, {}, { youtubeUrl: LINK, format: "mp3", choices }]);
});

it("an expired file of another browser leads to the field for its link, in its format", async () => {
  await openPage("/", { jobs: [makeJob({ status: "completed", format: "mp4", quality: "480p" })] });
  await page.getByRole("link", { name: "Convert again: A clip" }).click();
  await expect.element(field).toHaveFocus();
  await expect.element(page.getByRole("radio", { name: "MP4" })).toBeChecked();
});

it("a blocked video is not offered again", async () => {
  await openPage("/", { jobs: [makeJob({ status: "completed", isBlocked: true })] });
  await expect.element(page.getBySelector("[data-job=one]")).toMatchTextContent("Removed");
  await expect.element(page.getByText("Convert again")).not.toBeInTheDocument();
});

const TOO_LARGE = {
  status: "failed",
  format: "mp4",
  quality: "480p",
  durationSeconds: 60,
  error: { code: "too_large", message: "Too large." },
  updatedAt: LATER,
};

it("failed jobs of a batch have the ways out of a single job", async () => {
  const member = (id: string, fields: object = {}) => makeJob({ id, title: id, batchId: "many", ...fields });
  const jobs = ["first", "second"].map((id) => member(id));
  const refused = [{ line: 2, url: "https://video.example/", code: "invalid_link", message: "No video." }];
  fakeApi.answer("POST /api/batch-conversions", () => json({ batchId: "many", jobs, refused }));
  const { push } = await openPage("/", { user: makeUser({ tier: "pro" }) });
  await page.getByText("Batch", { exact: true }).click();
  await page
    .getByLabelText("Video links, one a line")
    .fill("https://video.example/watch/a\nhttps://video.example/\nhttps://video.example/watch/c");
  await page.getByRole("button", { name: "Convert all" }).click();
  await page.getByRole("button", { name: "Batch of 2 videos" }).click();
  push("job", member("second", TOO_LARGE));
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  await page.getByRole("button", { name: "Convert second as MP3" }).click();
  await expect.poll(posts).toMatchObject([{ youtubeUrl: "https://video.example/watch/c", format: "mp3" }]);
  await page.getByRole("link", { name: "Take a part of second" }).click();
  await expect.element(field).toHaveValue("https://video.example/watch/c");
  await expect.element(convert).toBeVisible();
});
