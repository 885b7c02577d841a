/** What the row of a file shows while it is played, with players that load nothing. */
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { MockInstance } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Job } from "../../../../common/job.ts";
import { player } from "../../client/player.ts";
import { rowNote } from "../../client/row-note.ts";
import { broken, fakeApi } from "../../testing/fake-api.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeJob, makeReadyJob } from "../../testing/sample-jobs.ts";
import { violationsIn, violationsInDark } from "../../testing/violations.ts";
import { showLanguage } from "../../texts/store.ts";
import { RowAdditions } from "./RowAdditions.tsx";

const media = HTMLMediaElement.prototype;
/** How far a player has loaded its file. */
const LOADED_SECONDS = 60;

const made = { durationSeconds: 180, downloadUrl: "/api/conversions/one/file", updatedAt: "2026-01-01T12:00:01Z" };
const FINISHED: readonly Job[] = ["a", "b"].map((id) => ({ ...makeReadyJob(id, 1), durationSeconds: 180 }));

const rowOf = (id: string) => page.getBySelector(`[data-job=${id}]`);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const line = page.getByRole("slider");

/** The player that the page has begun last. */
let current: HTMLMediaElement;
const begin = (element: HTMLMediaElement): void => void (current = element);
let play: MockInstance<typeof media.play>;

beforeEach(() => {
  play = vi.spyOn(media, "play").mockImplementation(function (this: HTMLMediaElement) {
    begin(this);
    Object.defineProperty(this, "paused", { value: false, configurable: true });
    this.dispatchEvent(new Event("play"));
    return Promise.resolve();
  });
  vi.spyOn(media, "pause").mockImplementation(function (this: HTMLMediaElement) {
    Object.defineProperty(this, "paused", { value: true, configurable: true });
    this.dispatchEvent(new Event("pause"));
  });
  vi.spyOn(media, "load").mockImplementation(() => undefined);
  vi.spyOn(media, "src", "set").mockImplementation(() => undefined);
  const buffered = { length: 1, start: () => 0, end: () => LOADED_SECONDS };
  vi.spyOn(media, "buffered", "get").mockReturnValue(buffered);
});
afterEach(() => {
  player.stop();
  vi.restoreAllMocks();
});

function playTo(seconds: number): void {
  current.currentTime = seconds;
  current.dispatchEvent(new Event("timeupdate"));
}

