import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { SENTENCES } from "../../../../common/errors.ts";
import { MAX_BATCH_LINKS } from "../../stores/batch.ts";
import { press, stopClock } from "../../testing/actions.ts";
import { fakeApi, json, refusal, unanswered } from "../../testing/fake-api.ts";
import { convert, emptyQueue, field, rows, stage, toast } from "../../testing/home.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeConfig, makePreview, makeUser } from "../../testing/sample-answers.ts";
import { makeJob } from "../../testing/sample-jobs.ts";
import { expectToastShown } from "../../testing/toasts.ts";

const LINK = "https://video.example/watch/rain";
const posts = () => fakeApi.bodies("POST /api/conversions");

it("shows a problem at the field without a request, and clears it at the next key", async () => {
  await openPage("/");
  await expect.element(convert).toBeVisible();
  // No toast closes by itself.
  stopClock();
  await convert.click();
  await expectToastShown("Invalid URL Please enter a YouTube URL");
  await expect.element(field).toHaveAttribute("aria-invalid", "true");
  await expect.element(field).toHaveAccessibleDescription("Please enter a YouTube URL");
  await expect.element(field).toHaveFocus();
  await expect.element(stage).toHaveTextContent("Please enter a YouTube URL");

  await field.fill("https://example.com/watch");
  await expect.element(field).toHaveAttribute("aria-invalid", "false");
  await press(field, "{Enter}");
  await expectToastShown(SENTENCES.unsupported_host);
  await expect.element(page.getBySelector("[data-scope=toast][data-part=root][data-state=open]")).toBeInTheDocument();
  await expect.element(field).toHaveAccessibleDescription(SENTENCES.unsupported_host);
  await press(field, "a");
  await expect.element(field).toHaveAttribute("aria-invalid", "false");
  expect(posts()).toEqual([]);
});

it("shows a problem below the job that is in the place of the preview", async () => {
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
  await expect.element(rows).toBeVisible();
  await press(field, "{Enter}");
  await expect.element(field).toHaveAccessibleDescription("Please enter a YouTube URL");
  await expect.element(rows).toBeVisible();
});

it("keeps a rejected link in the field and shows the server's reason, or its own text without one", async () => {
  const sentence = "This link leads to a place Tapedeck does not open.";
  fakeApi.answer("POST /api/conversions", () => refusal(422, "invalid_url", sentence));
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
  await expectToastShown(`Conversion Failed ${sentence}`);
  await expect.element(field).toHaveValue(LINK);
  await expect.element(rows).not.toBeInTheDocument();
  fakeApi.answer("POST /api/conversions", () => new Response("", { status: 500 }));
  await press(field, "{Enter}");
  await expectToastShown("Failed to start conversion");
});

it("cancels a request in progress, and removes the job that the server has made of it", async () => {
  let isAsked = false;
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  // The first one is not answered: it ends when the page aborts it.
  fakeApi.answer("POST /api/conversions", (call) => {
    if (isAsked) return json(makeJob());
    isAsked = true;
    return unanswered(call);
  });
  fakeApi.answer("DELETE /api/conversions/one", () => new Response(null, { status: 204 }));
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await expectToastShown("Conversion Canceled URL conversion has been canceled");
  await expect.element(field).toHaveValue("");
  await expect.element(convert).toBeEnabled();
  await expect.poll(() => fakeApi.bodies("DELETE /api/conversions/one")).toHaveLength(1);
  const keys = fakeApi.calls.filter(({ route }) => route === "POST /api/conversions").map(({ key }) => key);
  expect(keys[1]).toBe(keys[0]);
  await expect.element(emptyQueue).toBeVisible();
});

async function startAt(width: number): Promise<void> {
  await page.viewport(width, 664);
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
  await expect.element(rows).toMatchTextContent("Waiting");
}

it("a start is told in the row, and by a toast where the bar has room", async () => {
  await startAt(1280);
  await expect.poll(() => fakeApi.bodies("POST /api/conversions")).toHaveLength(1);
  await expectToastShown("Conversion Started Your video has been added to the queue!");
  await expect.element(page.getByText("Your video has been added to the queue!").first()).toBeVisible();
});

it("a start is told by the row alone on a phone, without a sentence that would take a second line", async () => {
  await startAt(390);
  for (const sentence of page.getByText("Your video has been added to the queue!").elements())
    expect(sentence.checkVisibility()).toBe(false);
  await expect.element(toast).not.toBeInTheDocument();
});

