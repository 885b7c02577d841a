/** The sheet that cuts a finished file anew. */
import { beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { player } from "../../client/player.ts";
import { rowNote } from "../../client/row-note.ts";
import { press } from "../../testing/actions.ts";
import { broken, fakeApi, json, refusal, unanswered } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeJob } from "../../testing/sample-jobs.ts";
import { violationsInDark, violationsOfPage } from "../../testing/violations.ts";
import { RowAdditions } from "../queue/RowAdditions.tsx";

const CUTS = "POST /api/conversions/one/cuts";
const WAVEFORM = "GET /api/conversions/one/waveform";
const finished = {
  status: "completed",
  downloadUrl: "/api/conversions/one/file",
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  durationSeconds: 60,
} as const;
const job = makeJob(finished);
const sheet = page.getByRole("dialog", { name: "Cut again" });
const cut = sheet.getByRole("button", { name: "Cut", exact: true });
const start = sheet.getByLabelText("Start", { exact: true });
const end = sheet.getByLabelText("End", { exact: true });

beforeEach(async () => {
  // In the app, app/Later.tsx does this.
  rowNote.setState({ Note: RowAdditions });
  const peaks = Array.from({ length: 600 }, (_, at) => Math.round(50 + 45 * Math.sin(at / 9) * Math.sin(at / 70)));
  fakeApi.answer(WAVEFORM, () => json({ peaks }));
  fakeApi.answer(CUTS, ({ body }) => json(makeJob({ id: "two", choices: { part: body } }), 201));
  await page.viewport(390, 844);
});

async function openSheet(shown = job) {
  const opened = await openPage("/", { jobs: [shown] });
  // By keyboard: what has just come takes no tap.
  await press(page.getByRole("button", { name: "Cut again: A clip" }), "{Enter}");
  return opened;
}

it("shows the sound with two handles, and cuts the part that they or the fields name", async () => {
  await openSheet();
  await expect.element(sheet.getBySelector("[data-waveform]")).toBeVisible();
  await expect.element(cut).toBeDisabled();
  await press(sheet.getByRole("slider", { name: "Start of the part" }), "{ArrowRight}{ArrowRight}");
  await expect.element(start).toHaveValue("0:00.2");
  await press(sheet.getByRole("slider", { name: "End of the part" }), "{ArrowLeft}");
  await expect.element(end).toHaveValue("0:59.9");
  await start.fill("0:10.5");
  await end.fill("20");
  await press(end, "{Enter}");
  await expect.element(sheet).toMatchTextContent("0:10 chosen");
  await expect.poll(violationsOfPage).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);
  await cut.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(fakeApi.bodies(CUTS)).toEqual([{ startSeconds: 10.5, endSeconds: 20 }]);
  await expect.element(page.getBySelector("[data-job=two]").first()).toBeInTheDocument();
});

it("names the times of the video for a file that is a part of it", async () => {
  await openSheet(makeJob({ ...finished, choices: { part: { startSeconds: 600, endSeconds: 660 } } }));
  await expect.element(start).toHaveValue("10:00");
  await expect.element(end).toHaveValue("11:00");
  await start.fill("9:00");
  await press(start, "{Enter}");
  await expect.element(start).toHaveValue("10:00");
  await end.fill("11:30");
  await press(end, "{Enter}");
  await expect.element(sheet.getByRole("alert").first()).toMatchTextContent("The video ends at 11:00.");
});

it("cuts nothing while a time is not taken", async () => {
  await openSheet();
  await end.fill("50");
  await press(end, "{Enter}");
  await start.fill("soon");
  await cut.click();
  await expect.element(start).toHaveFocus();
  expect(fakeApi.bodies(CUTS)).toEqual([]);
  await start.fill("0:30");
  await cut.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(fakeApi.bodies(CUTS)).toEqual([{ startSeconds: 30, endSeconds: 50 }]);
});

it("cuts also without the sound, which can be asked for again", async () => {
  fakeApi.answer(WAVEFORM, () => refusal(503, "unavailable_now", "There is no waveform of this file."));
  await openSheet();
  await expect.element(sheet).toMatchTextContent("You can cut without it.");
  await expect.poll(violationsOfPage).toEqual([]);
  fakeApi.answer(WAVEFORM, unanswered);
  await sheet.getByRole("button", { name: "Try again" }).click();
  await expect.element(sheet).toMatchTextContent("Drawing the sound…");
  await start.fill("30");
  await press(start, "{Enter}");
  await cut.click();
  await expect.element(sheet).not.toBeInTheDocument();
  expect(fakeApi.bodies(CUTS)).toEqual([{ startSeconds: 30, endSeconds: 60 }]);
  expect(fakeApi.aborted).toContain(WAVEFORM);
});

it("says why nothing was cut, and cuts at the next press", async () => {
  await openSheet();
  await start.fill("30");
  await press(start, "{Enter}");
  fakeApi.answer(CUTS, () => refusal(429, "rate_limited", "Too many conversions in one minute."));
  await cut.click();
  await expect.element(sheet).toMatchTextContent("Too many conversions in one minute.");
  fakeApi.answer(CUTS, () => refusal(404, "not_found", "That conversion does not exist any more."));
  await cut.click();
  await expect.element(sheet).toMatchTextContent("does not exist any more");
  fakeApi.answer(CUTS, () => json(makeJob({ id: "two" }), 201));
  await cut.click();
  await expect.element(sheet).not.toBeInTheDocument();
});

it("says so when there is no network", async () => {
  await openSheet();
  await start.fill("30");
  await press(start, "{Enter}");
  fakeApi.answer(CUTS, broken);
  await cut.click();
  await expect.element(sheet, { timeout: 10_000 }).toMatchTextContent("Check your connection");
});

it("says what to do once the file has expired", async () => {
  const { push } = await openSheet();
  await expect.element(cut).toBeVisible();
  push("job", makeJob({ ...finished, downloadUrl: undefined, updatedAt: finished.expiresAt }));
  await expect.element(sheet).toMatchTextContent("Convert the part from its link.");
  await expect.element(cut).toBeDisabled();
});

it("plays three seconds at each seam, by the times of the file", async () => {
  const play = vi.spyOn(player, "playPiece").mockReturnValue();
  await openSheet(makeJob({ ...finished, choices: { part: { startSeconds: 600, endSeconds: 660 } } }));
  await start.fill("10:10");
  await press(start, "{Enter}");
  await sheet.getByRole("button", { name: "Hear the start" }).click();
  await sheet.getByRole("button", { name: "Hear the end" }).click();
  expect(play.mock.calls.map(([, from, to]) => [from, to])).toEqual([
    [10, 13],
    [57, 60],
  ]);
  play.mockRestore();
});

it.each([
  { format: "transcript" },
  { choices: { chapterFiles: true } },
  { choices: { sponsored: "cut" } },
  { durationSeconds: 1.5 },
])("is not offered for %j", async (about) => {
  await openPage("/", { jobs: [makeJob({ ...finished, ...about })] });
  await expect.element(page.getByRole("button", { name: "To my phone: A clip" })).toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Cut again: A clip" })).not.toBeInTheDocument();
});