it("a finished file is played, paused, moved by keys, and its row is as before at the end", async () => {
  await openPage("/", { jobs: FINISHED });
  await expect.element(rowOf("a")).toMatchTextContent("Ready");
  await button("Play Tape a").click();
  await expect.element(button("Pause Tape a")).toBeVisible();
  await expect.element(rowOf("a")).not.toMatchTextContent("Ready");
  playTo(65);
  await expect.element(line).toHaveAttribute("aria-valuetext", "1:05 of 3:00");
  await expect.element(rowOf("a")).toMatchTextContent("1:05");
  expect(await violationsIn(rowOf("a"))).toEqual([]);
  await expect.poll(violationsInDark).toEqual([]);

  (line.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(current.currentTime).toBe(66);
  await userEvent.keyboard("{End}");
  expect(current.currentTime).toBe(180);

  await button("Pause Tape a").click();
  await expect.element(button("Play Tape a")).toBeVisible();
  await button("Play Tape a").click();
  (line.element() as HTMLElement).focus();
  current.dispatchEvent(new Event("ended"));
  await expect.element(rowOf("a")).toMatchTextContent("Ready");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Play Tape a");
});

it.each([390, 1280])("the line ends before the way to another device (%i wide)", async (width) => {
  await page.viewport(width, 800);
  onTestFinished(() => page.viewport(1280, 800));
  rowNote.setState({ Note: RowAdditions });
  await openPage("/", { jobs: FINISHED });
  await button("Play Tape a").click();
  const toPhone = await button("To my phone: Tape a").findElement();
  const { left } = toPhone.getBoundingClientRect();
  expect((await line.findElement()).getBoundingClientRect().right).toBeLessThanOrEqual(left);
});

it("another row stops the first", async () => {
  await openPage("/", { jobs: FINISHED });
  await button("Play Tape a").click();
  const first = current;
  await button("Play Tape b").click();
  expect([first.paused, current.paused]).toEqual([true, false]);
  await expect.element(button("Play Tape a")).toBeVisible();
  await expect.element(line).toHaveAttribute("aria-label", "Position in Tape b");
});

it("the lock screen and the keys of a headset have the title and the picture while a file is played", async () => {
  const { mediaSession } = navigator;
  await openPage("/", { jobs: [{ ...FINISHED[0], thumbnailUrl: "/api/conversions/a/thumbnail" } as Job] });
  await button("Play Tape a").click();
  const artwork = mediaSession.metadata?.artwork.map(({ src }) => new URL(src).pathname);
  expect([mediaSession.metadata?.title, artwork]).toEqual(["Tape a", ["/api/conversions/a/thumbnail"]]);
  player.stop();
  expect(mediaSession.metadata).toBeNull();
});

/** An answer with a length, which the element then loads itself. */
const sized = () => new Response("a", { headers: { "Content-Length": "1", "Content-Type": "audio/mpeg" } });

it("a file that is still made is moved within what is there, and its percent stays", async () => {
  fakeApi.answer("GET /api/conversions/one/file", sized);
  await openPage("/", { jobs: [makeJob({ status: "processing", progress: 40, ...made })] });
  await button("Play A clip").click();
  await expect.element(button("Pause A clip")).toBeVisible();
  await expect.poll(() => play.mock.calls.length).toBe(1);
  playTo(5);
  await line.fill("170");
  expect(current.currentTime).toBe(LOADED_SECONDS);
  await expect.element(rowOf("one")).toMatchTextContent(/40\s%/);
  await line.fill("3");
  expect(current.currentTime).toBe(3);
});

it("a broken way to the file is said, and the next press goes on from there", async () => {
  await openPage("/", { jobs: FINISHED });
  await button("Play Tape a").click();
  playTo(50);
  current.dispatchEvent(new Event("error"));
  await expect.element(rowOf("a")).toMatchTextContent("Playback broke off. Press play again, or download the file.");
  await expect.element(line).not.toBeInTheDocument();
  const first = current;
  await button("Play Tape a").click();
  expect([current === first, current.currentTime]).toEqual([false, 50]);
  await expect.element(rowOf("a")).not.toMatchTextContent("broke off");
});

it("a file that is still made and cannot be got is said to have broken off", async () => {
  fakeApi.answer("GET /api/conversions/one/file", broken);
  await openPage("/", { jobs: [makeJob({ status: "processing", ...made })] });
  await button("Play A clip").click();
  await expect.element(rowOf("one")).toMatchTextContent("Playback broke off.");
  await expect.element(button("Play A clip")).toBeVisible();
  expect(play).not.toHaveBeenCalled();
});

it.each([
  [true, 2],
  [false, 1],
] as const)("a file that breaks off when it is finished goes on as it was: playing %s", async (isPlaying, plays) => {
  fakeApi.answer("GET /api/conversions/one/file", sized);
  const { push } = await openPage("/", { jobs: [makeJob({ status: "processing", ...made })] });
  await button("Play A clip").click();
  await expect.poll(() => play.mock.calls.length).toBe(1);
  const early = current;
  playTo(20);
  push(
    "job",
    makeJob({ ...made, status: "completed", expiresAt: "2099-01-01T00:00:00Z", updatedAt: "2026-01-02T00:00:00Z" }),
  );
  await expect.element(rowOf("one")).toHaveAttribute("data-status", "completed");
  expect(current).toBe(early);
  if (!isPlaying) await button("Pause A clip").click();
  early.dispatchEvent(new Event("error"));
  expect(play).toHaveBeenCalledTimes(plays);
  if (!isPlaying) await button("Play A clip").click();
  expect([current === early, current.currentTime]).toEqual([false, 20]);
  await expect.element(button("Pause A clip")).toBeVisible();
});

it.each([
  ["is canceled", { status: "canceled" }, "Canceled"],
  ["fails", { status: "failed" }, "Failed"],
  ["starts over", { status: "queued", attempt: 2 }, "The conversion starts over."],
])("a job that %s ends its player", async (_, change, words) => {
  fakeApi.answer("GET /api/conversions/one/file", sized);
  const { push } = await openPage("/", { jobs: [makeJob({ status: "processing", ...made })] });
  await button("Play A clip").click();
  await expect.poll(() => play.mock.calls.length).toBe(1);
  push("job", makeJob({ ...change, updatedAt: "2026-01-02T00:00:00Z" }));
  await expect.element(rowOf("one")).toHaveAttribute("data-status", change.status);
  await expect.element(line).not.toBeInTheDocument();
  expect(current.paused).toBe(true);
  await expect.element(rowOf("one")).toMatchTextContent(words);
});

it("what browsers do not play has no button", async () => {
  const kinds = [{ format: "transcript" }, { choices: { chapterFiles: true } }, { format: "wav" }];
  const jobs = kinds.map((kind, index) => ({ ...makeReadyJob(`k${index}`, index + 1), ...kind }) as Job);
  await openPage("/", { jobs });
  await expect.element(button("Play Tape k2")).toBeVisible();
  await expect.element(button("Play Tape k0")).not.toBeInTheDocument();
  await expect.element(button("Play Tape k1")).not.toBeInTheDocument();
});

it.each([360, 390])(
  "a row of a phone (%i wide) keeps its height while it is played, in each language",
  async (width) => {
    await page.viewport(width, 664);
    await openPage("/", { jobs: FINISHED });
    await button("Play Tape a").click();
    const height = () => Math.floor(rowOf("a").getBySelector("article").element().getBoundingClientRect().height);
    for (const language of ["en", "ar", "de", "es", "hi"] as const) {
      await showLanguage(language);
      await expect.element(line).toBeVisible();
      expect([language, height()]).toEqual([language, 88]);
    }
  },
);