it("Cancel comes to no place of another control of the form, and nothing that moves takes a tap at once", async () => {
  await page.viewport(390, 664);
  fakeApi.answer("POST /api/preview", () => json(makePreview()));
  fakeApi.answer("POST /api/conversions", unanswered);
  await openPage("/");
  const paste = page.getByRole("button", { name: "Paste" });
  const { left, width } = (await paste.findElement()).getBoundingClientRect();
  await field.fill(LINK);
  await press(field, "{Enter}");
  const untouched = document.querySelector("main")?.getAnimations()[0];
  expect(untouched?.effect?.getTiming().duration).toBe(700);
  expect(getComputedStyle(page.getBySelector("button[type=submit]").element()).pointerEvents).toBe("none");
  untouched?.finish();
  const cancel = await page.getByRole("button", { name: "Cancel", exact: true }).findElement();
  if (!(cancel instanceof HTMLElement)) throw new Error("no button");
  expect(getComputedStyle(cancel).pointerEvents).toBe("auto");
  expect(cancel.getBoundingClientRect().right).toBeLessThan(left);
  expect(paste.element().getBoundingClientRect()).toMatchObject({ left, width });
  await expect.element(paste).toBeDisabled();
  cancel.click();
});

it("says that a link is on its way in a word that is not pale", async () => {
  // As in the page, where the rules before it are over.
  document.documentElement.dataset["live"] = "";
  onTestFinished(() => void delete document.documentElement.dataset["live"]);
  fakeApi.answer("POST /api/conversions", unanswered);
  await openPage("/");
  await field.fill(LINK);
  await press(field, "{Enter}");
  const submit = page.getBySelector("button[type=submit]");
  await expect.element(submit).toHaveTextContent("Starting…");
  expect(getComputedStyle(submit.element()).opacity).toBe("1");
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
});

it("the Paste button fills and focuses the field; the hint shows the quality of the chosen format", async () => {
  await openPage("/");
  await expect.element(field).toHaveAccessibleDescription("128 kbps · Pro makes it 320");
  await page.getByText("MP4", { exact: true }).first().click();
  await expect.element(field).toHaveAccessibleDescription("480p · Pro makes it 1080p");
  await navigator.clipboard.writeText("https://youtu.be/aqz-KE-bpKQ");
  await page.getByRole("button", { name: "Paste" }).click();
  await expect.element(field).toHaveValue("https://youtu.be/aqz-KE-bpKQ");
  await expect.element(field).toHaveFocus();
});

it("shows the usual duration only when it is known, and not beside a job", async () => {
  fakeApi.answer("GET /api/config", () => json(makeConfig({ usualSeconds: 13.4 })));
  fakeApi.answer("POST /api/conversions", () => json(makeJob()));
  await openPage("/");
  const usual = page.getByText("Usually ready in 14 seconds");
  await expect.element(usual).toBeVisible();
  await field.fill(LINK);
  await press(field, "{Enter}");
  await expect.element(usual).not.toBeVisible();
  await expect.element(rows).toMatchTextContent("Waiting");
});

it("does not show an unknown usual duration", async () => {
  await openPage("/");
  await expect.element(emptyQueue).toBeVisible();
  await expect.element(page.getByText(/Usually ready/)).not.toBeInTheDocument();
});

it("counts the links of a batch while typing and rejects too few or too many", async () => {
  await openPage("/", { user: makeUser({ tier: "pro" }) });
  await page.getByText("Batch", { exact: true }).click();
  const lines = page.getByLabelText("Video links, one a line");
  const count = page.getBySelector("#converter").getByText(/found URLs? out of/);
  const all = page.getByRole("button", { name: "Convert all" });
  await expect.element(count).toMatchTextContent(`0 found URLs out of ${MAX_BATCH_LINKS}`);
  await lines.fill("nothing\n\nhttps://example.com/x");
  await all.click();
  await expectToastShown("No Valid URLs Please enter at least one valid YouTube URL");
  const tooMany = Array.from({ length: MAX_BATCH_LINKS + 1 }, (_, n) => `https://youtu.be/video-${10_000 + n}`);
  await lines.fill(tooMany.join("\n"));
  await expect.element(count).toMatchTextContent(`${MAX_BATCH_LINKS + 1} found URLs out of ${MAX_BATCH_LINKS}`);
  await all.click();
  await expectToastShown(`Too Many URLs Pro users can process up to ${MAX_BATCH_LINKS} URLs at once`);
  expect(fakeApi.bodies("POST /api/batch-conversions")).toEqual([]);
  fakeApi.answer("POST /api/batch-conversions", () => new Response("", { status: 500 }));
  await lines.fill("https://youtu.be/aqz-KE-bpKQ");
  await all.click();
  await expectToastShown("Batch Failed Failed to start batch conversion");
});
