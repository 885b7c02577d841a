/** No control of a row comes to where another one was. The other widths and views are in `places.full.component.test.tsx`. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import type { Locator } from "vitest/browser";
import { UNDO_MS } from "../../stores/removals.ts";
import { stopClock } from "../../testing/actions.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { filmBatch, filmRows, receipt, rectangleIn } from "../../testing/row-film.ts";
import { makeJob } from "../../testing/sample-jobs.ts";

const LATER = "2099-01-01T00:00:00.000Z";
const FINISHED = { status: "completed", downloadUrl: "/api/conversions/one/file", expiresAt: LATER } as const;

it.each([390, 1280])("controls keep their places in all changes of a job (%i wide)", async (width) => {
  expect(await filmRows("queue", width)).toEqual([]);
});

it("controls keep their places in all changes of a batch", async () => {
  expect(await filmBatch(390)).toEqual([]);
});

/** @returns for how long a control that has just come takes no tap, and whether it takes one before and after */
async function tapsOf(locator: Locator) {
  const control = await locator.findElement();
  const untouched = control.getAnimations()[0];
  untouched?.pause();
  const before = getComputedStyle(control).pointerEvents;
  untouched?.finish();
  return { ms: untouched?.effect?.getTiming().duration, before, after: getComputedStyle(control).pointerEvents };
}

const NONE_AT_FIRST = { ms: 700, before: "none", after: "auto" };

it("a control that has just come takes no tap for 0.7 s", async () => {
  const { push } = await openPage("/", { jobs: [makeJob()] });
  push("job", makeJob({ ...FINISHED, receipt, updatedAt: LATER }));
  for (const name of ["Download A clip", "Remove A clip", "Ready: Where the time went"])
    expect(await tapsOf(page.getBySelector(`[aria-label="${name}"]`))).toEqual(NONE_AT_FIRST);
});

const ENDED = ["first", "second"].map((id) => makeJob({ id, title: id, status: "canceled" }));

it("a row that the pointer has removed keeps its place, with Undo in it, until the pointer leaves", async () => {
  await openPage("/", { jobs: ENDED });
  const remove = page.getByRole("button", { name: "Remove first" });
  const list = await page.getByRole("list", { name: "Conversions" }).findElement();
  const otherRow = await page.getBySelector("[data-job=second]").findElement();
  const { top } = rectangleIn(list, otherRow);
  await remove.click();
  const place = page.getBySelector("[data-removal=first]");
  await expect.element(place).toMatchTextContent("first");
  expect(rectangleIn(list, otherRow).top).toBe(top);
  await place.getByRole("button", { name: /^Undo/ }).click();
  await expect.element(remove).toBeVisible();

  await remove.click();
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.element(page.getBySelector("li [data-removal]")).not.toBeInTheDocument();
  // The offer goes on at the place of the toasts.
  await expect.element(page.getByRole("button", { name: "Undo the removal of first" })).toBeVisible();
});

it("a removed row keeps its place for as long as the pointer is there", async () => {
  await openPage("/", { jobs: ENDED });
  const remove = page.getByRole("button", { name: "Remove first" });
  await expect.element(remove).toBeVisible();
  stopClock();
  await remove.click();
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  await expect.element(page.getBySelector("li [data-removal=first]")).toBeVisible();
  expect(fakeApi.bodies("DELETE /api/conversions/first")).toEqual([]);
});

it.each([
  [390, true],
  [640, true],
  [641, false],
  [863, false],
  [864, true],
  [1280, true],
])("Download has its word where there is room: %i wide, %s", async (width, hasWord) => {
  await page.viewport(width, 800);
  await openPage("/", { jobs: [makeJob(FINISHED)] });
  const download = await page.getBySelector('[aria-label="Download A clip"]').findElement();
  expect((download as HTMLElement).innerText).toBe(hasWord ? "Download" : "");
});
