/**
 * What rows say where a browser does not save a file by itself. Download is pressed by keyboard, because it takes no tap
 * just after it has come.
 */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { downloadNotes } from "../../client/download-notes.ts";
import { jobs, ownLinks } from "../../client/stores.ts";
import { fakeApi, json, refusal } from "../../testing/fake-api.ts";
import type { Answer } from "../../testing/fake-api.ts";
import { press } from "../../testing/actions.ts";
import type { SavingApp } from "../../platform/saving-app.ts";
import { MAX_SHARED_BYTES } from "../../ready/share-file.ts";
import { watchDownloads } from "../../ready/watch-downloads.ts";
import { violationsOfPage } from "../../testing/violations.ts";
import { openPage } from "../../testing/open-page.tsx";
import { makeJob } from "../../testing/sample-jobs.ts";
import { rowNote } from "../../client/row-note.ts";
import { DownloadNote } from "./DownloadNote.tsx";

const INSTALLED: SavingApp = { kind: "installed", isAndroid: false };
const LINK = "https://youtu.be/dQw4w9WgXcQ";
const job = makeJob({
  status: "completed",
  downloadUrl: "/api/conversions/one/file",
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});
const row = page.getBySelector("[data-job=one]");
const download = row.getByRole("link", { name: "Download A clip" });

let stop: (() => void) | undefined;
const share = vi.fn<Navigator["share"]>();
const answerFile = vi.fn<typeof window.fetch>();

async function openIn(app: SavingApp | null, shown = [job]): Promise<void> {
  // In the app, app/Later.tsx does this, which comes after the first scripts.
  rowNote.setState({ Note: DownloadNote });
  stop = watchDownloads({
    jobs,
    notes: downloadNotes,
    app,
    sharer: { fetch: answerFile, share, canShare: () => true },
    download: () => undefined,
  });
  await openPage("/", { jobs: shown });
}

beforeEach(() => page.viewport(390, 844));
afterEach(() => {
  stop?.();
  downloadNotes.setState(downloadNotes.getInitialState(), true);
  share.mockReset();
  answerFile.mockReset();
});

/** Where Download is. */
const place = () => {
  const { x, y, width, height } = download.element().getBoundingClientRect();
  return [x, y + window.scrollY, width, height];
};

it("an installed iPhone app says how the file is loaded, opens the share menu, and moves nothing", async () => {
  const answer = Promise.withResolvers<Response>();
  answerFile.mockReturnValue(answer.promise);
  share.mockRejectedValueOnce(new DOMException("", "NotAllowedError")).mockResolvedValue();
  await openIn(INSTALLED);
  await expect.element(row).toMatchTextContent("Download opens the share menu");
  const before = place();
  await press(download, "{Enter}");
  await expect.element(row).toMatchTextContent("Loading the file…");
  expect(place()).toEqual(before);
  answer.resolve(new Response("song", { headers: { "Content-Disposition": 'attachment; filename="song.mp3"' } }));
  await expect.element(row).toMatchTextContent("The file is loaded. Press Download again.");
  expect(place()).toEqual(before);
  await press(download, "{Enter}");
  await expect.element(row).toMatchTextContent("Download opens the share menu");
  expect(share.mock.lastCall?.[0]?.files?.map(({ name }) => name)).toEqual(["song.mp3"]);
  expect(answerFile).toHaveBeenCalledTimes(1);
});

it("an installed iPhone app says what to do when the file cannot be loaded or is too large", async () => {
  answerFile.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  answerFile.mockResolvedValueOnce(
    new Response("song", { headers: { "Content-Length": String(MAX_SHARED_BYTES + 1) } }),
  );
  await openIn(INSTALLED);
  await expect.element(row).toMatchTextContent("share menu");
  const before = place();
  await press(download, "{Enter}");
  await expect.element(row).toMatchTextContent("The file could not be loaded. Press Download again.");
  await press(download, "{Enter}");
  await expect.element(row).toMatchTextContent("This file is too large to share here. Open it in your browser.");
  await expect.element(row.getByRole("button", { name: "Copy address" })).toBeVisible();
  expect(place()).toEqual(before);
});

const ANSWER = {
  lasts: "ten_minutes",
  createdAt: "2026-01-01T12:00:00.000Z",
  endsAt: "2099-01-01T12:10:00.000Z",
  opened: 0,
  url: "/get?key=AAAAAAAAAAAAAAAAAAAAAA",
};

it.each<[string, Answer, string]>([
  ["to its file", () => json(ANSWER, 201), ANSWER.url],
  [
    "to the home page with its link and format, where no link to the file can be had",
    () => refusal(429, "rate_limited", "Too many links."),
    `/?${String(new URLSearchParams({ text: LINK, format: "mp3" }))}`,
  ],
])("inside another app a row has a way %s in the browser", async (_, answer, path) => {
  ownLinks.add("one", LINK);
  fakeApi.answer("POST /api/conversions/one/link", answer);
  await openIn({ kind: "inside", isAndroid: true });
  await expect.element(row).toMatchTextContent("This app may not save files. Open the file in your browser.");
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValueOnce();
  await row.getByRole("button", { name: "Copy address" }).click();
  await expect.element(row).toMatchTextContent("Copied: paste it in your browser");
  expect(write).toHaveBeenCalledWith(window.location.origin + path);
  write.mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
  await row.getByRole("button", { name: "Copied: paste it in your browser" }).click();
  await expect.element(row.getByLabelText("Address for your browser")).toHaveValue(window.location.origin + path);
  write.mockRestore();
  const clicks = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await row.getByRole("button", { name: "Open in browser" }).click();
  await expect
    .poll(() => clicks.mock.contexts.map((link) => link instanceof HTMLAnchorElement && link.href))
    .toEqual([expect.stringContaining(`intent://${window.location.host}${path}#Intent;`)]);
  clicks.mockRestore();
  await expect.poll(violationsOfPage).toEqual([]);
});

it("a browser that saves files says nothing", async () => {
  await openIn(null);
  await expect.element(download).toBeVisible();
  await expect.element(row).not.toMatchTextContent(/app|share/);
});

it("a row says that its file waits for other downloads", async () => {
  const files = ["a", "b", "c", "d"].map((id) =>
    makeJob({ id, status: "processing", downloadUrl: `/api/conversions/${id}/file`, title: id }),
  );
  await openIn(null, files);
  // The browser downloads nothing in this test.
  const prevent = (event: Event): void => event.preventDefault();
  window.addEventListener("click", prevent);
  for (const { id } of files) await press(page.getByRole("link", { name: `Download ${id}`, exact: true }), "{Enter}");
  window.removeEventListener("click", prevent);
  await expect
    .element(page.getBySelector("[data-job=d]"))
    .toMatchTextContent("Other files are still downloading. This one starts when it is finished.");
  await expect.element(page.getBySelector("[data-job=c]")).not.toMatchTextContent("Other files");
});
