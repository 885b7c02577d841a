/** No control of a row comes to where another one was: a finger may be on its way to that one. */
import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import type { Locator } from "vitest/browser";
import { HOUR_MS } from "../../../../common/durations.ts";
import type { Job } from "../../../../common/job.ts";
import { rowNote } from "../../client/row-note.ts";
import { RENDER_INTERVAL_MS } from "../../live/push-buffer.ts";
import { UNDO_MS } from "../../stores/removals.ts";
import { stopClock } from "../../testing/actions.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeJob } from "../../testing/sample-jobs.ts";
import { LANGUAGES } from "../../texts/languages.ts";
import type { Language } from "../../texts/languages.ts";
import { showLanguage } from "../../texts/store.ts";
import { RowAdditions } from "./RowAdditions.tsx";

type Moment = Parameters<typeof makeJob>[0];

const LATER = "2099-01-01T00:00:00.000Z";
const downloadUrl = "/api/conversions/one/file";
const offered = { status: "processing", progress: 40, downloadUrl };

/** Ways that a job goes; each moment is a change of the one before. */
const WAYS: Readonly<Record<string, readonly Moment[]>> = {
  file: [
    { status: "queued" },
    { status: "pending" },
    { status: "processing", progress: 5 },
    offered,
    { ...offered, stage: "convert", progress: 80 },
    { status: "completed", downloadUrl, expiresAt: new Date(Date.now() + HOUR_MS).toISOString() },
    { status: "completed", expiresAt: "2026-01-01T01:00:00.000Z" },
  ],
  failure: [{ status: "queued" }, { status: "processing", progress: 5 }, { status: "failed" }],
  "late-failure": [offered, { status: "failed" }, { status: "queued", attempt: 2 }],
  cancellation: [offered, { status: "canceled" }, { status: "queued", attempt: 2 }, { status: "canceled", attempt: 2 }],
};

const LONGEST_WAY = Math.max(...Object.values(WAYS).map(({ length }) => length));

const jobAt = (id: string, moments: readonly Moment[], index: number) =>
  makeJob({
    id,
    title: "Rain on a tin roof, all night long",
    updatedAt: new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString(),
    ...moments[index],
  });

type Push = Awaited<ReturnType<typeof openPage>>["push"];
type Rectangles = ReadonlyMap<string, DOMRect>;

/** @returns where an element is in the list or row around it, which the page may scroll */
function rectangleIn(around: Element, element: Element): DOMRect {
  const { left, top } = around.getBoundingClientRect();
  const { x, y, width, height } = element.getBoundingClientRect();
  return new DOMRect(x - left, y - top, width, height);
}

/** @returns the rectangles of the controls in a job's row, by their names */
function controlsOf(id: string): Rectangles {
  const row = page.getBySelector(`[data-job="${id}"]`).element();
  const controls = row.querySelectorAll<HTMLElement>(":is(a, button)");
  return new Map([...controls].map((control) => [control.ariaLabel ?? "", rectangleIn(row, control)]));
}

function overlap(a: DOMRect, b: DOMRect): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0.5 && height > 0.5;
}

const isSame = (a: DOMRect, b: DOMRect) =>
  (["left", "top", "width", "height"] as const).every((part) => Math.abs(a[part] - b[part]) <= 0.5);

/** @returns each control that comes to where another one was, or has moved */
function faultsBetween(before: Rectangles, after: Rectangles): string[] {
  return [...after].flatMap(([name, now]) =>
    [...before].flatMap(([earlier, was]) => {
      if (name === earlier) return isSame(now, was) ? [] : [`${name} moves`];
      return overlap(now, was) ? [`${name} comes to where ${earlier} was`] : [];
    }),
  );
}

/** Gives the page news of its jobs, and waits until the rows show them and none moves. */
async function show(news: () => void, jobs: readonly Job[]): Promise<void> {
  news();
  await vi.advanceTimersByTimeAsync(RENDER_INTERVAL_MS);
  const rowOf = ({ id }: Job) => document.querySelector<HTMLElement>(`[data-job="${id}"]`);
  await expect.poll(() => jobs.map((job) => rowOf(job)?.dataset["status"])).toEqual(jobs.map(({ status }) => status));
  await expect.poll(() => document.querySelector("[data-motion=entering]")?.getAnimations().length ?? 0).toBe(0);
}

/**
 * @param language of the page, also in the ids of the jobs, so that each language has its own
 * @returns for each moment of each way the faults since the moment before
 */
async function filmFaults(push: Push, language: Language): Promise<string[]> {
  await showLanguage(language);
  const ways = Object.entries(WAYS).map(([way, moments]) => ({ id: `${way}-${language}`, moments }));
  const first = ways.map(({ id, moments }) => jobAt(id, moments, 0));
  await show(() => push("snapshot", { asOf: LATER, jobs: first }), first);
  const before = new Map(ways.map(({ id }) => [id, controlsOf(id)]));
  for (const controls of before.values()) expect(controls.size).toBeGreaterThan(0);
  const faults: string[] = [];
  for (let index = 1; index < LONGEST_WAY; index++) {
    const going = ways.filter(({ moments }) => index < moments.length);
    const jobs = going.map(({ id, moments }) => jobAt(id, moments, index));
    await show(() => jobs.forEach((job) => push("job", job)), jobs);
    for (const { id } of jobs) {
      const now = controlsOf(id);
      const since = faultsBetween(before.get(id) ?? now, now);
      faults.push(...since.map((fault) => `${id}, moment ${index}: ${fault}`));
      before.set(id, now);
    }
  }
  return faults;
}

it.each([320, 390, 700, 1280])(
  "a row's controls keep their places in all changes of its state (%i wide)",
  async (width) => {
    await page.viewport(width, 800);
    // In the app, app/Later.tsx does this.
    rowNote.setState({ Note: RowAdditions });
    const { push } = await openPage();
    stopClock();
    for (const language of Object.keys(LANGUAGES) as Language[]) expect(await filmFaults(push, language)).toEqual([]);
  },
);

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
  push("job", makeJob({ status: "completed", downloadUrl, expiresAt: LATER, updatedAt: LATER }));
  for (const name of ["Download A clip", "Remove A clip"])
    expect(await tapsOf(page.getBySelector(`[aria-label="${name}"]`))).toEqual(NONE_AT_FIRST);
});

it("Retry failed of a batch comes to where Cancel all was, and takes no tap for 0.7 s", async () => {
  const jobs = ["one", "two"].map((id) => makeJob({ id, batchId: "many" }));
  const { push } = await openPage("/", { jobs });
  for (const job of jobs) push("job", makeJob({ id: job.id, batchId: "many", status: "failed", updatedAt: LATER }));
  expect(await tapsOf(page.getByRole("button", { name: "Retry failed" }))).toEqual(NONE_AT_FIRST);
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
  await openPage("/", { jobs: [makeJob({ status: "completed", downloadUrl, expiresAt: LATER })] });
  const download = await page.getBySelector('[aria-label="Download A clip"]').findElement();
  expect((download as HTMLElement).innerText).toBe(hasWord ? "Download" : "");
});
